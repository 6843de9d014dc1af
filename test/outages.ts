import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { deliverEvents } from '../src/events/delivery/deliver-events-job.ts'
import { runDue } from '../src/jobs/worker.ts'
import { HOUR, MINUTE } from '../src/lib/time.ts'
import type { EventRow } from '../src/events/log/schema.ts'
import { startTestApp, type TestApp } from './app.ts'
import { anotherProcess, dyingProcess } from './dying.ts'
import { addWebhook, happen, startReceiver, type Receiver } from './webhooks.ts'

interface Outages {
  readonly events: number
  readonly receivers: number
  readonly seed: number
}

/** Numbers from 0 up to 1 that follow from a seed. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const MISHAPS: readonly ((response: ServerResponse) => unknown)[] = [
  (response) => response.writeHead(500).end('broken'),
  (response) => response.writeHead(503, { 'retry-after': '60' }).end(),
  (response) => response.socket?.resetAndDestroy(),
  (response) => response.socket?.end('garbage\r\n\r\n'),
  (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
  (response) => response.writeHead(200, { 'content-length': '5' }).write('x') && response.socket?.destroy(),
  async (response) => {
    await sleep(20)
    response.destroy()
  },
]

/** Nothing is taken before `downUntil`, and a third of it until `over`; what went wrong is random. */
interface Outage {
  readonly downUntil: number
  readonly over: number
}

/** An attempt as a receiver has seen it. */
interface Seen {
  readonly id: string
  readonly isTaken: boolean
}

/** What a receiver sees, in its order. */
function trouble(app: TestApp, receiver: Receiver, outage: Outage, random: () => number): Seen[] {
  const seen: Seen[] = []
  receiver.answer = (response, { headers, event }) => {
    assert.equal(headers['webhook-id'], `evt_${event.id}`)
    const now = app.ctx.clock.real()
    const mishap = MISHAPS[Math.floor(random() * MISHAPS.length)]
    const isLucky = now > outage.over || (now > outage.downUntil && random() > 0.66)
    const isTaken = !mishap || isLucky
    seen.push({ id: event.id, isTaken })
    return isTaken ? response.end('ok') : mishap(response)
  }
  return seen
}

/**
 * Before an event is sent first, each earlier one of its buyer was taken, or tried five times
 * (`docs/decisions.md` 6.6).
 */
function assertOrder(seen: readonly Seen[], rows: readonly Pick<EventRow, 'id' | 'user_id'>[]): void {
  const tries = new Map<number, number>()
  for (const { id, isTaken } of seen) {
    const event = rows.find((row) => row.id === Number(id)) ?? assert.fail(id)
    const before = rows.filter((row) => row.user_id === event.user_id && row.id < event.id)
    const isFirst = !tries.has(event.id)
    const open = isFirst ? before.filter((row) => (tries.get(row.id) ?? 0) < 5) : []
    assert.deepEqual(open, [], `event ${id} is sent before others of its buyer`)
    const tried = (tries.get(event.id) ?? 0) + 1
    tries.set(event.id, isTaken ? Number.POSITIVE_INFINITY : tried)
  }
}

/**
 * Receivers are down for up to 70 hours of a test clock, slow, refuse, reset and answer garbage at random, and
 * processes are killed at random: every event reaches every receiver at least once (`docs/security-checks.md` R07),
 * those of a buyer in order. Who is mailed that a listener was switched off switches it on again, and has it sent what
 * was canceled.
 */
export async function surviveOutages(
  t: Pick<TestContext, 'after'>,
  { events, receivers, seed }: Outages,
): Promise<void> {
  const random = randomFrom(seed)
  const app = await startTestApp('outages', { config: { mode: 'development' } })
  t.after(() => app.close())
  const all = await Promise.all(Array.from({ length: receivers }, startReceiver))
  t.after(() => Promise.all(all.map((receiver) => receiver.close())))
  const start = app.ctx.clock.real()
  const over = start + 70 * HOUR
  const seenBy = all.map((receiver, n) =>
    trouble(app, receiver, { downUntil: start + (n / (receivers - 1)) * 69 * HOUR, over }, random),
  )
  for (const { url } of all) await addWebhook(app, { url, types: 'user.name.changed' })
  const perRound = Math.ceil(events / 10)
  for (let round = 0; round < 200 && (round <= 10 || (await anyWaits(app))); round++) {
    if (round < 10) {
      await happen(
        app,
        Array.from({ length: perRound }, () => 1 + Math.floor(random() * 5)),
      )
    }
    const isKilled = random() < 0.3
    const one = isKilled ? dyingProcess(app, 5 + Math.floor(random() * 40)) : anotherProcess(app)
    await runDue(one.ctx, [deliverEvents]).catch((error) => assert.ok(isKilled, String(error)))
    await one.close().catch(() => {})
    const isWell = app.ctx.clock.real() > over
    if (isWell) await switchOn(app)
    const step = round < 10 ? MINUTE * (1 + 5 * random()) : HOUR * (0.2 + 3 * random())
    app.ctx.clock.advance(Math.round(step))
  }
  const rows = await app.ctx.db
    .selectFrom('events')
    .select(['id', 'user_id', 'state'])
    .where('type', '=', 'user.name.changed')
    .execute()
  const ids = rows.map(({ id }) => String(id)).toSorted()
  assert.equal(ids.length, perRound * 10)
  for (const seen of seenBy) {
    const taken = new Set(seen.filter(({ isTaken }) => isTaken).map(({ id }) => id))
    assert.deepEqual([...taken].toSorted(), ids)
    assertOrder(seen, rows)
  }
  assert.ok(rows.every(({ state }) => state === 'processed'))
}

/** Whether something is to be sent, or was canceled as its listener was off. */
const anyWaits = async ({ ctx }: TestApp) =>
  (await ctx.db.selectFrom('deliveries').select('state').execute()).some(({ state }) => state !== 'processed')

/** Over HTTP, as a developer does who was mailed. */
async function switchOn(app: TestApp): Promise<void> {
  const path = `/products/${app.seller.product.id}/webhooks`
  const { json } = await app.call('GET', `${path}.json`)
  for (const { id, is_active: isActive } of json.webhooks) {
    if (isActive) continue
    await app.call('PUT', `${path}/${id}.json`, { body: { is_active: true } })
    const { json: resent } = await app.call('POST', `${path}/${id}/resend.json`, { body: {} })
    assert.equal(resent.more, false)
  }
}

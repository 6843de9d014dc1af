import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { deliverEvents } from '../src/jobs/deliver-events.ts'
import { runDue } from '../src/jobs/worker.ts'
import { HOUR, MINUTE } from '../src/lib/time.ts'
import { startTestApp } from './app.ts'
import { anotherProcess, dyingProcess } from './dying.ts'
import { addWebhook, happen, startReceiver, type Receiver } from './webhooks.ts'

interface Outages {
  readonly events: number
  readonly receivers: number
  readonly seed: number
}

/** Numbers from 0 up to 1 that follow from a seed. */
function randomFrom(seed: number): () => number {
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

/** Two thirds of its requests go wrong in one way or another, until `isOver`. */
function trouble(receiver: Receiver, random: () => number, isOver: () => boolean): Set<string> {
  const taken = new Set<string>()
  receiver.answer = (response, { event }) => {
    const mishap = MISHAPS[Math.floor(random() * MISHAPS.length)]
    if (mishap && !isOver() && random() < 0.66) return mishap(response)
    taken.add(event.id)
    return response.end('ok')
  }
  return taken
}

/**
 * Receivers are down, slow, refuse, reset and answer garbage at random for 70 hours of a test clock, and processes
 * are killed at random: every event reaches every receiver at least once (CHECKS R07).
 */
export async function surviveOutages({ events, receivers, seed }: Outages): Promise<void> {
  const random = randomFrom(seed)
  const app = await startTestApp('outages', { config: { mode: 'development' } })
  const all = await Promise.all(Array.from({ length: receivers }, startReceiver))
  const start = app.ctx.clock.real()
  const isOver = () => app.ctx.clock.real() - start > 70 * HOUR
  const taken = all.map((receiver) => trouble(receiver, random, isOver))
  for (const { url } of all) await addWebhook(app, { url, types: 'user.name.changed' })
  const sent = async () =>
    (await app.ctx.db.selectFrom('deliveries').select('state').execute()).map((row) => row.state)
  const perRound = Math.ceil(events / 10)
  for (let round = 0; round < 200; round++) {
    if (round < 10)
      await happen(
        app,
        Array.from({ length: perRound }, () => 1 + Math.floor(random() * 5)),
      )
    const isKilled = random() < 0.3
    const one = isKilled ? dyingProcess(app, 5 + Math.floor(random() * 40)) : anotherProcess(app)
    await runDue(one.ctx, [deliverEvents]).catch((error) => assert.ok(isKilled, String(error)))
    await one.close().catch(() => {})
    if (round > 10 && (await sent()).every((state) => state === 'processed')) break
    app.ctx.clock.advance(Math.round(round < 10 ? MINUTE * (1 + 5 * random()) : HOUR * (0.2 + 3 * random())))
  }
  assert.deepEqual(new Set(await sent()), new Set(['processed']))
  const rows = await app.ctx.db
    .selectFrom('events')
    .select(['id', 'state'])
    .where('type', '=', 'user.name.changed')
    .execute()
  const ids = rows.map(({ id }) => String(id)).toSorted()
  assert.equal(ids.length, perRound * 10)
  for (const one of taken) assert.deepEqual([...one].toSorted(), ids)
  assert.ok(rows.every(({ state }) => state === 'processed'))
  await app.close()
  for (const receiver of all) await receiver.close()
}

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../../test/app.ts'
import { dyingProcess } from '../../../test/dying.ts'
import { licenseOf, licenseOn, offerFor, userOf } from '../../../test/licenses.ts'
import { mailsTo } from '../../../test/mails.ts'
import type { Context } from '../../context.ts'
import { stillClock } from '../../lib/clock.ts'
import { DAY, HOUR, MINUTE, SECOND, toUtcTime } from '../../lib/time.ts'
import { expire } from './expire-job.ts'
import { runDue } from '../../jobs/worker.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('expire')
})
after(() => app.close())

const END = START + 100 * DAY
let people = 0

/** A license that ends 100 days after the start, of a person of its own. */
async function sold(body: Readonly<Record<string, unknown>> = {}) {
  app.ctx.clock.set(START)
  const email = `owner${++people}@example.com`
  await userOf(app, email)
  const license = await licenseOf(app, 1, { body: { expires_at: toUtcTime(END), email, ...body } })
  return { id: Number(license.id), email }
}

/** Runs the job at a time; it is due every minute. */
async function runAt(ms: number, ctx: Context = app.ctx) {
  app.ctx.clock.set(ms)
  await app.ctx.database.transaction((db) =>
    db.updateTable('jobs').set({ due_at: 0, lease_until: 0 }).where('name', '=', 'expire').execute(),
  )
  await runDue(ctx, [expire])
}

async function eventsOf(id: number): Promise<string[]> {
  const rows = await app.ctx.db
    .selectFrom('events')
    .select(['type', 'event_trigger'])
    .where('data', '=', JSON.stringify({ license_id: String(id) }))
    .where('type', '<>', 'license.cancelled')
    .orderBy('id')
    .execute()
  assert.ok(rows.every(({ event_trigger: trigger }) => trigger === 'system'))
  return rows.map(({ type }) => type)
}

const REMINDER = 'license.renewal_reminder.sent'
const EXPIRED = 'license.expired'
const NOTICE = 'license.expired_notice.sent'

test('a license is told of 30, 7 and 2 days before its end, at it, and a day after, each once', async () => {
  const { id, email } = await sold()
  const expected: string[] = []
  const times = [
    [END - 30 * DAY, REMINDER],
    [END - 7 * DAY, REMINDER],
    [END - 2 * DAY, REMINDER],
    [END, EXPIRED],
    [END + DAY, NOTICE],
  ] as const
  for (const [time, type] of times) {
    await runAt(time - SECOND)
    assert.deepEqual(await eventsOf(id), expected)
    await runAt(time)
    await runAt(time + MINUTE)
    expected.push(type)
    assert.deepEqual(await eventsOf(id), expected)
  }
  await runAt(END + 400 * DAY)
  assert.deepEqual(await eventsOf(id), expected)
  const mails = await mailsTo(app, email)
  assert.deepEqual(
    mails.map(({ kind }) => kind).filter((kind) => kind !== 'confirm_email'),
    ['license_expiring', 'license_expiring', 'license_expiring', 'license_expired'],
  )
  assert.match(mails.at(-1)?.text ?? '', new RegExp(`ended on ${toUtcTime(END)} UTC`))
})

test('after a week of standstill the end happens once, and no reminder is mailed after it', async () => {
  const { id } = await sold()
  await runAt(END - 30 * DAY)
  await runAt(END + 3 * HOUR)
  assert.deepEqual(await eventsOf(id), [REMINDER, EXPIRED])
  const other = await sold()
  await runAt(END - 10 * DAY)
  await runAt(END + 7 * DAY)
  assert.deepEqual(await eventsOf(other.id), [REMINDER, EXPIRED, NOTICE])
})

test('a license that is extended after its end is told of anew, and one that was cancelled is not', async () => {
  const { id } = await sold()
  const path = `/products/${app.seller.product.id}/licenses/${id}.json`
  await runAt(END + 2 * DAY)
  const later = END + 200 * DAY
  const reply = await app.call('PUT', path, { body: { expiration: toUtcTime(later) } })
  assert.equal(reply.status, 200, reply.text)
  await runAt(END + 3 * DAY)
  assert.deepEqual(
    (await eventsOf(id)).filter((type) => type === EXPIRED),
    [EXPIRED],
  )
  await runAt(later)
  assert.deepEqual(
    (await eventsOf(id)).filter((type) => type === EXPIRED),
    [EXPIRED, EXPIRED],
  )

  const cancelled = await sold()
  const done = await app.call('DELETE', `/products/${app.seller.product.id}/licenses/${cancelled.id}.json`)
  assert.equal(done.status, 200, done.text)
  await runAt(END + 2 * DAY)
  assert.deepEqual(await eventsOf(cancelled.id), [])

  const armed = await sold()
  await app.ctx.database.transaction((db) =>
    db.updateTable('licenses').set({ is_cancelled: true }).where('id', '=', armed.id).execute(),
  )
  await runAt(END + 2 * DAY)
  assert.deepEqual(await eventsOf(armed.id), [])
})

test('a change between the read and the write is not overrun', async () => {
  const { id } = await sold()
  app.ctx.clock.set(END)
  const moved = toUtcTime(END + 50 * DAY)
  let isMoved = false
  // The reads of the job come first; the change is committed before its transaction begins.
  const database = Object.create(app.ctx.database) as typeof app.ctx.database
  database.transaction = async (work) => {
    if (!isMoved) {
      isMoved = true
      await app.ctx.database.transaction((db) =>
        db.updateTable('licenses').set({ expiration: moved }).where('id', '=', id).execute(),
      )
    }
    return app.ctx.database.transaction(work)
  }
  const lease = { stopping: new AbortController().signal, guard: async () => {} }
  await expire.run({ ...app.ctx, database }, lease)
  assert.ok(isMoved)
  assert.deepEqual(await eventsOf(id), [])
})

test('of ten workers that look at once one tells each thing', async () => {
  const ids: number[] = []
  for (let n = 0; n < 5; n++) ids.push((await sold()).id)
  app.ctx.clock.set(END)
  const lease = { stopping: new AbortController().signal, guard: async () => {} }
  await Promise.all(Array.from({ length: 10 }, () => expire.run(app.ctx, lease)))
  for (const id of ids) assert.deepEqual(await eventsOf(id), [EXPIRED])
})

test('a worker that dies at any statement leaves nothing half done', async () => {
  for (let n = 1, isDead = true; isDead; n++) {
    const { id, email } = await sold()
    app.ctx.clock.set(END - 2 * DAY)
    const opened = { ctx: app.ctx, databaseOptions: app.databaseOptions }
    const process = dyingProcess(opened, n)
    await runAt(END - 2 * DAY, process.ctx).catch(() => {})
    isDead = process.isDead()
    await process.close()
    const told = (await eventsOf(id)).length
    const mailed = (await mailsTo(app, email)).filter(({ kind }) => kind === 'license_expiring').length
    assert.equal(told, mailed, `died before statement ${n}`)
    await runAt(END - 2 * DAY + MINUTE)
    assert.deepEqual(await eventsOf(id), [REMINDER], `died before statement ${n}`)
  }
})

test('more than a batch is told of in one go', async () => {
  app.ctx.clock.set(START)
  const offer = await offerFor(app, 1)
  const license = await licenseOn(app, offer, { body: { expires_at: toUtcTime(END) } })
  const row = await app.ctx.db
    .selectFrom('licenses')
    .selectAll()
    .where('id', '=', Number(license.id))
    .executeTakeFirstOrThrow()
  await app.ctx.database.transaction((db) =>
    db
      .insertInto('licenses')
      .values(
        Array.from({ length: 250 }, (_, n) => {
          const { id: _id, ...copy } = row
          return { ...copy, key_hash: `copy ${n}` }
        }),
      )
      .execute(),
  )
  await runAt(END)
  const left = await app.ctx.db
    .selectFrom('licenses')
    .select('id')
    .where('plan_id', '=', offer.planId)
    .where('notice', '<', 4)
    .execute()
  assert.deepEqual(left, [])
})

test("a sandbox license ends by its product's clock, a live one by real time", async () => {
  const live = await sold()
  const sandbox = await sold()
  await app.ctx.database.transaction((db) =>
    db.updateTable('licenses').set({ environment: 1 }).where('id', '=', sandbox.id).execute(),
  )
  const clockOf = (real: number, sandbox: number) => ({
    ...stillClock(real),
    of: (_: number, environment: 0 | 1) => (environment === 1 ? sandbox : real),
  })
  await runAt(START + DAY, { ...app.ctx, clock: clockOf(START + DAY, END) })
  assert.deepEqual(await eventsOf(sandbox.id), [EXPIRED])
  assert.deepEqual(await eventsOf(live.id), [])
  const other = await sold()
  await app.ctx.database.transaction((db) =>
    db.updateTable('licenses').set({ environment: 1 }).where('id', '=', other.id).execute(),
  )
  await runAt(END, { ...app.ctx, clock: clockOf(END, START) })
  assert.deepEqual(await eventsOf(other.id), [])
  assert.deepEqual(await eventsOf(live.id), [EXPIRED])
})

test("an orphan's end is told, and nobody is mailed", async () => {
  app.ctx.clock.set(START)
  const { id } = await licenseOf(app, 1, { body: { expires_at: toUtcTime(END) } })
  await runAt(END - 2 * DAY)
  await runAt(END + DAY)
  assert.deepEqual(await eventsOf(Number(id)), [EXPIRED])
})

test('a license that had ended before it was brought along ends no more, and nobody is mailed of it', async () => {
  app.ctx.clock.set(START)
  const email = `owner${++people}@example.com`
  const userId = await userOf(app, email)
  const offer = await offerFor(app, 1)
  const base = `/products/${app.seller.product.id}`
  const license_expires_at = toUtcTime(START - 400 * DAY)
  const migrate = async (more: object) => {
    const path = `${base}/users/${userId}/plans/${offer.planId}/pricing/${offer.pricingId}.json`
    const body = { billing_cycle: 12, license_expires_at, ...more }
    const reply = await app.call('POST', path, { body })
    assert.equal(reply.status, 200, reply.text)
    return Number(reply.json.license_id)
  }
  const quiet = [
    await migrate({ source: 'EDD' }),
    await migrate({ source: 'freemius', is_migration: true }),
    Number((await licenseOn(app, offer, { body: { expires_at: license_expires_at, email, source: 2 } })).id),
  ]
  await runAt(START + MINUTE)
  await runAt(START + 3 * DAY)
  for (const id of quiet) assert.deepEqual(await eventsOf(id), [])
  const kinds = (await mailsTo(app, email)).map(({ kind }) => kind)
  assert.ok(!kinds.includes('license_expired'))
  const path = `${base}/licenses/${quiet[0]}.json`
  const body = { expiration: toUtcTime(START + 10 * DAY) }
  assert.equal((await app.call('PUT', path, { body })).status, 200)
  await runAt(START + 10 * DAY)
  assert.ok((await eventsOf(quiet[0] ?? 0)).includes(EXPIRED), 'an end that it gets later is told')
})

test('a mail about an end that is 30 days late is passed over, and the end is told', async () => {
  const late = await sold()
  const timely = await sold()
  await runAt(END - 2 * DAY)
  await app.ctx.database.transaction((db) =>
    db.updateTable('licenses').set({ notice_at: null }).where('id', '=', late.id).execute(),
  )
  await runAt(END + 31 * DAY - SECOND)
  assert.deepEqual(await eventsOf(timely.id), [REMINDER, EXPIRED, NOTICE])
  await app.ctx.database.transaction((db) =>
    db
      .updateTable('licenses')
      .set({ notice_at: toUtcTime(END) })
      .where('id', '=', late.id)
      .execute(),
  )
  await runAt(END + 31 * DAY)
  assert.deepEqual(await eventsOf(late.id), [REMINDER, EXPIRED])
})

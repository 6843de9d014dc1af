import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper } from '../../../test/callers.ts'
import { productScope } from '../../../test/carts.ts'
import { createOffer, type Offer } from '../../../test/catalogue.ts'
import { advanceTo, askAdvance, clockOf, sandboxLicense, timelineOf } from '../../../test/sandbox.ts'
import { advanceSandboxes } from '../../jobs/advance-sandboxes.ts'
import { runDue } from '../../jobs/worker.ts'
import { SystemClock } from '../../lib/clock.ts'
import { TestClock } from '../../../test/clock.ts'
import { REFRESH_MS, SETTLE_MS } from './sandbox-times.ts'
import { DAY, HOUR, MINUTE, SECOND, toUtcTime } from '../../lib/time.ts'
import { followSandboxes, learnSandboxes } from './learn.ts'

let app: TestApp
let offer: Offer
before(async () => {
  app = await startTestApp('sandbox')
  offer = await app.write((tx) => createOffer(tx, productScope(app), 'sandboxed'))
})
after(() => app.close())

test('the clock of a sandbox that was never moved tells real time', async () => {
  assert.deepEqual(await clockOf(app), { status: 'ready', now: '2026-01-31 10:00:00', target: null })
  assert.deepEqual(await timelineOf(app), [])
})

test('a clock is moved to a time or by a duration, forward only and two years at once at most', async () => {
  for (const [body, status, code] of [
    [{}, 402, 'missing_argument'],
    [{ target: 'tomorrow' }, 400, 'invalid_argument'],
    [{ duration: '1 month' }, 400, 'invalid_argument'],
    [{ target: '2026-03-01', duration: 'P1M' }, 400, 'invalid_argument'],
    [{ target: '2026-01-31 10:00:00' }, 400, 'clock_not_forward'],
    [{ target: '2026-01-31 09:59:59' }, 400, 'clock_not_forward'],
    [{ duration: 'PT0S' }, 400, 'clock_not_forward'],
    [{ target: '2028-01-31 10:00:01' }, 400, 'clock_too_far'],
    [{ duration: 'P9999999Y' }, 400, 'clock_too_far'],
    [{ duration: 'P2Y1D' }, 400, 'clock_too_far'],
  ] as const) {
    const reply = await askAdvance(app, body)
    assert.deepEqual([reply.status, reply.json.error.code], [status, code], JSON.stringify(body))
  }
  const started = await askAdvance(app, { duration: 'P1M' })
  assert.equal(started.status, 202)
  const moving = { status: 'advancing', now: '2026-01-31 10:00:00', target: '2026-02-28 10:00:00' }
  assert.deepEqual(started.json, moving)
  assert.deepEqual(await clockOf(app), moving)
  const second = await askAdvance(app, { duration: 'P1M' })
  assert.deepEqual([second.status, second.json.error.code], [409, 'clock_advancing'])
  await runDue(app.ctx, [advanceSandboxes])
  const settling = { status: 'advancing', now: '2026-02-28 10:00:00', target: '2026-02-28 10:00:00' }
  assert.deepEqual(await clockOf(app), settling, 'other processes may not know it yet')
  assert.equal((await askAdvance(app, { duration: 'P1M' })).status, 409)
  app.ctx.clock.advance(SETTLE_MS)
  assert.deepEqual(await clockOf(app), { status: 'ready', now: '2026-02-28 10:00:01', target: null })
  app.ctx.clock.advance(MINUTE)
  assert.equal((await clockOf(app)).now, '2026-02-28 10:01:01')
  const other = await clockOf(app, app.seller.other)
  assert.equal(other.now, app.ctx.clock.now())
})

test('of any number who move a clock at the same time one does', async () => {
  const { other } = app.seller
  for (let round = 0; round < 5; round++) {
    const before = Date.parse(`${(await clockOf(app, other)).now}Z`)
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, n) => askAdvance(app, { duration: `P${n + 1}D` }, other)),
    )
    const won = replies.findIndex(({ status }) => status === 202)
    assert.deepEqual(replies.map(({ status }) => status).toSorted(), [202, ...Array(7).fill(409)])
    await runDue(app.ctx, [advanceSandboxes])
    app.ctx.clock.advance(SETTLE_MS)
    const after = Date.parse(`${(await clockOf(app, other)).now}Z`)
    assert.equal(after - before, (won + 1) * DAY + SETTLE_MS)
  }
})

test('what is due happens in its order at its time, on the way', async () => {
  const from = (await clockOf(app)).now
  const early = await sandboxLicense(app, offer, { email: 'early@example.com', ends: '2026-06-01 00:00:00' })
  const late = await sandboxLicense(app, offer, { email: 'late@example.com', ends: '2026-06-05 12:00:00' })
  assert.ok(from < '2026-03-01')
  await advanceTo(app, '2026-07-01 00:00:00')
  const lines = (await timelineOf(app)).map(({ at, what, data }) => [
    at,
    what,
    Number((data as { license_id: string }).license_id),
  ])
  assert.deepEqual(lines, [
    ['2026-05-02 00:00:00', 'mailed', early],
    ['2026-05-06 12:00:00', 'mailed', late],
    ['2026-05-25 00:00:00', 'mailed', early],
    ['2026-05-29 12:00:00', 'mailed', late],
    ['2026-05-30 00:00:00', 'mailed', early],
    ['2026-06-01 00:00:00', 'expired', early],
    ['2026-06-02 00:00:00', 'mailed', early],
    ['2026-06-03 12:00:00', 'mailed', late],
    ['2026-06-05 12:00:00', 'expired', late],
    ['2026-06-06 12:00:00', 'mailed', late],
  ])
  const page = await app.call(
    'GET',
    `/products/${app.seller.product.id}/sandbox/timeline.json?count=2&offset=1`,
  )
  assert.deepEqual(
    page.json.timeline.map((one: { type: string }) => one.type),
    ['license.expired', 'license.renewal_reminder.sent'],
  )
  const license = await app.call('GET', `/products/${app.seller.product.id}/users.json?count=1`)
  assert.equal(license.status, 200)
})

test('a developer moves and reads the clock of each product, and another product has its own timeline', async () => {
  const call = await asDeveloper(app)
  const { product, other } = app.seller
  const moved = await call('POST', `/products/${other.id}/sandbox/clock.json`, { duration: 'P1D' })
  assert.equal(moved.status, 202)
  await runDue(app.ctx, [advanceSandboxes])
  app.ctx.clock.advance(SETTLE_MS)
  assert.equal((await call('GET', `/products/${other.id}/sandbox/clock.json`)).json.status, 'ready')
  assert.deepEqual((await call('GET', `/products/${other.id}/sandbox/timeline.json`)).json, { timeline: [] })
  const own = await call('GET', `/products/${product.id}/sandbox/timeline.json?count=1&fields=what`)
  assert.deepEqual(own.json, { timeline: [{ what: 'mailed' }] })
})

test('another process tells the new time as soon as it has read it', async () => {
  const clock = new SystemClock()
  const { id } = app.seller.product
  assert.ok(Math.abs(clock.of(id, 1) - Date.now()) < SECOND)
  await learnSandboxes({ db: app.ctx.db, clock })
  const ahead = app.ctx.clock.of(id, 1) - app.ctx.clock.real()
  assert.ok(Math.abs(clock.of(id, 1) - Date.now() - ahead) < SECOND)
  assert.ok(Math.abs(clock.of(id, 0) - Date.now()) < SECOND)
})

test('a process that follows the sandboxes tells a new time before the clock is called ready', async () => {
  const { id } = app.seller.product
  const clock = new TestClock(app.ctx.clock.real())
  const stop = followSandboxes({ ...app.ctx, clock })
  const target = toUtcTime(app.ctx.clock.of(id, 1) + 10 * HOUR)
  assert.equal((await askAdvance(app, { target })).status, 202)
  await runDue(app.ctx, [advanceSandboxes])
  while (toUtcTime(clock.of(id, 1)) !== target) await sleep(10)
  await stop()
  app.ctx.clock.advance(SETTLE_MS)
  assert.ok(REFRESH_MS < SETTLE_MS)
})

test('who reads only what was moved lately learns also of a clock that is being moved for long', async () => {
  const { id } = app.seller.product
  const before = app.ctx.clock.of(id, 1)
  assert.equal((await askAdvance(app, { duration: 'P1D' })).status, 202)
  const clock = new TestClock(app.ctx.clock.real())
  await learnSandboxes({ db: app.ctx.db, clock }, app.ctx.clock.real() + HOUR)
  assert.equal(clock.of(id, 1), before)
  await runDue(app.ctx, [advanceSandboxes])
  app.ctx.clock.advance(SETTLE_MS)
  const late = new TestClock(app.ctx.clock.real())
  await learnSandboxes({ db: app.ctx.db, clock: late }, app.ctx.clock.real() + HOUR)
  assert.equal(late.of(id, 1), late.real())
})

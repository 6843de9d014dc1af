// Runs alone, slowly.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { productScope, visit } from '../../test/carts.ts'
import { createOffer } from '../../test/catalogue.ts'
import { anotherProcess, dyingProcess } from '../../test/dying.ts'
import { advanceTo, askAdvance, clockOf, sandboxLicense, timelineOf } from '../../test/sandbox.ts'
import type { Context } from '../context.ts'
import { TestClock } from '../../test/clock.ts'
import { SETTLE_MS } from '../catalogue/sandbox/sandbox-times.ts'
import { HOUR, MINUTE, SECOND, toUtcTime } from '../lib/time.ts'
import { advanceSandboxes } from './advance-sandboxes.ts'
import { runDue } from './worker.ts'

const apps: TestApp[] = []
after(() => Promise.all(apps.map((app) => app.close())))

const ENDS = ['2026-03-31 00:00:00', '2026-08-15 06:30:00', '2026-08-15 06:30:00', '2026-12-31 23:59:59']

/** A server with licenses that end in the year to come, and a cart that was left. */
async function furnished(name: string): Promise<TestApp> {
  const app = await startTestApp(name)
  apps.push(app)
  const offer = await app.write((tx) => createOffer(tx, productScope(app), 'sandboxed'))
  for (const [n, ends] of ENDS.entries())
    await sandboxLicense(app, offer, { email: `p${n}@example.com`, ends })
  await visit(app, { environment: 1, email: 'left@example.com', plan_id: offer.planId })
  return app
}

const told = async (app: TestApp) =>
  (await timelineOf(app)).map(({ at, what, type, data }) => ({ at, what, type, data }))

let inOneStep: Awaited<ReturnType<typeof told>>
before(async () => {
  const app = await furnished('advance_whole')
  await advanceTo(app, '2027-01-31 12:00:00')
  inOneStep = await told(app)
  assert.equal(inOneStep.length, 4 * 5 + 4)
})

test('a year in one step fires the same as twelve months in twelve', async () => {
  const app = await furnished('advance_months')
  for (let month = 2; month <= 13; month++) {
    const text = `${month === 13 ? 2027 : 2026}-${String(month === 13 ? 1 : month).padStart(2, '0')}`
    await advanceTo(app, `${text}-${month === 13 ? 31 : 28} 12:00:00`)
  }
  assert.deepEqual(await told(app), inOneStep)
})

/** Another process on the database of an app, with what its own clock has learnt. */
function withOwnClock({ ctx, close }: { ctx: Context; close: () => Promise<void> }, app: TestApp) {
  const clock = new TestClock(app.ctx.clock.real())
  return { ctx: { ...ctx, clock }, clock, close }
}

test('two processes that move a clock at the same time fire everything once', async () => {
  const app = await furnished('advance_two')
  const other = withOwnClock(anotherProcess(app), app)
  try {
    assert.equal((await askAdvance(app, { target: '2027-01-31 12:00:00' })).status, 202)
    await Promise.all([runDue(app.ctx, [advanceSandboxes]), runDue(other.ctx, [advanceSandboxes])])
    app.ctx.clock.advance(SETTLE_MS)
    assert.equal((await clockOf(app)).status, 'ready')
    assert.deepEqual(await told(app), inOneStep)
  } finally {
    await other.close()
  }
})

test('a process that dies on the way is followed by another one that does nothing twice', async () => {
  const app = await furnished('advance_dying')
  assert.equal((await askAdvance(app, { target: '2027-01-31 12:00:00' })).status, 202)
  let deaths = 0
  for (let isDone = false; !isDone;) {
    const dying = dyingProcess(app, 7 + deaths * 3)
    const process = withOwnClock(dying, app)
    await runDue(process.ctx, [advanceSandboxes]).catch(() => {})
    isDone = !dying.isDead()
    await process.close()
    if (!isDone) deaths++
    app.ctx.clock.advance(2 * MINUTE)
    assert.ok(deaths < 200)
  }
  assert.ok(deaths > 5, `${deaths} deaths`)
  app.ctx.clock.advance(SETTLE_MS)
  assert.equal((await clockOf(app)).status, 'ready')
  assert.deepEqual(await told(app), inOneStep)
})

for (const lostAt of [2, 3, 4]) {
  test(`who lost the clock to another process before its transaction ${lostAt} writes nothing more`, async () => {
    const app = await furnished(`advance_lost_${lostAt}`)
    assert.equal((await askAdvance(app, { target: '2027-01-31 12:00:00' })).status, 202)
    let begun = 0
    const onStatement = async (statement: string) => {
      if (!/^begin/i.test(statement)) return
      begun++
      if (begun !== lostAt) return
      app.ctx.clock.advance(HOUR)
      await runDue(app.ctx, [advanceSandboxes])
    }
    const slow = withOwnClock(anotherProcess(app, { onStatement }), app)
    try {
      await runDue(slow.ctx, [advanceSandboxes])
      assert.ok(begun >= lostAt)
      app.ctx.clock.advance(SETTLE_MS)
      assert.deepEqual(await clockOf(app), { status: 'ready', now: '2027-01-31 12:00:01', target: null })
      assert.deepEqual(await told(app), inOneStep)
    } finally {
      await slow.close()
    }
  })
}

test('a process that is to stop gives the clock back, and another one goes on at once', async () => {
  const app = await furnished('advance_stopped')
  assert.equal((await askAdvance(app, { target: '2027-01-31 12:00:00' })).status, 202)
  assert.equal(await advanceSandboxes.run(app.ctx, AbortSignal.abort(), () => {}), 'more')
  assert.equal((await clockOf(app)).status, 'advancing')
  await runDue(app.ctx, [advanceSandboxes])
  app.ctx.clock.advance(SETTLE_MS)
  assert.deepEqual(await told(app), inOneStep)
})

test('a way of more than 200 moments is gone to its end, and a second sandbox is not kept waiting by it', async () => {
  const app = await furnished('advance_far')
  const offer = await app.write((tx) => createOffer(tx, productScope(app), 'many'))
  for (let n = 0; n < 40; n++) {
    const ends = toUtcTime(Date.UTC(2026, 5, 1) + n * 7 * HOUR + n * SECOND)
    await sandboxLicense(app, offer, { email: `far${n}@example.com`, ends })
  }
  const { other } = app.seller
  assert.equal((await askAdvance(app, { target: '2027-01-31 12:00:00' })).status, 202)
  app.ctx.clock.advance(SECOND)
  assert.equal((await askAdvance(app, { target: '2027-01-31 12:00:00' }, other)).status, 202)
  app.ctx.clock.advance(SECOND)
  const { signal } = new AbortController()
  await advanceSandboxes.run(app.ctx, signal, () => {})
  await advanceSandboxes.run(app.ctx, signal, () => {})
  app.ctx.clock.advance(SETTLE_MS)
  assert.deepEqual([(await clockOf(app)).status, (await clockOf(app, other)).status], ['advancing', 'ready'])
  await runDue(app.ctx, [advanceSandboxes])
  app.ctx.clock.advance(SETTLE_MS)
  assert.equal((await clockOf(app)).status, 'ready')
  const lines = await timelineOf(app)
  assert.equal(lines.length, inOneStep.length + 40 * 5)
  assert.deepEqual(
    lines.map(({ at }) => at),
    lines.map(({ at }) => at).toSorted(),
  )
})

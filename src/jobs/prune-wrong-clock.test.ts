import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test, type TestContext as T } from 'node:test'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { pluginZip, SMALL_ZIP, storeSmallZip, upload } from '../../test/archives.ts'
import { anotherProcess } from '../../test/dying.ts'
import { offerFor } from '../../test/licenses.ts'
import { happen } from '../../test/webhooks.ts'
import { renewalState, resumeRenewals } from '../work/renewal-watch.ts'
import { TestClock } from '../../test/clock.ts'
import { DAY, HOUR } from '../lib/time.ts'
import { heartbeat } from '../work/heartbeat-job.ts'
import type { RecurringJob } from '../job.ts'
import { pruneEvents } from '../events/log/prune-events-job.ts'
import { prune } from './prune.ts'
import { sweepFiles } from '../deployments/storage/sweep-files-job.ts'
import { runDue } from './worker.ts'

type Process = Pick<TestApp, 'ctx'>

/** A server whose jobs live, and with it a checkout, an event and an archive that no version has yet. */
async function begin(t: T) {
  const app = await startTestApp('wrong_clock', { config: { kept: { eventDays: 60, attemptDays: 10 } } })
  t.after(() => app.close())
  const { product } = app.seller
  // An archive has the time of the machine.
  app.ctx.clock.set(Date.now())
  const { pricingId } = await offerFor(app, 1)
  assert.equal((await upload(app, await pluginZip())).status, 200)
  await storeSmallZip(app.ctx)
  await happen(app, [1])
  const opened = await app.call('POST', '/checkout/sessions.json', {
    token: null,
    body: { product_id: product.id, pricing_id: pricingId, billing_cycle: 'annual' },
  })
  assert.equal(opened.status, 201, opened.text)
  const { json } = await app.call('GET', `/products/${product.id}/events.json?type=user.name.changed`)
  const archive = createHash('sha256').update(SMALL_ZIP).digest('hex')
  const isStored = async () => {
    for await (const { sha256 } of app.ctx.storage.list()) if (sha256 === archive) return true
    return false
  }
  const work = async ({ ctx }: Process, ...jobs: readonly RecurringJob[]) => {
    // As if each was due.
    await app.write(({ db }) => db.updateTable('jobs').set({ due_at: 0, lease_until: 0 }).execute())
    await runDue(ctx, jobs)
  }
  await work(app, heartbeat)
  return {
    app,
    beat: (process: Process) => work(process, heartbeat),
    deleteOld: (process: Process) => work(process, prune, pruneEvents, sweepFiles),
    async left() {
      const event = await app.call('GET', `/products/${product.id}/events/${json.events[0].id}.json`)
      const checkouts = await app.ctx.db.selectFrom('checkouts').select('id').execute()
      return { event: event.status, checkouts: checkouts.length, isStored: await isStored() }
    },
  }
}

const ALL = { event: 200, checkouts: 1, isStored: true }
const NOTHING = { event: 404, checkouts: 0, isStored: false }

/** Another process on the same database, whose clock is ahead. */
async function withClockAhead(app: TestApp, aheadMs: number, act: (other: Process) => Promise<void>) {
  const { ctx, close } = anotherProcess(app)
  try {
    await act({ ctx: { ...ctx, clock: new TestClock(app.ctx.clock.real() + aheadMs) } })
  } finally {
    await close()
  }
}

test('a clock that jumps deletes nothing, noted or not, and what is old goes when it is right and renewals go on', async (t) => {
  const { app, beat, deleteOld, left } = await begin(t)
  const before = app.ctx.clock.real()
  app.ctx.clock.set(before + 800 * DAY)
  await deleteOld(app)
  assert.deepEqual(await left(), ALL)
  await beat(app)
  await deleteOld(app)
  assert.deepEqual(await left(), ALL)
  app.ctx.clock.set(before + 2 * DAY)
  await deleteOld(app)
  assert.deepEqual(await left(), ALL, 'it may be wrong until somebody says that it is right')
  assert.equal(await resumeRenewals(app.ctx), true)
  await deleteOld(app)
  assert.deepEqual(await left(), { ...NOTHING, event: 200 })
})

test('a server that was away for months deletes what is old when the operator has said so', async (t) => {
  const { app, beat, deleteOld, left } = await begin(t)
  app.ctx.clock.advance(270 * DAY)
  await beat(app)
  await deleteOld(app)
  assert.deepEqual(await left(), ALL)
  assert.equal(await resumeRenewals(app.ctx), true)
  await deleteOld(app)
  assert.deepEqual(await left(), NOTHING)
})

test('a process whose clock is ahead deletes nothing beside one whose clock is right, which goes on with what was old', async (t) => {
  const { app, beat, deleteOld, left } = await begin(t)
  app.ctx.clock.advance(2 * HOUR)
  await beat(app)
  await withClockAhead(app, 800 * DAY, async (other) => {
    await Promise.all([deleteOld(other), beat(app), beat(other), deleteOld(other), deleteOld(app)])
    // At once one of the two may have taken the job of both.
    await beat(other)
    await deleteOld(app)
    assert.deepEqual(await left(), { ...ALL, isStored: false }, 'the archive was an hour old')
    assert.notEqual((await renewalState(app.ctx.db, app.ctx.clock.real())).heldAt, null)
    assert.equal(await resumeRenewals(app.ctx), true)
    await deleteOld(other)
    assert.deepEqual(await left(), { ...ALL, isStored: false })
  })
})

test('what ends within three days without a sign of life goes as ever', async (t) => {
  const { app, deleteOld, left } = await begin(t)
  app.ctx.clock.advance(2 * DAY)
  await deleteOld(app)
  assert.deepEqual(await left(), { ...NOTHING, event: 200 })
})

// Runs beside others.
import assert from 'node:assert/strict'
import { test, type TestContext as T } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { openCable } from '../../test/cable.ts'
import { subscribed, takeLivePayments } from '../../test/subscriptions.ts'
import { addWebhook, happen, numbers, startReceiver } from '../../test/webhooks.ts'
import { connect } from '../db/connect.ts'
import { renewalState, resumeRenewals } from '../work/renewal-watch.ts'
import { findRenewalWatch } from '../work/renewal-watch-rows.ts'
import { DAY, MINUTE, SECOND } from '../lib/time.ts'
import { createLog } from '../log.ts'
import { deliverEvents } from '../events/delivery/deliver-events-job.ts'
import { heartbeat } from '../work/heartbeat-job.ts'
import type { Job } from '../job.ts'
import { renew } from '../sales/renewals/renew-job.ts'
import { settleRenewals } from '../sales/renewals/settle-renewals-job.ts'
import { startWorker } from './worker.ts'

/** A worker whose database is behind a cable, on that of a server that has its own way there; `said` is what it logs. */
async function workBehindCable(t: T, app: TestApp, jobs: readonly Job[]) {
  const { ctx, databaseOptions } = app
  assert.ok('url' in databaseOptions)
  const cable = await openCable(databaseOptions.url)
  const database = connect({ ...databaseOptions, url: cable.url, poolSize: 2, waitMs: 1_000 })
  const said: string[] = []
  const log = createLog('info', { write: (line: string) => void said.push(line) })
  const worker = startWorker({ ...ctx, log, database, db: database.reader }, jobs)
  t.after(async () => {
    await worker.stop()
    await database.close()
    await cable.pull()
    await app.close()
  })
  return { cable, said }
}

/** Time goes on with a clock, as a job that could not be run rests by it. */
async function until(
  holds: () => Promise<boolean> | boolean,
  clock?: TestApp['ctx']['clock'],
): Promise<void> {
  for (let n = 1; !(await holds()); n++) {
    if (n % 300 === 0) clock?.advance(6 * SECOND)
    await sleep(10)
  }
}

test('a delivery of which nobody could write what became of it goes again, and is no failure of its listener', async (t) => {
  const app = await startTestApp('cut_deliveries', { config: { mode: 'development' } })
  const { cable, said } = await workBehindCable(t, app, [deliverEvents])
  const receiver = await startReceiver()
  t.after(() => receiver.close())
  const { id } = await addWebhook(app, { url: receiver.url, types: 'user.name.changed' })
  const answered = Promise.withResolvers<void>()
  receiver.answer = (response) => void answered.promise.then(() => response.end())
  await happen(app, [1, 2, 3])
  await until(() => receiver.received.length === 3)
  await cable.pull()
  answered.resolve()
  await until(() => said.some((line) => line.includes('a listener could not be told')))
  await cable.plug()
  const read = async (path: string) =>
    (await app.call('GET', `/products/${app.seller.product.id}/webhooks/${id}${path}.json`)).json
  type Delivery = { readonly state: string; readonly attempts: number }
  const seen = async () => ((await read('/deliveries')).deliveries as Delivery[]).map((one) => one.state)
  // What the worker lets go of late waits from then on.
  await until(async () => (await seen()).every((state) => state === 'processed'), app.ctx.clock)
  const { deliveries } = (await read('/deliveries')) as { deliveries: Delivery[] }
  assert.deepEqual(new Set(deliveries.map(({ attempts }) => attempts)), new Set([1]))
  assert.equal((await read('')).failures, 0)
  assert.deepEqual(numbers(receiver).toSorted(), [0, 0, 1, 1, 2, 2])
})

test('jobs that have not reached their database for months charge nobody before the operator says so, and then one period', async (t) => {
  const app = await startTestApp('cut_renewals')
  takeLivePayments(app)
  const { subscription } = await subscribed(app, { more: { environment: 0 } })
  const { cable, said } = await workBehindCable(t, app, [heartbeat, renew, settleRenewals])
  const { clock, db } = app.ctx
  clock.advance(MINUTE)
  await until(async () => (await renewalState(db, clock.real())).lastBeat !== null)
  await cable.pull()
  clock.advance(270 * DAY)
  await until(() => said.length > 0)
  await cable.plug()
  const paid = () =>
    db.selectFrom('payments').select('id').where('subscription_id', '=', subscription.id).execute()
  await until(async () => ((await findRenewalWatch(db))?.held_at ?? null) !== null, clock)
  assert.deepEqual(await paid(), [])
  assert.equal(await resumeRenewals(app.ctx), true)
  await until(async () => (await paid()).length > 0, clock)
  const { due_at: due } = await db
    .selectFrom('subscriptions')
    .select('due_at')
    .where('id', '=', subscription.id)
    .executeTakeFirstOrThrow()
  assert.ok(due !== null && due > '2026-10-28', `nothing more is due: ${due}`)
  assert.equal((await paid()).length, 1)
})

// Runs on sqlite, beside others, slowly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestApp } from '../../test/app.ts'
import { ask } from '../../test/serve.ts'
import { invalidRequest } from '../../test/stripe/errors.ts'
import { stripeShop } from '../../test/stripe/renewals.ts'
import { checkLedger } from '../sales/ledger/check-ledger.ts'
import { heartbeat } from '../work/heartbeat-job.ts'
import { renew } from '../sales/renewals/renew-job.ts'
import { runDue } from '../jobs/worker.ts'
import { SystemClock } from '../lib/clock.ts'
import { DAY, HOUR } from '../lib/time.ts'

/** What the doctor says of one thing. */
async function doctorOf({ databaseOptions }: TestApp, what: string) {
  const { text } = await ask(databaseOptions, ['doctor', '--json'])
  const { checks } = JSON.parse(text) as { checks: { check: string; status: string; message: string }[] }
  return checks.find(({ check }) => check === what)
}

test('the doctor names renewals that their gateway refuses to make, until they are made', async (t) => {
  const shop = await stripeShop('doctor_renewals')
  t.after(() => shop.close())
  const { app } = shop
  const doctor = () => doctorOf(app, 'renewals')
  const now = new SystemClock().real()
  app.ctx.clock.set(now - 31 * DAY)
  const one = await shop.sold(0)
  const message = 'Your account cannot currently make live charges.'
  shop.stripe.api.offSession = invalidRequest({ message })
  await shop.goTo(now)
  await runDue(app.ctx, [heartbeat, renew])
  const found = await doctor()
  assert.deepEqual(
    [found?.status, found?.message],
    ['warn', `stripe has not made the renewal of subscription ${one.subscriptionId}: ${message}`],
  )
  shop.stripe.api.offSession = null
  app.ctx.clock.advance(2 * HOUR)
  await runDue(app.ctx, [heartbeat, renew])
  assert.equal((await doctor())?.status, 'ok')
})

test('a live renewal that nobody has answered for an hour is a warning of the doctor, and the ledger is not ok', async (t) => {
  const shop = await stripeShop('doctor_charges')
  t.after(() => shop.close())
  const { app } = shop
  assert.equal((await doctorOf(app, 'charges'))?.status, 'ok')
  const now = new SystemClock().real()
  app.ctx.clock.set(now - 32 * DAY)
  const one = await shop.sold(0)
  await shop.goTo(now - 2 * HOUR)
  await shop.lose('there')
  await runDue(app.ctx, [renew])
  app.ctx.clock.set(now)
  const [charge] = await shop.chargesOf(one)
  const found = await doctorOf(app, 'charges')
  assert.equal(found?.status, 'warn')
  assert.match(found.message, new RegExp(`^charge ${charge?.id} .*: no answer came$`))
  const { ok, fault_count: faults, unbooked_charges: unbooked } = await checkLedger(app.ctx)
  assert.deepEqual([ok, faults, unbooked], [false, 0, []])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask } from '../../test/serve.ts'
import { invalidRequest } from '../../test/stripe/errors.ts'
import { stripeShop } from '../../test/stripe/renewals.ts'
import { heartbeat } from '../jobs/heartbeat.ts'
import { renew } from '../jobs/renew.ts'
import { runDue } from '../jobs/worker.ts'
import { SystemClock } from '../lib/clock.ts'
import { DAY, HOUR } from '../lib/time.ts'

test('the doctor names renewals that their gateway refuses to make, until they are made', async (t) => {
  const shop = await stripeShop('doctor_renewals')
  t.after(() => shop.close())
  const { app } = shop
  const doctor = async () => {
    const { text } = await ask(app.databaseOptions, ['doctor', '--json'])
    const { checks } = JSON.parse(text) as { checks: { check: string; status: string; message: string }[] }
    return checks.find(({ check }) => check === 'renewals')
  }
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

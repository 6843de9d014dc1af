import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TestApp } from '../../../test/app.ts'
import { openSandboxCheckout } from '../../../test/checkouts.ts'
import { newestCharge } from '../../../test/charges.ts'
import { offerFor } from '../../../test/licenses.ts'
import { payCheckout } from '../../../test/reports.ts'
import { ledgerFaults, scopeOf } from '../../../test/sales.ts'
import { chargingShop, type ChargingShop } from '../../../test/stripe/charging.ts'
import { settlePurchases } from '../checkouts/settle-purchases-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { HOUR } from '../../lib/time.ts'

let shop: ChargingShop
let app: TestApp
let pricingId: number
before(async () => {
  shop = await chargingShop('found_set_up')
  app = shop.app
  const offer = await offerFor(app, 1, { plan: { trial_period: 14, is_require_subscription: true } })
  pricingId = offer.pricingId
})
after(() => shop.close())

let people = 0

/** A trial whose method is asked for while the gateway loses these. */
async function tried(...faults: ('none' | 'lost' | 'reset')[]): Promise<string> {
  const email = `trial${++people}@example.com`
  const token = await app.write((tx) =>
    openSandboxCheckout(tx, scopeOf(app), { pricingId, email, trial: 'true' }),
  )
  shop.stripe.faults.push(...faults)
  const { status, text } = await payCheckout(app, token, 'pm_card_visa')
  assert.equal(status, 503, text)
  shop.stripe.faults.length = 0
  return token
}

async function anHourLater(): Promise<void> {
  app.ctx.clock.advance(HOUR)
  await app.write(async ({ db }) => {
    await db.updateTable('jobs').set({ due_at: 0, lease_until: 0 }).execute()
    await db.updateTable('charges').set({ lease_until: 0 }).execute()
  })
  await runDue(app.ctx, [settlePurchases])
}

test('a method whose answer was lost is found by its key an hour later, and its trial begins', async () => {
  const before = shop.stripe.api.setUps.size
  const token = await tried('none', 'lost', 'lost')
  // What others have set up since is more than a page.
  for (let n = 0; n < 3; n++) await shop.gateway.setUp(asked(`other:${n}`))
  await anHourLater()
  assert.equal((await newestCharge(app)).state, 'settled')
  const { json } = await payCheckout(app, token, 'pm_card_visa')
  assert.equal(json.state, 'paid')
  assert.equal(json.trial.with_payment_method, true)
  assert.equal(shop.stripe.api.setUps.size - before, 4)
  assert.deepEqual(await ledgerFaults(app), [])
})

test('a method that never reached its gateway is let go an hour later, and its trial can be begun anew', async () => {
  const token = await tried('none', 'reset', 'reset')
  const before = shop.stripe.api.setUps.size
  await anHourLater()
  assert.equal((await newestCharge(app)).state, 'declined')
  assert.equal(shop.stripe.api.setUps.size, before)
  assert.equal((await payCheckout(app, token, 'pm_card_visa')).json.state, 'paid')
})

const asked = (key: string) => ({
  key,
  token: 'pm_card_visa',
  email: 'other@example.com',
  returnUrl: 'https://shop.example/back',
})

import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { TestApp } from '../../../test/app.ts'
import { newestCharge } from '../../../test/charges.ts'
import { userOf } from '../../../test/licenses.ts'
import { lateShop, ONCE, TWICE, type LateShop } from '../../../test/paid-late.ts'
import { payCheckout } from '../../../test/reports.ts'
import { DAY, toUtcTime } from '../../lib/time.ts'
import { lookAgain } from '../charges/look-again.ts'

let shop: LateShop
let app: TestApp
before(async () => {
  shop = await lateShop('bought_since')
  app = shop.app
  await app.write(async ({ db }) => {
    await db.updateTable('plans').set({ trial_period: 7 }).where('id', '=', shop.planId).execute()
    await db.updateTable('pricing').set({ lifetime_price: 20_000 }).execute()
  })
  const body = { code: 'NOTHING', discount: 100, discount_type: 'percentage' }
  const { status, text } = await app.call('POST', `/products/${app.seller.product.id}/coupons.json`, { body })
  assert.equal(status, 201, text)
})
beforeEach(() => shop.reset())
after(() => shop.close())

/** What the buyer does while a charge is on its way that is no purchase of the same, and what it has in the end. */
const NOT_THE_SAME: Readonly<Record<string, readonly [(email: string) => Promise<unknown>, typeof TWICE]>> = {
  'tries the same': [async (email) => shop.paid(await shop.openProven(email, { trial: 'true' })), [2, 1, 1]],
  'is bought the same for nothing by who typed the address': [
    async (email) => shop.paid(await shop.open(email, shop.pricingId, 'NOTHING')),
    TWICE,
  ],
  'buys at another cycle': [
    async (email) => shop.paid(await shop.changed(await shop.open(email), { billing_cycle: 0 })),
    TWICE,
  ],
  'buys in the other environment': [
    async (email) => {
      const token = await shop.open(email)
      await shop.paid(token)
      await shop.changed(token, { environment: 0 })
    },
    TWICE,
  ],
}

for (const [what, [meanwhile, end]] of Object.entries(NOT_THE_SAME)) {
  test(`what was let go and is paid after all is bought where its buyer ${what} meanwhile`, async () => {
    const email = shop.someone()
    await userOf(app, email)
    await shop.paidLate(await shop.open(email), () => meanwhile(email))
    assert.deepEqual(await shop.endedWith(email), end)
  })
}

test('what was let go is given back also where a clock that was ahead has dated it later than what was bought', async () => {
  const email = shop.someone()
  await shop.paidLate(await shop.open(email), async () => {
    const { id } = await newestCharge(app)
    const created = toUtcTime(app.ctx.clock.real() + 9 * DAY)
    await app.write(({ db }) => db.updateTable('charges').set({ created }).where('id', '=', id).execute())
    await shop.paid(await shop.open(email))
  })
  assert.deepEqual(await shop.endedWith(email), ONCE)
})

test('what was let go is given back also where the same was begun before it and paid after it', async () => {
  const email = shop.someone()
  await userOf(app, email)
  const token = await shop.openProven(email)
  assert.equal((await payCheckout(app, token, 'pm_slowBank')).json.state, 'pending')
  const slow = [...shop.stripe.api.intents.values()].at(-1)
  await shop.paidLate(await shop.open(email), async () => {
    slow.status = 'succeeded'
    await shop.paid(token)
  })
  assert.deepEqual(await shop.endedWith(email), ONCE)
})

test('what is bought after all keeps its payer from buying the same for a minute, wherever its checkout was opened', async () => {
  const email = shop.someone()
  const id = await shop.paidLate(await shop.changed(await shop.open(email), { ip: '203.0.113.9' }))
  app.ctx.clock.advance(DAY)
  await lookAgain(app.ctx, id)
  const { json, text } = await payCheckout(app, await shop.open(email), 'pm_card_visa')
  assert.equal(json.error?.code, 'already_purchased', text)
  assert.deepEqual(await shop.endedWith(email), [1, 1, 1])
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { expectOk } from '../../../test/installs.ts'
import { inPortal } from '../../../test/portal-sessions.ts'
import { sell } from '../../../test/sales.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('retention_offer')
})
after(() => app.close())

const own = (rest: string) => `/products/${app.seller.product.id}${rest}`

let coupons = 0

/** A coupon, in the place of the special one against cancelling unless `isSpecial` is false. */
async function coupon(given: object, { isSpecial = true } = {}): Promise<string> {
  const body = { code: `KEEP${++coupons}`, discount: 25, discount_type: 'percentage', ...given }
  const { json } = expectOk(await app.call('POST', own('/coupons.json'), { body }))
  const special = own(`/coupons/${json.id}/special/subscription_cancellation.json`)
  if (isSpecial) expectOk(await app.call('PUT', special))
  return json.id
}

/** A buyer of 100 dollars a year, in the portal. */
async function bought(subscription: object = {}) {
  const sold = await sell(app, {
    subscription: { amount_per_cycle: 10_000, renewal_amount: 10_000, ...subscription },
  })
  const { call } = await inPortal(app, { id: sold.owner.id })
  const path = own(`/subscriptions/${sold.subscription.id}`)
  return {
    call,
    offer: async () => expectOk(await call('GET', `${path}/choices.json`)).json.offer,
    take: (couponId: string) => call('PUT', `${path}.json`, { coupon_id: couponId }),
    cancel: () => call('DELETE', `${path}.json`),
  }
}

test('a product without the special coupon offers nothing', async () => {
  assert.equal(await (await bought()).offer(), null)
})

test('what is offered is what the next payment comes to when it is taken, once a license', async () => {
  const other = await coupon({ discount: 10, has_renewals_discount: true }, { isSpecial: false })
  for (const [given, sold, expected] of [
    [{}, {}, [100, 75, false]],
    [{ has_renewals_discount: true }, {}, [100, 75, true]],
    [
      { discount_type: 'dollar', discount: 30, discounts: { usd: 30, eur: 20, gbp: 10 } },
      {},
      [100, 70, false],
    ],
    [{ discount: 50 }, { gateway: 'paypal' }, [100, 84, false]],
    [{}, { renewals_discount: 2_000, renewal_amount: 8_000 }, [80, 60, false]],
    [{}, { coupon_id: Number(other), renewal_amount: 9_000 }, [90, 75, false]],
  ] as const) {
    const couponId = await coupon(given)
    const { offer, take } = await bought(sold)
    const { amount, offered_amount: offered, is_lasting: isLasting, ...more } = await offer()
    assert.deepEqual([amount, offered, isLasting], expected, JSON.stringify([given, sold]))
    assert.deepEqual(more, { coupon_id: couponId, currency: 'usd' })
    assert.equal(expectOk(await take(couponId)).json.renewal_amount, offered)
    assert.equal(await offer(), null, 'a license has it once')
  }
})

test('a license that has had the coupon is offered no other one, however much that takes off', async () => {
  const { offer, take } = await bought()
  expectOk(await take(await coupon({ discount: 5 })))
  await coupon({ discount: 90, has_renewals_discount: true })
  assert.equal(await offer(), null)
})

test('what takes nothing more off is not offered, and a subscription that is cancelled is offered nothing', async () => {
  const better = await coupon({ discount: 50, has_renewals_discount: true }, { isSpecial: false })
  await coupon({ discount: 40 })
  const lasting = await bought({ coupon_id: Number(better), renewal_amount: 5_000 })
  assert.equal(await lasting.offer(), null)
  const { offer, cancel } = await bought()
  assert.notEqual(await offer(), null)
  expectOk(await cancel())
  assert.equal(await offer(), null)
})

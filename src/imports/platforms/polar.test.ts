import assert from 'node:assert/strict'
import { testMove, type Move } from '../../../test/platform-imports.ts'

const SUBSCRIPTION = 'next_payment canceled_at billing_cycle amount_per_cycle currency total_gross license_id'
const PAYMENT = 'type gross tax refunded_gross refunded_tax currency processed_at'

/** An id of the fixture. */
const uuid = (n: number) => `${n.toString(16).padStart(8, '0')}-2a17-4b7a-8d9e-e287cf90131b`

async function exact({ id, row, rowsOf }: Move): Promise<void> {
  const license = (n: number, columns: string) => row('licenses', id('licenses', uuid(n)), columns)
  const bo = id('customers', uuid(31))
  const first = await license(71, 'quota activated expiration is_cancelled user_id product_id')
  assert.equal(first, `1 | 1 | 2027-01-31 10:00:00 | false | ${bo} | ${id('products', uuid(1))}`)
  assert.equal(await license(72, 'quota is_cancelled product_id'), `3 | true | ${id('products', uuid(2))}`)
  // The second customer has the address of the first in capitals.
  assert.equal(await license(73, 'quota expiration activated user_id'), `null | null | 1 | ${bo}`)
  const installs = await rowsOf('installs')
  assert.deepEqual(installs.map((one) => `${one['url']} ${one['title']}`).toSorted(), [
    'https://shop.bo-buyer.com null',
    "null Bo's MacBook",
  ])
  const price = 'monthly_price annual_price lifetime_price currency'
  assert.equal(await row('pricing', id('pricing', uuid(1)), price), 'null | 4900 | null | usd')
  assert.equal(await row('pricing', id('pricing', uuid(2)), price), 'null | null | 2900 | eur')
  const coupon = 'discount_type discount redemptions redemptions_limit end_date'
  assert.equal(
    await row('coupons', id('coupons', uuid(61)), coupon),
    'percentage | 20 | 7 | 100 | 2026-12-31 23:59:59',
  )
  assert.equal(
    await row('coupons', id('coupons', uuid(62)), coupon),
    'dollar | 550 | 0 | null | 9999-12-31 23:59:59',
  )
  const subscription = id('subscriptions', uuid(41))
  assert.equal(
    await row('subscriptions', subscription, SUBSCRIPTION),
    `2027-01-31 10:00:00 | null | 12 | 4900 | usd | 11662 | ${id('licenses', uuid(71))}`,
  )
  assert.equal(
    await row('subscriptions', id('subscriptions', uuid(42)), SUBSCRIPTION),
    'null | 2025-06-01 12:00:00 | 12 | 4900 | gbp | 0 | null',
  )
  const paid = id('payments', uuid(52))
  assert.equal(
    await row('payments', paid, PAYMENT),
    'payment | 2900 | 551 | 1000 | 190 | eur | 2025-02-10 10:00:00',
  )
  assert.equal(
    await row('payments', id('refunds', paid), PAYMENT),
    'refund | -1000 | -190 | 0 | 0 | eur | 2025-02-12 08:30:00',
  )
  const renewal = await row('payments', id('payments', uuid(55)), 'is_renewal gross tax subscription_id')
  assert.equal(renewal, `true | 4900 | 931 | ${subscription}`)
}

testMove('polar', {
  left: [
    'discounts.json 5 coupons discount not_whole',
    'license-keys.json 4 licenses expiration impossible_time',
    'license-keys.json 5 licenses is_cancelled unknown_state',
    'subscriptions.json 3 subscriptions billing_cycle unknown_cycle',
    'subscriptions.json 4 subscriptions - unknown_state',
    'orders.json 3 payments currency unknown_currency',
    'orders.json 6 payments - unknown_state',
    'license-keys.json 6 licenses product_id missing',
    'license-keys.json 6 licenses plan_id missing',
  ],
  aside: [
    'pricing no_fixed_price 1',
    'coupons limited_to_products 1',
    'coupons no_code 1',
    'subscriptions not_begun 1',
    'payments not_paid 1',
  ],
  exact,
  change: ['license-keys.json', '"expires_at": "2027-01-31', '"expires_at": "2028-01-31'],
  changed: async ({ id, row }) =>
    assert.equal(await row('licenses', id('licenses', uuid(71)), 'expiration'), '2028-01-31 10:00:00'),
  keys: async ({ id, activate }) => {
    const product = id('products', uuid(1))
    assert.equal(await activate(product, 'FORMS_B1947534-7FF8-4E4A', 'https://new.bo-buyer.com'), '200')
    const full = await activate(product, 'FORMS_80E15DB5-C796-436B', 'https://new.bo-buyer.com')
    assert.equal(full, '400 license_utilized')
  },
})

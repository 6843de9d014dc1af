import assert from 'node:assert/strict'
import { testMove, type Move } from '../../../test/platform-imports.ts'

const SUBSCRIPTION =
  'next_payment canceled_at billing_cycle amount_per_cycle currency total_gross external_id license_id'
const PAYMENT = 'type gross tax refunded_gross refunded_tax currency processed_at license_id'

async function exact({ id, row, rowsOf }: Move): Promise<void> {
  const license = (n: number, columns: string) => row('licenses', id('licenses', n), columns)
  // Written by the clock of the shop, which is in Berlin.
  const first = await license(1, 'quota activated expiration is_cancelled created')
  assert.equal(first, '1 | 1 | 2027-01-31 10:00:00 | false | 2025-01-31 10:00:00')
  assert.equal(await license(2, 'quota is_cancelled plan_id'), `5 | true | ${id('plans', '20:')}`)
  const third = await license(3, 'quota expiration activated_local user_id created plan_id')
  const plan = id('options', '10:2')
  assert.equal(third, `null | null | 1 | ${id('customers', 1)} | 2025-07-01 10:00:00 | ${plan}`)
  assert.equal(await row('plans', id('options', '10:1'), 'name title'), 'café-1-site | Café — 1 site')
  const installs = await rowsOf('installs')
  assert.deepEqual(installs.map((one) => `${one['url']} ${one['counted_as']}`).toSorted(), [
    'http://localhost:8080/ local',
    'http://shop.bo-buyer.com/ production',
  ])
  const price = 'monthly_price annual_price lifetime_price licenses currency'
  assert.equal(await row('pricing', id('option_pricing', '10:1'), price), 'null | 4900 | null | 1 | usd')
  assert.equal(await row('pricing', id('option_pricing', '10:2'), price), 'null | null | 19900 | null | usd')
  assert.equal(await row('pricing', id('pricing', '20:'), price), 'null | null | 2900 | 3 | usd')
  const coupon = 'discount_type discount redemptions redemptions_limit start_date end_date'
  assert.equal(
    await row('coupons', id('coupons', 1), coupon),
    'percentage | 20 | 7 | 100 | 2024-03-01 09:00:00 | 9999-12-31 23:59:59',
  )
  assert.equal(
    await row('coupons', id('coupons', 2), coupon),
    'dollar | 550 | 0 | null | 2024-04-01 00:00:00 | 2024-12-31 23:59:59',
  )
  assert.equal(
    await row('subscriptions', id('subscriptions', 1), SUBSCRIPTION),
    `2027-01-31 10:00:00 | null | 12 | 4900 | usd | 11662 | sub_1 | ${id('licenses', 1)}`,
  )
  assert.equal(
    await row('subscriptions', id('subscriptions', 2), SUBSCRIPTION),
    'null | 2025-07-01 10:00:00 | 1 | 2900 | usd | 2900 | sub_2 | null',
  )
  const paid = id('payments', 2)
  assert.equal(
    await row('payments', paid, PAYMENT),
    `payment | 2900 | 551 | 1000 | 190 | eur | 2025-02-10 10:00:00 | ${id('licenses', 2)}`,
  )
  assert.equal(
    await row('payments', id('refunds', paid), PAYMENT),
    `refund | -1000 | -190 | 0 | 0 | eur | 2025-02-12 08:30:00 | ${id('licenses', 2)}`,
  )
  const renewal = await row('payments', id('payments', 8), 'is_renewal gross tax subscription_id')
  assert.equal(renewal, `true | 4900 | 931 | ${id('subscriptions', 1)}`)
  // Two items of one order.
  assert.equal(await row('payments', id('payments', 5), 'gross'), '19900')
  assert.equal(await row('payments', id('payments', 6), 'gross'), '2900')
  assert.equal(await row('payments', id('payments', 11), 'environment'), '1')
}

testMove('edd', {
  left: [
    'wp_edd_licenses.csv 5 licenses created impossible_time',
    'wp_edd_licenses.csv 6 licenses is_cancelled unknown_state',
    'wp_edd_subscriptions.csv 4 subscriptions billing_cycle unknown_cycle',
    'wp_edd_order_items.csv 4 payments currency unknown_currency',
    'wp_edd_order_items.csv 10 payments - unknown_state',
    'wp_edd_licenses.csv 7 licenses product_id unknown_reference',
    'wp_edd_licenses.csv 7 licenses plan_id unknown_reference',
    'wp_edd_order_items.csv 11 payments user_id missing',
  ],
  aside: [
    'coupons limited_to_products 1',
    'coupons minimum_amount 1',
    'installs deactivated 1',
    'subscriptions not_begun 1',
    'payments not_paid 1',
    'payments is_refund 1',
  ],
  exact,
  change: ['wp_edd_licenses.csv', '1801389600', '1832925600'],
  changed: async ({ id, row }) =>
    assert.equal(await row('licenses', id('licenses', 1), 'expiration'), '2028-01-31 10:00:00'),
  keys: async ({ id, activate }) => {
    const product = id('products', 10)
    const lifetime = '2c3e5a7b9d1f2a4c6e8b0d1f3a5c7e9b'
    assert.equal(await activate(product, lifetime, 'https://new.bo-buyer.com'), '200')
    const full = '8a1f3c5e7b9d2f4a6c8e0b1d3f5a7c9e'
    assert.equal(await activate(product, full, 'https://new.bo-buyer.com'), '400 license_utilized')
  },
})

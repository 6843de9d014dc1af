import assert from 'node:assert/strict'
import { testMove, type Move } from '../../../test/platform-imports.ts'

const SUBSCRIPTION = 'next_payment canceled_at billing_cycle amount_per_cycle currency total_gross license_id'
const PAYMENT = 'type gross tax refunded_gross refunded_tax currency processed_at external_id'

async function exact({ id, row, rowsOf, app }: Move): Promise<void> {
  const license = (n: number, columns: string) => row('licenses', id('licenses', n), columns)
  // Written by the clock of the shop, which is in New York.
  const first = await license(1, 'quota activated expiration is_cancelled created plan_id')
  assert.equal(first, `1 | 1 | null | false | 2025-01-31 10:00:00 | ${id('variations', 11)}`)
  assert.equal(await license(2, 'quota is_cancelled plan_id'), `3 | true | ${id('plans', 20)}`)
  const third = await license(3, 'quota user_id created product_id')
  const bo = id('buyers', 'bo@example.com')
  assert.equal(third, `null | ${bo} | 2025-07-01 16:00:00 | ${id('products', 10)}`)
  assert.equal(await row('users', bo, 'email first last'), 'bo@example.com | Bo | van Buyer')
  assert.ok(!(await rowsOf('users')).some(({ email }) => email === 'spam@example.com'))
  const installs = await rowsOf('installs')
  const places = installs.map((one) => `${one['url']} ${one['title']} ${one['platform_version']}`)
  assert.deepEqual(places.toSorted(), [
    'https://shop.bo-buyer.com null WordPress 6.4',
    'null 1736412345 macOS',
  ])
  const price = 'monthly_price annual_price lifetime_price licenses currency'
  assert.equal(await row('pricing', id('variation_pricing', 11), price), 'null | 4900 | null | 1 | usd')
  assert.equal(await row('pricing', id('variation_pricing', 12), price), 'null | null | 19900 | null | usd')
  assert.equal(await row('pricing', id('pricing', 20), price), 'null | null | 2900 | 3 | usd')
  const coupon = 'discount_type discount redemptions redemptions_limit end_date is_one_per_user'
  assert.equal(
    await row('coupons', id('coupons', 40), coupon),
    'percentage | 20 | 7 | 100 | 2025-12-31 23:59:59 | true',
  )
  assert.equal(
    await row('coupons', id('coupons', 42), coupon),
    'dollar | 550 | 0 | null | 9999-12-31 23:59:59 | false',
  )
  const subscription = id('subscriptions', 201)
  assert.equal(
    await row('subscriptions', subscription, SUBSCRIPTION),
    `2027-01-31 10:00:00 | null | 12 | 4900 | usd | 11662 | ${id('licenses', 1)}`,
  )
  assert.equal(
    await row('subscriptions', id('subscriptions', 202), SUBSCRIPTION),
    `null | 2025-06-01 12:00:00 | 1 | 2900 | gbp | 0 | ${id('licenses', 2)}`,
  )
  const ended = await row('subscriptions', id('subscriptions', 205), 'canceled_at license_id')
  // Its order has a license of another product.
  assert.equal(ended, '2025-08-02 10:00:00 | null')
  const paid = id('payments', 102)
  assert.equal(
    await row('payments', paid, PAYMENT),
    'payment | 2900 | 551 | 1000 | 190 | eur | 2025-02-10 10:00:00 | ch_102',
  )
  assert.equal(
    await row('payments', id('refunds', paid), PAYMENT),
    'refund | -1000 | -190 | 0 | 0 | eur | 2025-02-12 08:30:00 | ch_102',
  )
  const order = await row(
    'payments',
    id('payments', 101),
    'processed_at subscription_id country_code is_renewal',
  )
  assert.equal(order, `2025-01-31 10:00:05 | ${subscription} | DE | false`)
  const renewal = await row('payments', id('payments', 107), 'is_renewal gross tax subscription_id')
  assert.equal(renewal, `true | 4900 | 931 | ${subscription}`)
  // The card comes along, and nothing is charged here with it until that is asked for.
  // So does the wallet, but not of a subscription that PayPal charges by itself.
  const methods = await rowsOf('payment_methods')
  const told = methods.map(
    ({ id: of, gateway, kind, token }) =>
      `${of} ${gateway} ${kind} ${app.ctx.keys.open(String(token), 'payment_methods.token')}`,
  )
  assert.deepEqual(
    told.toSorted(),
    [
      `${id('methods', subscription)} stripe card cus_Bo1 pm_Bo1 card`,
      `${id('methods', id('subscriptions', 206))} paypal paypal vault 8kk84516`,
    ].toSorted(),
  )
  for (const n of [201, 206, 207])
    assert.equal(await row('subscriptions', id('subscriptions', n), 'is_elsewhere due_at'), 'true | null')
}

async function keys({ id, activate, bring, row }: Move): Promise<void> {
  const product = id('products', 10)
  assert.equal(await activate(product, 'FS-2c3e5a7b-9d1f-4a4c', 'https://new.bo-buyer.com'), '200')
  const full = 'FS-8a1f3c5e-7b9d-4f6a'
  assert.equal(await activate(product, full, 'https://new.bo-buyer.com'), '400 license_utilized')
  // With the word of the seller the subscription is renewed here, and stays so when it comes again without it.
  const subscription = id('subscriptions', 201)
  assert.equal((await bring({ renewsHere: true })).changed, 2)
  const renewed = `false | 2027-01-31 10:00:00 | stripe | ${id('methods', subscription)}`
  const columns = 'is_elsewhere due_at gateway payment_method_id'
  assert.equal(await row('subscriptions', subscription, columns), renewed)
  assert.equal((await bring()).changed, 0)
  assert.equal(await row('subscriptions', subscription, columns), renewed)
  assert.match(
    await row('subscriptions', id('subscriptions', 206), columns),
    /^false \| 2026-07-02 10:00:00 \| paypal/,
  )
  assert.equal(await row('subscriptions', id('subscriptions', 207), columns), 'true | null | null | null')
}

testMove('woocommerce', {
  left: [
    'wp_wc_orders.csv 13 users email no_email',
    'wp_woocommerce_software_licenses.csv 5 users created impossible_time',
    'wp_woocommerce_software_licenses.csv 5 licenses created impossible_time',
    'wp_woocommerce_software_licenses.csv 6 licenses is_cancelled unknown_state',
    'wp_wc_orders.csv 16 subscriptions billing_cycle unknown_cycle',
    'wp_wc_orders.csv 4 payments currency unknown_currency',
    'wp_wc_orders.csv 10 payments - unknown_state',
    'wp_woocommerce_software_licenses.csv 7 licenses product_id missing',
    'wp_woocommerce_software_licenses.csv 7 licenses plan_id missing',
    'wp_wc_orders.csv 13 payments user_id unknown_reference',
  ],
  aside: [
    'coupons limited_to_products 1',
    'installs deactivated 1',
    'subscriptions not_begun 1',
    'payments not_paid 1',
  ],
  exact,
  change: ['wp_woocommerce_software_licenses.csv', '1.0,3,2025-05-02', '1.0,4,2025-05-02'],
  changed: async ({ id, row }) => assert.equal(await row('licenses', id('licenses', 2), 'quota'), '4'),
  keys,
})

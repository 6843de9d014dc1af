import assert from 'node:assert/strict'
import { testMove, type Move } from '../../../test/platform-imports.ts'

const SUBSCRIPTION =
  'next_payment canceled_at billing_cycle amount_per_cycle currency total_gross is_elsewhere'
const PAYMENT = 'type gross tax refunded_gross refunded_tax currency processed_at'

async function exact({ id, row, rowsOf }: Move): Promise<void> {
  const price = 'monthly_price annual_price lifetime_price currency'
  assert.equal(await row('pricing', id('pricing', 'pri_1'), price), 'null | 4900 | null | usd')
  assert.equal(await row('pricing', id('pricing', 'pri_2'), price), 'null | null | 2900 | eur')
  assert.equal(await row('plans', id('plans', 'pri_2'), 'name title'), 'for-life | For life')
  const coupon = 'discount_type discount redemptions redemptions_limit end_date has_renewals_discount'
  assert.equal(
    await row('coupons', id('coupons', 'dsc_1'), coupon),
    'percentage | 20 | 7 | 100 | 2026-12-31 23:59:59 | true',
  )
  assert.equal(
    await row('coupons', id('coupons', 'dsc_2'), coupon),
    'dollar | 550 | 0 | null | 9999-12-31 23:59:59 | false',
  )
  const users = await rowsOf('users')
  assert.deepEqual(users.map(({ email }) => email).toSorted(), ['bo@example.com', 'cy@example.com'])
  const subscription = id('subscriptions', 'sub_1')
  assert.equal(
    await row('subscriptions', subscription, SUBSCRIPTION),
    '2027-01-31 10:00:00 | null | 12 | 4900 | usd | 11662 | true',
  )
  assert.equal(
    await row('subscriptions', id('subscriptions', 'sub_2'), SUBSCRIPTION),
    'null | 2025-06-01 12:00:00 | 12 | 4900 | gbp | 0 | true',
  )
  // Two refunds that were approved, and one that was not.
  const paid = id('payments', 'txn_2')
  assert.equal(
    await row('payments', paid, PAYMENT),
    'payment | 2900 | 551 | 1000 | 190 | eur | 2025-02-10 10:00:00',
  )
  assert.equal(
    await row('payments', id('refunds', paid), PAYMENT),
    'refund | -1000 | -190 | 0 | 0 | eur | 2025-02-12 08:30:00',
  )
  const renewal = await row('payments', id('payments', 'txn_5'), 'is_renewal gross tax subscription_id')
  assert.equal(renewal, `true | 4900 | 931 | ${subscription}`)
  assert.deepEqual([await rowsOf('licenses'), await rowsOf('installs')], [[], []])
}

testMove('paddle', {
  left: [
    'prices.json 4 pricing currency unknown_currency',
    'subscriptions.json 3 subscriptions billing_cycle unknown_cycle',
    'subscriptions.json 4 subscriptions canceled_at unknown_state',
    'transactions.json 3 payments currency unknown_currency',
    'transactions.json 6 payments - unknown_state',
    'transactions.json 8 payments created impossible_time',
    'transactions.json 8 payments updated impossible_time',
  ],
  aside: [
    'pricing other_cycle 1',
    'coupons limited_to_products 1',
    'coupons no_code 1',
    'coupons other_currency 1',
    'payments not_paid 1',
    'payments charged_back 1',
  ],
  exact,
  change: ['subscriptions.json', '"next_billed_at": "2027-01-31', '"next_billed_at": "2028-01-31'],
  changed: async ({ id, row }) =>
    assert.equal(
      await row('subscriptions', id('subscriptions', 'sub_1'), 'next_payment'),
      '2028-01-31 10:00:00',
    ),
  keys: async () => {},
})

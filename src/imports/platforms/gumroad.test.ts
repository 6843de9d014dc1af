import assert from 'node:assert/strict'
import { testMove, type Move } from '../../../test/platform-imports.ts'

const SUBSCRIPTION = 'next_payment canceled_at billing_cycle amount_per_cycle currency total_gross'
const PAYMENT = 'type gross tax refunded_gross currency processed_at'
const KEY = '83DB262A-C19D3B06-A5235A6B-8C079166'

async function exact({ id, row, rowsOf }: Move): Promise<void> {
  // Each sale of a subscription has the key; the license is of the first.
  const bo = id('buyers', 'Bo@Example.com')
  const plan = id('tiers', 'PF_forms== (Solo)')
  const columns = 'quota expiration is_cancelled created user_id plan_id'
  assert.equal(
    await row('licenses', id('licenses', KEY), columns),
    `null | null | false | 2025-01-31 10:00:00 | ${bo} | ${plan}`,
  )
  assert.equal(await row('users', bo, 'email first last'), 'Bo@Example.com | Bo | van Buyer')
  const disabled = id('licenses', '740A36FE-80134D88-9998290C-1B30910C')
  assert.equal(await row('licenses', disabled, 'is_cancelled'), 'true')
  assert.deepEqual(await rowsOf('installs'), [])
  const price = 'monthly_price annual_price lifetime_price currency'
  assert.equal(await row('pricing', id('pricing', 'PF_forms=='), price), 'null | 4900 | null | usd')
  assert.equal(await row('pricing', id('pricing', 'PC_charts=='), price), 'null | null | 2900 | eur')
  const subscription = id('subscriptions', 'SUB1==')
  assert.equal(
    await row('subscriptions', subscription, SUBSCRIPTION),
    '2027-01-31 10:00:00 | null | 12 | 4900 | usd | 9800',
  )
  assert.equal(
    await row('subscriptions', id('subscriptions', 'SUB2=='), SUBSCRIPTION),
    'null | 2025-06-01 12:00:00 | 12 | 4900 | usd | 0',
  )
  // Without the tax that Gumroad pays; of what can still be given back the rest was given back.
  const paid = id('payments', 'S2==')
  assert.equal(await row('payments', paid, PAYMENT), 'payment | 2900 | 0 | 1000 | eur | 2025-02-10 10:00:00')
  assert.equal(
    await row('payments', id('refunds', paid), PAYMENT),
    'refund | -1000 | 0 | 0 | eur | 2025-02-10 10:00:00',
  )
  const renewal = await row('payments', id('payments', 'S3=='), 'is_renewal gross subscription_id')
  assert.equal(renewal, `true | 4900 | ${subscription}`)
}

testMove('gumroad', {
  left: [
    'products.json 4 pricing currency unknown_currency',
    'sales-2.json 4 users created impossible_time',
    'sales-2.json 4 licenses created impossible_time',
    'subscribers.json 3 subscriptions billing_cycle unknown_cycle',
    'subscribers.json 4 subscriptions canceled_at unknown_state',
    'sales-2.json 1 payments currency unknown_currency',
    'sales-2.json 4 payments created impossible_time',
  ],
  aside: ['pricing no_fixed_price 1'],
  exact,
  change: ['sales-2.json', '"ended": true', '"ended": false'],
  changed: async ({ id, row }) =>
    assert.equal(
      await row('licenses', id('licenses', '77777777-22222222-33333333-44444444'), 'is_cancelled'),
      'false',
    ),
  keys: async ({ id, activate }) => {
    const product = id('products', 'PF_forms==')
    assert.equal(await activate(product, KEY, 'https://new.bo-buyer.com'), '200')
  },
})

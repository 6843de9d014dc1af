import assert from 'node:assert/strict'
import { testMove, type Move } from '../../../test/platform-imports.ts'

const SUBSCRIPTION = 'next_payment canceled_at amount_per_cycle currency total_gross is_elsewhere'
const PAYMENT = 'type gross tax refunded_gross refunded_tax currency processed_at'

async function exact({ id, row, rowsOf }: Move): Promise<void> {
  const license = (n: number, columns: string) => row('licenses', id('licenses', n), columns)
  const first = await license(1, 'quota activated expiration is_cancelled')
  assert.equal(first, '1 | 1 | 2027-01-31 10:00:00 | false')
  assert.equal(await license(2, 'expiration is_cancelled'), '2026-02-10 10:00:00 | true')
  // The second customer has the address of the first in capitals.
  const third = await license(3, 'quota expiration activated_local user_id')
  assert.equal(third, `null | null | 1 | ${id('customers', 1)}`)
  const installs = await rowsOf('installs')
  assert.deepEqual(installs.map((one) => `${one['url']} ${one['counted_as']} ${one['title']}`).toSorted(), [
    'http://localhost:8080 local null',
    'https://shop.bo-buyer.com/ production null',
    "null production Bo's MacBook",
  ])
  const price = await row('pricing', id('pricing', 11), 'annual_price lifetime_price licenses currency')
  assert.equal(price, '4900 | null | 1 | usd')
  assert.equal(
    await row('subscriptions', id('subscriptions', 1), SUBSCRIPTION),
    '2027-01-31 10:00:00 | null | 4900 | usd | 11662 | true',
  )
  assert.equal(
    await row('subscriptions', id('subscriptions', 2), SUBSCRIPTION),
    'null | 2025-06-01 12:00:00 | 4900 | gbp | 0 | true',
  )
  // A part that was given back has its share of the tax.
  const paid = id('payments', 2)
  assert.equal(
    await row('payments', paid, PAYMENT),
    'payment | 2900 | 551 | 840 | 160 | eur | 2025-02-10 10:00:00',
  )
  assert.equal(
    await row('payments', id('refunds', paid), PAYMENT),
    'refund | -840 | -160 | 0 | 0 | eur | 2025-02-12 08:30:00',
  )
  const renewal = await row('payments', id('renewals', 3), 'is_renewal gross tax subscription_id')
  assert.equal(renewal, `true | 4900 | 931 | ${id('subscriptions', 1)}`)
}

testMove('lemon-squeezy', {
  left: [
    'license-keys.json 4 licenses expiration impossible_time',
    'license-keys.json 5 licenses is_cancelled unknown_state',
    'orders.json 3 payments currency unknown_currency',
    'orders.json 6 payments - unknown_state',
    'license-key-instances.json 5 installs license_id unknown_reference',
  ],
  aside: [
    'pricing no_fixed_price 1',
    'coupons limited_to_products 1',
    'payments not_paid 1',
    'payments is_order 2',
  ],
  exact,
  change: ['license-keys.json', '"expires_at": "2027-01-31T10', '"expires_at": "2028-01-31T10'],
  changed: async ({ id, row }) =>
    assert.equal(await row('licenses', id('licenses', 1), 'expiration'), '2028-01-31 10:00:00'),
  keys: async ({ id, activate, row, rowsOf }) => {
    const product = id('products', 1)
    const lifetime = 'b1947534-7ff8-4e4a-b4a8-c2f0b5a3a9d1'
    assert.equal(await activate(product, lifetime, 'https://new.bo-buyer.com'), '200')
    const full = '80e15db5-c796-436b-850c-8f9c98a48abe'
    assert.equal(await activate(product, full, 'https://new.bo-buyer.com'), '400 license_utilized')
    // A site that was active there keeps its place when its program asks here, with a uid of its own.
    assert.equal(await activate(product, full, 'https://shop.bo-buyer.com'), '200')
    const columns = 'activated activated_local'
    assert.equal(await row('licenses', id('licenses', 1), columns), '1 | 0')
    const sites = (await rowsOf('installs')).filter((one) => one['license_id'] === id('licenses', 1))
    assert.deepEqual(
      sites.map(({ uid }) => String(uid).startsWith('moved:')),
      [false],
    )
    assert.equal(await activate(product, full, 'https://new.bo-buyer.com'), '400 license_utilized')
    const disabled = 'f90ec370-fd83-46a5-8bbd-44a241e78665'
    assert.equal(
      await activate(id('products', 2), disabled, 'https://new.bo-buyer.com'),
      '400 license_cancelled',
    )
  },
})

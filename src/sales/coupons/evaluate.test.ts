import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { CURRENCIES } from '../../lib/money.ts'
import type { UtcTime } from '../../lib/time.ts'
import {
  amountOff,
  asksOfPast,
  evaluate,
  refusalOfBuyer,
  type Buyer,
  type Candidate,
  type Purchase,
} from './evaluate.ts'

const time = (text: string) => text as UtcTime

const candidate = (more: Partial<Candidate> = {}): Candidate => ({
  id: 1,
  product_id: 7,
  discount_type: 'percentage',
  discount: 50,
  discount_eur: null,
  discount_gbp: null,
  plans: null,
  licenses: null,
  billing_cycles: null,
  user_type: 'all',
  start_date: time('2026-01-01 00:00:00'),
  end_date: time('2026-02-01 00:00:00'),
  redemptions: 0,
  sandbox_redemptions: 0,
  redemptions_limit: null,
  has_addons_discount: false,
  is_one_per_user: false,
  is_active: true,
  ...more,
})

const stranger: Buyer = { hasBought: false, hasSubscription: false, isMigrated: false, redeemed: new Set() }
const buyer = (more: Partial<Buyer>) => ({ buyer: { ...stranger, ...more } })

const purchase = (more: Partial<Purchase> = {}): Purchase => ({
  now: time('2026-01-15 12:00:00'),
  environment: 0,
  productId: 7,
  isAddon: false,
  planId: 3,
  quota: 5,
  billingCycle: 12,
  currency: 'usd',
  price: 9999,
  buyer: stranger,
  ...more,
})

const reasonOf = (coupons: Candidate | readonly Candidate[], bought = purchase()) => {
  const result = evaluate([coupons].flat(), bought)
  return result.applies ? null : result.reason
}

test('every check refuses with its reason, in the order of the checks', () => {
  const failing: readonly (readonly [Partial<Candidate>, string])[] = [
    [{ is_active: false }, 'coupon_inactive'],
    [{ start_date: time('2026-01-15 12:00:01') }, 'coupon_not_started'],
    [{ end_date: time('2026-01-15 12:00:00') }, 'coupon_expired'],
    [{ redemptions: 3, redemptions_limit: 3 }, 'coupon_used_up'],
    [{ plans: '1,2,30' }, 'coupon_not_applicable'],
    [{ licenses: '0,1,55' }, 'coupon_not_applicable'],
    [{ billing_cycles: '0,1' }, 'coupon_not_applicable'],
    [{ user_type: 'customer' }, 'coupon_not_applicable'],
    [{ is_one_per_user: true }, 'coupon_already_used'],
  ]
  const bought = purchase(buyer({ redeemed: new Set([1]) }))
  assert.equal(reasonOf([]), 'coupon_not_found')
  for (const [index, [more, reason]] of failing.entries()) {
    assert.equal(reasonOf(candidate(more), bought), reason)
    const laterToo = Object.assign(
      {},
      ...failing
        .slice(index)
        .map(([one]) => one)
        .toReversed(),
    ) as Partial<Candidate>
    assert.equal(reasonOf(candidate(laterToo), bought), reason)
  }
  assert.equal(reasonOf(candidate(), bought), null)
})

test('a coupon is valid from its start and until the second before its end', () => {
  assert.equal(reasonOf(candidate({ start_date: time('2026-01-15 12:00:00') })), null)
  assert.equal(reasonOf(candidate({ end_date: time('2026-01-15 12:00:01') })), null)
})

test('plans, quotas and cycles are in their list; 0 is unlimited and lifetime', () => {
  assert.equal(reasonOf(candidate({ plans: '1,3' })), null)
  assert.equal(reasonOf(candidate({ licenses: '5' })), null)
  assert.equal(reasonOf(candidate({ licenses: '0' }), purchase({ quota: null })), null)
  assert.equal(reasonOf(candidate({ licenses: '1,5' }), purchase({ quota: null })), 'coupon_not_applicable')
  assert.equal(reasonOf(candidate({ billing_cycles: '0' }), purchase({ billingCycle: 0 })), null)
  assert.equal(
    reasonOf(candidate({ billing_cycles: '12' }), purchase({ billingCycle: 1 })),
    'coupon_not_applicable',
  )
})

test("an add-on is discounted by its own coupon, and by its parent's or store's only where that says so", () => {
  const addon = purchase({ isAddon: true, productId: 8 })
  assert.equal(reasonOf(candidate({ product_id: 8 }), addon), null)
  for (const product_id of [7, null]) {
    assert.equal(reasonOf(candidate({ product_id }), addon), 'coupon_not_applicable')
    assert.equal(reasonOf(candidate({ product_id, has_addons_discount: true }), addon), null)
  }
})

test('every kind of user is who the interface says', () => {
  const kinds: readonly (readonly [Partial<Buyer>, readonly Candidate['user_type'][]])[] = [
    [{}, ['all', 'new']],
    [{ hasBought: true }, ['all', 'previous', 'customer']],
    [{ hasBought: true, hasSubscription: true }, ['all', 'current', 'previous', 'customer']],
    [{ isMigrated: true }, ['all', 'migrated']],
    [{ isMigrated: true, hasSubscription: true }, ['all', 'current', 'customer', 'migrated']],
    [{ isMigrated: true, hasBought: true }, ['all', 'previous', 'customer']],
  ]
  const types = ['all', 'new', 'current', 'previous', 'customer', 'migrated'] as const
  for (const [kind, fitting] of kinds) {
    const found = types.filter(
      (user_type) => reasonOf(candidate({ user_type }), purchase(buyer(kind))) === null,
    )
    assert.deepEqual(found.toSorted(), fitting.toSorted(), JSON.stringify(kind))
  }
})

test('of two coupons with one code the first that applies wins, the second where only that applies', () => {
  const [first, second] = [
    candidate({ id: 1, plans: '4', discount: 10 }),
    candidate({ id: 2, plans: '3', discount: 20 }),
  ]
  const only = evaluate([first, second], purchase({ price: 1000 }))
  assert.deepEqual(only, { applies: true, coupon: second, amountOff: 200 })
  const both = evaluate([{ ...first, plans: null }, second], purchase({ price: 1000 }))
  assert.equal(both.applies && both.coupon.id, 1)
})

test('when none applies, the reason is that of the one that got furthest', () => {
  const coupons = [
    candidate({ plans: '9' }),
    candidate({ is_active: false }),
    candidate({ redemptions_limit: 0 }),
  ]
  assert.equal(reasonOf(coupons), 'coupon_not_applicable')
  assert.equal(reasonOf(coupons.slice(1)), 'coupon_used_up')
  assert.equal(reasonOf(coupons.slice(1, 2)), 'coupon_inactive')
})

test('a percentage is rounded half up', () => {
  const off = (discount: number, price: number) => amountOff(candidate({ discount }), purchase({ price }))
  assert.equal(off(50, 1), 1)
  assert.equal(off(50, 3), 2)
  assert.equal(off(10, 4), 0)
  assert.equal(off(10, 5), 1)
  assert.equal(off(33, 9999), 3300)
  assert.equal(off(100, 9999), 9999)
  assert.equal(off(0, 9999), 0)
})

test('a percentage and a fixed amount in three currencies', () => {
  const fixed = candidate({ discount_type: 'dollar', discount: 2000, discount_eur: 1800, discount_gbp: null })
  const off = (coupon: Candidate, price: number) =>
    CURRENCIES.map((currency) => amountOff(coupon, { currency, price }))
  assert.deepEqual(off(candidate({ discount: 25 }), 9999), [2500, 2500, 2500])
  assert.deepEqual(off(fixed, 9999), [2000, 1800, 2000])
  assert.deepEqual(off(fixed, 1900), [1900, 1800, 1900])
})

const amount = fc.integer({ min: 0, max: 1_000_000_000 })
const discounted = fc
  .record({
    discount_type: fc.constantFrom('dollar' as const, 'percentage' as const),
    percent: fc.integer({ min: 0, max: 100 }),
    dollars: amount,
    discount_eur: fc.option(amount),
    discount_gbp: fc.option(amount),
  })
  .map(({ percent, dollars, ...rest }) =>
    candidate({ ...rest, discount: rest.discount_type === 'percentage' ? percent : dollars }),
  )
const currency = fc.constantFrom(...CURRENCIES)

test('what is taken off is a whole number, never negative and never above the price', () => {
  fc.assert(
    fc.property(discounted, currency, amount, (coupon, paid, price) => {
      const off = amountOff(coupon, { currency: paid, price })
      assert.ok(Number.isSafeInteger(off) && !Object.is(off, -0))
      assert.ok(off >= 0 && off <= price)
    }),
  )
})

test('a higher price is never lower after the discount, nor discounted by less', () => {
  fc.assert(
    fc.property(discounted, currency, amount, amount, (coupon, paid, one, other) => {
      const [low, high] = [Math.min(one, other), Math.max(one, other)]
      const off = (price: number) => amountOff(coupon, { currency: paid, price })
      assert.ok(low - off(low) <= high - off(high))
      assert.ok(off(low) <= off(high))
    }),
  )
})

test('a higher percentage takes off no less', () => {
  const percent = fc.integer({ min: 0, max: 100 })
  fc.assert(
    fc.property(percent, percent, amount, (one, other, price) => {
      const off = (discount: number) => amountOff(candidate({ discount }), purchase({ price }))
      assert.ok(off(Math.min(one, other)) <= off(Math.max(one, other)))
    }),
  )
})

test('whatever candidates there are, the answer is the first that applies alone', () => {
  const some = fc.array(fc.record({ is_active: fc.boolean(), plans: fc.constantFrom(null, '3', '4') }), {
    maxLength: 5,
  })
  fc.assert(
    fc.property(some, (mores) => {
      const coupons = mores.map((more, id) => candidate({ ...more, id }))
      const expected = coupons.find((coupon) => evaluate([coupon], purchase()).applies)
      const result = evaluate(coupons, purchase())
      assert.equal(result.applies ? result.coupon : undefined, expected)
    }),
  )
})

const USERS = ['all', 'new', 'current', 'previous', 'customer', 'migrated'] as const
const anyBuyer = fc.record({
  hasBought: fc.boolean(),
  hasSubscription: fc.boolean(),
  isMigrated: fc.boolean(),
  redeemed: fc.constantFrom(new Set<number>(), new Set([1])),
})

test('what a coupon asks of the past is asked of who has proven nothing as it is paid, and by the same rules', () => {
  const rules = fc.record({ user_type: fc.constantFrom(...USERS), is_one_per_user: fc.boolean() })
  fc.assert(
    fc.property(rules, anyBuyer, (asked, past) => {
      const coupon = candidate(asked)
      const asPaid = refusalOfBuyer(coupon, past)
      assert.equal(reasonOf(coupon, purchase({ buyer: past })), asPaid)
      assert.equal(reasonOf(coupon, purchase({ buyer: null })), null)
      assert.ok(asPaid === null || asksOfPast(coupon), 'nobody asks as it is paid')
    }),
  )
})

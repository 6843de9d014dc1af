import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { postingsOf, type Entry, type Posting } from '../src/sales/ledger/ledger.ts'
import { quoteFirstPayment } from '../src/sales/quotes/quote.ts'
import {
  leftOf,
  raiseOf,
  splitDispute,
  splitRefund,
  totalOf,
  type PaidParts,
} from '../src/sales/refunds/refunds.ts'
import { amounts, coupons, currencies, taxRates } from './money-cases.ts'

const NOTHING_LOST = { lostGross: 0, lostTax: 0 }
const sum = (postings: readonly Posting[]) => postings.reduce((total, { amount }) => total + amount, 0)

/** What lies on each account after some entries. */
function balances(entries: readonly Entry[]): Record<string, number> {
  const all: Record<string, number> = {}
  for (const { account, amount } of entries.flatMap(postingsOf)) all[account] = (all[account] ?? 0) + amount
  return all
}

interface First {
  readonly gateway: string | null
  readonly gross: number
  readonly tax: number
  readonly fee: number
}

interface Then {
  readonly refunds: readonly number[]
  readonly dispute: 'none' | 'open' | 'won' | 'lost'
  readonly disputeFee: number
}

/** What a first payment comes to: price less proration, less coupon, plus tax. */
const paid: fc.Arbitrary<First> = fc
  .record({
    gateway: fc.constantFrom('stripe', 'paypal', 'test', null),
    fee: fc.integer({ min: 0, max: 5_000_000 }),
    currency: currencies,
    price: amounts,
    credit: amounts,
    coupon: coupons,
    taxRate: taxRates,
  })
  .map(({ gateway, fee, coupon, ...sale }) => {
    const { gross, tax } = quoteFirstPayment({ ...sale, coupon: coupon?.(sale.currency) ?? null })
    return { gateway, fee, gross, tax }
  })

/** Whole per mille of what is left that each refund takes; then whether what remains is disputed, and how it ends. */
const after: fc.Arbitrary<Then> = fc.record({
  refunds: fc.array(fc.integer({ min: 1, max: 1_000 }), { maxLength: 5 }),
  dispute: fc.constantFrom('none', 'open', 'won', 'lost'),
  disputeFee: fc.integer({ min: 0, max: 1_500 }),
})

/** A payment and what becomes of it, as the flows write it. */
function lifeOf(first: First, then: Then) {
  const { gateway } = first
  const entries: Entry[] = [{ type: 'payment', ...first, ...NOTHING_LOST }]
  let left = { gross: first.gross, tax: first.tax }
  for (const part of then.refunds) {
    const amount = Math.floor(((left.gross + left.tax) * part) / 1_000)
    if (amount === 0) continue
    const given = splitRefund(left, amount)
    left = { gross: left.gross - given.gross, tax: left.tax - given.tax }
    entries.push({ type: 'refund', gateway, gross: -given.gross, tax: -given.tax, fee: 0, ...NOTHING_LOST })
  }
  const { dispute, disputeFee: fee } = then
  if (dispute === 'none') return { entries, left }
  entries.push({ type: 'disputed', gateway, gross: -left.gross, tax: -left.tax, fee, ...NOTHING_LOST })
  if (dispute === 'won') entries.push({ type: 'won_dispute', gateway, ...left, fee: 0, ...NOTHING_LOST })
  if (dispute === 'lost') {
    const lost = { lostGross: left.gross, lostTax: left.tax }
    entries.push({ type: 'lost_dispute', gateway, gross: 0, tax: 0, fee: 0, ...lost })
  }
  return { entries, left: dispute === 'won' ? left : { gross: 0, tax: 0 } }
}

interface Disputed {
  /** Whole per mille of what is left that each refund takes, and whether it fails after the dispute. */
  readonly refunds: readonly { readonly part: number; readonly fails: boolean }[]
  /** Whole per mille of the payment. */
  readonly disputed: number
}

const disputes: fc.Arbitrary<Disputed> = fc.record({
  refunds: fc.array(fc.record({ part: fc.integer({ min: 1, max: 1_000 }), fails: fc.boolean() }), {
    maxLength: 8,
  }),
  disputed: fc.integer({ min: 1, max: 1_000 }),
})

/** A few cents as well, where rounding counts for most. */
const disputable: fc.Arbitrary<PaidParts> = fc.oneof(
  paid.map(({ gross, tax }) => ({ gross, tax })),
  fc.record({ gross: fc.integer({ min: 0, max: 200 }), tax: fc.integer({ min: 0, max: 50 }) }),
)

const plus = (one: PaidParts, other: PaidParts): PaidParts => ({
  gross: one.gross + other.gross,
  tax: one.tax + other.tax,
})

/** What of a payment stands in the books as disputed, at once and after each refund that fails. */
function bookedOf(first: PaidParts, { refunds, disputed }: Disputed) {
  let left = first
  const failing: PaidParts[] = []
  for (const { part, fails } of refunds) {
    const amount = Math.floor((totalOf(left) * part) / 1_000)
    if (amount === 0) continue
    const given = splitRefund(left, amount)
    left = leftOf(left, [given])
    if (fails) failing.push(given)
  }
  const minor = Math.floor((totalOf(first) * disputed) / 1_000)
  const raises = [splitDispute(left, minor)]
  let booked = raises[0] ?? first
  left = leftOf(left, [booked])
  for (const failed of failing) {
    left = plus(left, failed)
    const more = raiseOf(left, booked, minor - totalOf(booked))
    left = leftOf(left, [more])
    booked = plus(booked, more)
    raises.push(more)
  }
  return { minor, raises, booked, left }
}

/**
 * Proves that the books balance whatever is sold, given back and disputed, with so many cases
 * (`docs/security-checks.md` R10).
 */
export function proveLedger(cases: number): void {
  test(`whatever is paid, refunded and disputed, every entry adds up to 0 (${cases} cases)`, () => {
    fc.assert(
      fc.property(paid, after, (first, then) => {
        const { entries } = lifeOf(first, then)
        for (const entry of entries) assert.equal(sum(postingsOf(entry)), 0)
      }),
      { numRuns: cases },
    )
  })

  test(`what was earned and owed in tax is what is left of the payment (${cases} cases)`, () => {
    fc.assert(
      fc.property(paid, after, (first, then) => {
        const { entries, left } = lifeOf(first, then)
        const { revenue = 0, refunds = 0, disputes = 0, tax = 0 } = balances(entries)
        if (then.dispute === 'open') {
          const refunded = { gross: refunds, tax: first.tax + tax }
          assert.equal(disputes, first.gross + first.tax - refunded.gross - refunded.tax)
          return
        }
        assert.equal(0 - (revenue + refunds), left.gross)
        assert.equal(0 - tax, left.tax)
        assert.equal(disputes, 0)
      }),
      { numRuns: cases },
    )
  })

  test(`whatever fails of what was refunded, a dispute takes as much as there is, and gives no part back (${cases} cases)`, () => {
    fc.assert(
      fc.property(disputable, disputes, (first, story) => {
        const { minor, raises, booked, left } = bookedOf(first, story)
        for (const { gross, tax } of [...raises, left]) assert.ok(gross >= 0 && tax >= 0)
        assert.equal(totalOf(booked), Math.min(minor, totalOf(plus(booked, left))))
      }),
      { numRuns: cases },
    )
  })
}

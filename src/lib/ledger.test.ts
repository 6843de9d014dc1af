import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { postingsOf, type Entry, type Posting } from './ledger.ts'
import { splitRefund } from './refunds.ts'

const CASES = 20_000
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

const paid: fc.Arbitrary<First> = fc.record({
  gateway: fc.constantFrom('stripe', 'paypal', 'test', null),
  gross: fc.integer({ min: 0, max: 100_000_000 }),
  tax: fc.integer({ min: 0, max: 30_000_000 }),
  fee: fc.integer({ min: 0, max: 5_000_000 }),
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

test(`whatever is paid, refunded and disputed, every entry adds up to 0 (${CASES} cases)`, () => {
  fc.assert(
    fc.property(paid, after, (first, then) => {
      const { entries } = lifeOf(first, then)
      for (const entry of entries) assert.equal(sum(postingsOf(entry)), 0)
    }),
    { numRuns: CASES },
  )
})

test(`what was earned and owed in tax is what is left of the payment (${CASES} cases)`, () => {
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
    { numRuns: CASES },
  )
})

test('a sale of 49.99 with 10.00 tax and a fee of 1.75 lies where it belongs', () => {
  const sale: Entry = {
    type: 'payment',
    gateway: 'stripe',
    gross: 4999,
    tax: 1000,
    fee: 175,
    ...NOTHING_LOST,
  }
  assert.deepEqual(postingsOf(sale), [
    { account: 'gateway:stripe', amount: 5824 },
    { account: 'gateway_fees', amount: 175 },
    { account: 'revenue', amount: -4999 },
    { account: 'tax', amount: -1000 },
  ])
})

test('what was paid elsewhere lies elsewhere, and what moves nothing has no postings', () => {
  const elsewhere: Entry = { type: 'payment', gateway: null, gross: 100, tax: 0, fee: 0, ...NOTHING_LOST }
  assert.deepEqual(postingsOf(elsewhere), [
    { account: 'elsewhere', amount: 100 },
    { account: 'revenue', amount: -100 },
  ])
  assert.deepEqual(postingsOf({ ...elsewhere, gross: 0 }), [])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { portion } from '../../lib/portions.ts'
import { fixedOff, percentageOff, quoteFirstPayment, quoteRenewal } from './quote.ts'

const VAT = 255_000

test('a first payment is the list price, less the credit, less the coupon on what remains, plus tax', () => {
  const quote = quoteFirstPayment({
    currency: 'eur',
    price: 10_000,
    credit: 2_501,
    coupon: percentageOff(5_000),
    taxRate: VAT,
  })
  assert.deepEqual(quote, {
    currency: 'eur',
    lines: [
      { kind: 'price', amount: 10_000 },
      { kind: 'proration', amount: -2_501 },
      { kind: 'coupon', amount: -3_750 },
      { kind: 'tax', amount: 956 },
    ],
    gross: 3_749,
    tax: 956,
    total: 4_705,
  })
})

test('credit and coupon together never take off more than the price', () => {
  const terms = { currency: 'usd', price: 4_900, taxRate: VAT } as const
  const surplus = quoteFirstPayment({ ...terms, credit: 9_900, coupon: fixedOff(1_000) })
  assert.deepEqual(surplus.lines, [
    { kind: 'price', amount: 4_900 },
    { kind: 'proration', amount: -4_900 },
    { kind: 'tax', amount: 0 },
  ])
  const coupon = quoteFirstPayment({ ...terms, credit: 4_000, coupon: fixedOff(1_000) })
  assert.deepEqual([coupon.gross, coupon.tax, coupon.total], [0, 0, 0])
  const careless = quoteFirstPayment({ ...terms, credit: 0, coupon: () => 5_000 })
  assert.deepEqual([careless.gross, careless.total], [0, 0])
  assert.equal(percentageOff(15_000)(4_900), 4_900)
})

test('a coupon of 100 % leaves nothing to charge', () => {
  const quote = quoteFirstPayment({
    currency: 'gbp',
    price: 9_999,
    credit: 0,
    coupon: percentageOff(10_000),
    taxRate: VAT,
  })
  assert.deepEqual([quote.gross, quote.tax, quote.total], [0, 0, 0])
})

test('a renewal is the amount of the subscription, less its discount, less the coupon, plus tax', () => {
  const quote = quoteRenewal({
    currency: 'usd',
    amountPerCycle: 9_999,
    renewalsDiscount: percentageOff(1_250),
    coupon: fixedOff(500),
    taxRate: 190_000,
  })
  assert.deepEqual(quote.lines, [
    { kind: 'price', amount: 9_999 },
    { kind: 'renewals_discount', amount: -1_250 },
    { kind: 'coupon', amount: -500 },
    { kind: 'tax', amount: 1_567 },
  ])
  assert.equal(quote.total, 9_816)
})

test('percentages and tax are rounded half up', () => {
  assert.deepEqual([1, 2, 3].map(percentageOff(5_000)), [1, 1, 2])
  assert.deepEqual([1, 5, 399].map(percentageOff(1_000)), [0, 1, 40])
  const taxOf = (price: number) =>
    quoteFirstPayment({ currency: 'usd', price, credit: 0, coupon: null, taxRate: 200_000 }).tax
  assert.deepEqual([2, 3, 7, 8].map(taxOf), [0, 1, 1, 2])
})

test('the highest price and rate are counted exactly', () => {
  const quote = quoteFirstPayment({
    currency: 'usd',
    price: 1_000_000_000,
    credit: 0,
    coupon: null,
    taxRate: 999_999,
  })
  assert.deepEqual([quote.tax, quote.total], [999_999_000, 1_999_999_000])
  assert.equal(portion(2 ** 53 - 1, 1, 1), 2 ** 53 - 1)
  assert.throws(() => portion(2 ** 53 - 1, 2, 1), RangeError)
})

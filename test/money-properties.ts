import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ApiError } from '../src/lib/errors.ts'
import { toDecimal, toMinor } from '../src/lib/money.ts'
import { portion, split } from '../src/lib/portions.ts'
import { prorationOf } from '../src/sales/quotes/proration.ts'
import {
  fixedOff,
  MILLION,
  percentageOff,
  quoteFirstPayment,
  quoteRenewal,
  type Quote,
} from '../src/sales/quotes/quote.ts'
import { leftOf, splitRefund, type PaidParts } from '../src/sales/refunds/refunds.ts'
import { fromUtcTime, SECOND, toUtcTime, type UtcTime } from '../src/lib/time.ts'
import {
  amounts,
  couponOff,
  coupons,
  currencies,
  periods,
  renewalsDiscounts,
  taxRates,
} from './money-cases.ts'

const isAmount = (value: number) => Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0)
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

const firstPayments = fc
  .record({ currency: currencies, price: amounts, credit: amounts, coupon: coupons, taxRate: taxRates })
  .map(({ coupon, ...rest }) => ({ ...rest, coupon: coupon?.(rest.currency) ?? null }))

const renewals = fc
  .record({
    currency: currencies,
    amountPerCycle: amounts,
    renewalsDiscount: renewalsDiscounts,
    coupon: coupons,
    taxRate: taxRates,
  })
  .map(({ coupon, ...rest }) => ({ ...rest, coupon: coupon?.(rest.currency) ?? null }))

/** What holds for every quote, whatever it is for. */
function isWhole(quote: Quote, price: number, taxRate: number): void {
  const { lines, gross, tax, total } = quote
  assert.ok([gross, tax, total].every(isAmount))
  assert.ok(lines.every(({ amount }) => Number.isSafeInteger(amount) && !Object.is(amount, -0)))
  assert.equal(sum(lines.map(({ amount }) => amount)), total)
  assert.equal(gross + tax, total)
  assert.deepEqual(lines.at(0), { kind: 'price', amount: price })
  assert.deepEqual(lines.at(-1), { kind: 'tax', amount: tax })
  assert.ok(lines.slice(1, -1).every(({ amount }) => amount < 0))
  assert.ok(Math.abs(tax - (gross * taxRate) / MILLION) <= 0.5 + 1e-6)
  assert.ok([gross, tax, total].every((amount) => toMinor(toDecimal(amount)) === amount))
}

type Prove = <T>(values: fc.Arbitrary<T>, rule: (value: T) => void) => void

/**
 * Proves what the pure functions of money promise, with so many cases for each rule (`docs/security-checks.md` R10).
 */
export function proveMoney(cases: number): void {
  const prove: Prove = (values, rule) => fc.assert(fc.property(values, rule), { numRuns: cases })
  proveParts(prove)
  proveQuotes(prove)
  proveCredit(prove)
  proveRefunds(prove)
}

function proveParts(prove: Prove): void {
  test('a portion is the exact one, rounded half up', () => {
    prove(fc.tuple(amounts, amounts, amounts), ([amount, part, more]) => {
      const whole = BigInt(part) + BigInt(more) + 1n
      const exact = 2n * BigInt(amount) * BigInt(part)
      const rounded = 2n * whole * BigInt(portion(amount, part, Number(whole)))
      assert.ok(rounded - exact <= whole && exact - rounded < whole)
    })
  })

  test('the parts of a split add up to the whole, each its exact share rounded down or up', () => {
    prove(fc.tuple(amounts, fc.array(amounts, { minLength: 1, maxLength: 6 })), ([amount, weights]) => {
      const all = sum(weights)
      if (all === 0) return
      const parts = split(amount, weights)
      assert.ok(parts.every(isAmount))
      assert.equal(sum(parts), amount)
      for (const [index, part] of parts.entries()) {
        const exact = BigInt(amount) * BigInt(weights[index] ?? 0)
        const off = BigInt(part) * BigInt(all) - exact
        assert.ok(off < BigInt(all) && -off < BigInt(all))
        if (amount <= all) assert.ok(part <= (weights[index] ?? 0))
      }
    })
  })
}

function proveQuotes(prove: Prove): void {
  test('the lines of a first payment add up to what is charged, none of it negative', () => {
    prove(firstPayments, (payment) => {
      const quote = quoteFirstPayment(payment)
      isWhole(quote, payment.price, payment.taxRate)
      const afterCredit = Math.max(0, payment.price - payment.credit)
      assert.equal(quote.gross, afterCredit - (payment.coupon?.(afterCredit) ?? 0))
    })
  })

  test('the lines of a renewal add up to what is charged, none of it negative', () => {
    prove(renewals, (renewal) => {
      const quote = quoteRenewal(renewal)
      isWhole(quote, renewal.amountPerCycle, renewal.taxRate)
      const discounted = renewal.amountPerCycle - (renewal.renewalsDiscount?.(renewal.amountPerCycle) ?? 0)
      assert.equal(quote.gross, discounted - (renewal.coupon?.(discounted) ?? 0))
    })
  })

  test('a coupon takes off what the same percentage or amount does anywhere else', () => {
    prove(fc.tuple(fc.nat(100), amounts, amounts, currencies), ([percent, minor, price, currency]) => {
      const off = (more: Parameters<typeof couponOff>[0]) => couponOff(more)(currency)(price)
      assert.equal(
        off({ discount_type: 'percentage', discount: percent }),
        percentageOff(percent * 100)(price),
      )
      assert.equal(off({ discount_type: 'dollar', discount: minor }), fixedOff(minor)(price))
    })
  })

  test('more credit, and the same with less to pay, never costs more', () => {
    prove(fc.tuple(firstPayments, amounts), ([payment, more]) => {
      const { total } = quoteFirstPayment(payment)
      assert.ok(quoteFirstPayment({ ...payment, credit: payment.credit + more }).total <= total)
      assert.ok(quoteFirstPayment({ ...payment, price: payment.price + more }).total >= total)
    })
  })
}

function proveCredit(prove: Prove): void {
  test('the credit of a period is within what was paid, all of it at the start, none after the end', () => {
    prove(fc.tuple(amounts, periods), ([paid, { from, to, now }]) => {
      const { credit } = prorationOf({ paid, from, to }, { now, isLifetime: false })
      assert.ok(isAmount(credit) && credit <= paid)
      if (now <= from) assert.equal(credit, paid)
      if (now >= to) assert.equal(credit, 0)
    })
  })

  test('the credit of a period never grows with time', () => {
    prove(fc.tuple(amounts, periods, amounts), ([paid, { from, to, now }, seconds]) => {
      const creditAt = (time: UtcTime) =>
        prorationOf({ paid, from, to }, { now: time, isLifetime: false }).credit
      const later = toUtcTime(fromUtcTime(now) + seconds * SECOND)
      assert.ok(creditAt(later) <= creditAt(now))
    })
  })
}

function proveRefunds(prove: Prove): void {
  test('refunds add up to the payment to the unit, never exceed it, and no part of one is negative', () => {
    prove(fc.tuple(firstPayments, fc.array(amounts, { maxLength: 6 })), ([payment, wanted]) => {
      const paid = quoteFirstPayment(payment)
      const refunds: PaidParts[] = []
      for (const wish of [...wanted, null]) {
        const left = leftOf(paid, refunds)
        const refund = refundSome(left, wish)
        if (refund === null) break
        refunds.push(refund)
        const after = leftOf(paid, refunds)
        assert.ok(isAmount(after.gross) && isAmount(after.tax))
      }
      assert.deepEqual(leftOf(paid, refunds), { gross: 0, tax: 0 })
    })
  })
}

/** A refund of some of what is left, or of all of it without a wish; null when nothing is left. */
function refundSome(left: PaidParts, wish: number | null): PaidParts | null {
  const all = left.gross + left.tax
  assert.throws(() => splitRefund(left, all + 1), ApiError)
  assert.throws(() => splitRefund(left, 0), ApiError)
  if (all === 0) return null
  const amount = wish === null ? all : 1 + (wish % all)
  const refund = splitRefund(left, amount)
  assert.ok(isAmount(refund.gross) && isAmount(refund.tax))
  assert.equal(refund.gross + refund.tax, amount)
  return refund
}

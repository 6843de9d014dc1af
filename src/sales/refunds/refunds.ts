import { invalid } from '../../lib/errors.ts'
import { split } from '../../lib/portions.ts'

/** A payment or a refund of it; minor units, not negative. */
export interface PaidParts {
  /** Without tax. */
  readonly gross: number
  readonly tax: number
}

/** What is added to the id of a refund at its gateway for the row that takes it back, of which there is one. */
const FAILED = ':failed'

/** What names the row that takes back a refund that failed. */
export const failedIdOf = (refundId: string): string => `${refundId}${FAILED}`

/** The refund, by its id at its gateway, that a row is of or takes back. */
export const refundIdOf = (externalId: string): string =>
  externalId.endsWith(FAILED) ? externalId.slice(0, -FAILED.length) : externalId

/** What of a payment was not given back yet. */
export const leftOf = (paid: PaidParts, refunded: readonly PaidParts[]): PaidParts => ({
  gross: refunded.reduce((left, { gross }) => left - gross, paid.gross),
  tax: refunded.reduce((left, { tax }) => left - tax, paid.tax),
})

/** What of a payment was not given back yet, by its row. */
export const leftOfPayment = (
  payment: PaidParts & { readonly refunded_gross: number; readonly refunded_tax: number },
): PaidParts => leftOf(payment, [{ gross: payment.refunded_gross, tax: payment.refunded_tax }])

/** With tax, minor units. */
export const totalOf = ({ gross, tax }: PaidParts): number => gross + tax

const NOTHING_LEFT = 'Nothing is left of this payment to give back.'

/** 400 `refund_exceeds_payment`, where so many minor units are left of a payment. */
export const refundExceeds = (left: number) =>
  invalid(
    'refund_exceeds_payment',
    left === 0 ? NOTHING_LEFT : 'A refund cannot exceed what is left of its payment.',
    'amount',
  )

/**
 * How a refund of `amount` (minor units, with tax) is made up of what is left of its payment: in the same
 * shares, so that several refunds add up to the payment to the unit. 400 `invalid_refund_amount` when it is
 * nothing, `refund_exceeds_payment` when it is more than is left (`docs/decisions.md` 5.1).
 */
export function splitRefund(left: PaidParts, amount: number): PaidParts {
  const all = totalOf(left)
  if (amount <= 0) {
    const message = all === 0 ? NOTHING_LEFT : 'A refund must be more than 0.'
    throw invalid('invalid_refund_amount', message, 'amount')
  }
  if (amount > all) throw refundExceeds(all)
  const [tax = 0, gross = 0] = split(amount, [left.tax, left.gross])
  return { gross, tax }
}

/** How a dispute of `minor` is made up: of what is left of its payment where that is less. */
export function splitDispute(left: PaidParts, minor: number): PaidParts {
  const amount = Math.min(minor, totalOf(left))
  return amount === 0 ? { gross: 0, tax: 0 } : splitRefund(left, amount)
}

/**
 * What a dispute takes more of what is left now, of which `booked` stands in the books and `missing` was not left. The
 * whole is made up as if it had been left at once, as far as no part of what is booked is taken back for it.
 */
export function raiseOf(left: PaidParts, booked: PaidParts, missing: number): PaidParts {
  const more = Math.min(missing, totalOf(left))
  const all = { gross: left.gross + booked.gross, tax: left.tax + booked.tax }
  const whole = splitDispute(all, totalOf(booked) + more)
  const tax = Math.min(Math.max(whole.tax - booked.tax, 0), more)
  return { gross: more - tax, tax }
}

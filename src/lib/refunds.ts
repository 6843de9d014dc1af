import { invalid } from './errors.ts'
import { split } from './portions.ts'

/** A payment or a refund of it; minor units, not negative. */
export interface PaidParts {
  /** Without tax. */
  readonly gross: number
  readonly tax: number
}

/** What of a payment was not given back yet. */
export const leftOf = (paid: PaidParts, refunded: readonly PaidParts[]): PaidParts => ({
  gross: refunded.reduce((left, { gross }) => left - gross, paid.gross),
  tax: refunded.reduce((left, { tax }) => left - tax, paid.tax),
})

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
 * nothing, `refund_exceeds_payment` when it is more than is left (DECISIONS 5.1).
 */
export function splitRefund(left: PaidParts, amount: number): PaidParts {
  const all = left.gross + left.tax
  if (amount <= 0) {
    const message = all === 0 ? NOTHING_LEFT : 'A refund must be more than 0.'
    throw invalid('invalid_refund_amount', message, 'amount')
  }
  if (amount > all) throw refundExceeds(all)
  const [tax = 0, gross = 0] = split(amount, [left.tax, left.gross])
  return { gross, tax }
}

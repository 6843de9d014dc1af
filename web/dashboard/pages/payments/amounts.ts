import type { PaymentMoney } from '../../../../src/sales/ledger/schema.ts'
import type { Payment } from '../../../../src/sales/payments/schema.ts'

/** What was charged, with tax, in units of the currency; negative where money was given back. */
export const totalOf = ({ gross, vat }: Pick<Payment, 'gross' | 'vat'>): number => inCents(gross + vat)

/** Sums of decimals are no decimals of two digits by themselves. */
const inCents = (amount: number): number => Math.round(amount * 100) / 100

type Bound = PaymentMoney['bound']

const sumOf = (bound: Bound): number => inCents(0 - bound.reduce((sum, { amount }) => sum + amount, 0))

/** What was refunded of a payment, with tax; a refund that failed is taken back by another one. */
export const refundedOf = (bound: Bound): number => sumOf(bound.filter(({ type }) => type === 'refund'))

/** What a bank has taken of a payment and not brought back, with tax. */
export const takenOf = (bound: Bound): number => sumOf(bound.filter(({ type }) => type !== 'refund'))

/** How the dispute of a payment stands, of which there is one at most; null: there is none, or it was won. */
export function disputeOf(bound: Bound): 'open' | 'lost' | null {
  const has = (type: Bound[number]['type']) => bound.some((one) => one.type === type)
  if (has('lost_dispute')) return 'lost'
  return has('disputed') && !has('won_dispute') ? 'open' : null
}

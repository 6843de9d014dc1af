import type { Stripe } from 'stripe'

/**
 * What Stripe keeps, in minor units of the charge's currency. Balance transactions are in the currency that is
 * paid out; `exchange_rate` is what one unit of the charge's is in it. 0 while Stripe has not said.
 */
export function feeOf(transaction: Stripe.BalanceTransaction | string | null, currency: string): number {
  if (transaction === null || typeof transaction === 'string') return 0
  const { fee, currency: paidOut, exchange_rate: rate } = transaction
  return Math.max(0, paidOut === currency || !rate ? fee : Math.round(fee / rate))
}

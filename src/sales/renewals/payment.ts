import type { Paid } from '../../gateways/gateway.ts'
import { periodAfter } from '../../lib/periods.ts'
import type { UtcTime } from '../../lib/time.ts'
import type { Attempt } from './settle-renewal.ts'

/** Whether it pays the first period, after a trial. */
export const isFirst = ({ row, period }: Pick<Attempt, 'row' | 'period'>): boolean =>
  row.trial_ends === period

/** The end of the period that is paid, when the next is due; null: it is paid once, when its trial ends. */
export const endOfPaid = ({ row, period }: Pick<Attempt, 'row' | 'period'>): UtcTime | null =>
  row.billing_cycle === 0 && isFirst({ row, period })
    ? null
    : periodAfter(row.period_anchor, period, row.billing_cycle || 1)

/** What is written down of a renewal that was charged; null: nothing had to be. */
export const paymentOf = (
  { row, quote, tax, couponId, now, charge, period }: Attempt,
  paid: Paid | null,
) => ({
  user_id: row.user_id,
  install_id: null,
  subscription_id: row.id,
  plan_id: row.plan_id,
  pricing_id: row.pricing_id,
  license_id: row.license_id,
  coupon_id: couponId,
  bound_payment_id: null,
  payment_method_id: paid ? row.payment_method_id : null,
  type: 'payment' as const,
  gross: quote.gross,
  tax: quote.tax,
  tax_rate: tax.rate,
  tax_rule: tax.rule,
  isTaxProvisional: tax.isProvisional,
  region: row.region,
  gateway_fee: paid?.fee ?? 0,
  currency: row.currency,
  billing_cycle: row.billing_cycle,
  is_renewal: !isFirst({ row, period }),
  external_id: paid?.externalId ?? null,
  gateway: charge?.gateway ?? null,
  country_code: row.country_code,
  zip_postal_code: row.zip_postal_code,
  vat_id: row.vat_id,
  ip: null,
  source: row.source,
  environment: row.environment,
  refund_reason: null,
  processed_at: now,
})

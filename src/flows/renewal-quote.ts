import type { ReadContext } from '../context.ts'
import {
  fixedOff,
  keptDiscount,
  quoteFirstPayment,
  quoteRenewal,
  type Discount,
  type Quote,
} from '../lib/quote.ts'
import { amountOff } from '../resources/coupons/evaluate.ts'
import type { Tax, VatId } from '../lib/tax.ts'
import type { UtcTime } from '../lib/time.ts'
import type { SubscriptionRow } from '../resources/subscriptions/schema.ts'
import type { AboutRenewal } from './renewal-queries.ts'
import { taxOfSale } from './tax-of-sale.ts'

export interface RenewalQuote {
  readonly quote: Quote
  readonly tax: Pick<Tax, 'rate' | 'rule' | 'isProvisional'>
}

/** A subscription that is due, and what the check of its VAT id says now. */
export interface ToQuote {
  readonly row: SubscriptionRow
  readonly about: AboutRenewal
  readonly vatId: VatId | null
  /** On the clock of the subscription. */
  readonly now: UtcTime
}

/** Whether what a subscription is due for is its first payment, at the end of its trial. */
export const isFirstPayment = ({
  trial_ends: ends,
  next_payment: next,
}: Pick<SubscriptionRow, 'trial_ends' | 'next_payment'>): boolean => ends !== null && ends === next

/** What a renewal costs: the subscription's own amount, what is off it, and the tax of the day (DECISIONS 5.2). */
export async function quoteOf(ctx: ReadContext, due: ToQuote): Promise<RenewalQuote> {
  const { row, about } = due
  const tax = await taxOf(ctx, due)
  if (isFirstPayment(row)) {
    const { currency, amount_per_cycle: price } = row
    const terms = { currency, price, credit: 0, coupon: firstOff(row, about), taxRate: tax.rate }
    return { quote: quoteFirstPayment(terms), tax }
  }
  const quote = quoteRenewal({
    currency: row.currency,
    amountPerCycle: row.amount_per_cycle,
    renewalsDiscount: keptDiscount(row.renewals_discount, row.renewals_discount_type),
    coupon: couponOf(row, about),
    taxRate: tax.rate,
  })
  return { quote, tax }
}

/** Where nobody knows the buyer's place, the rate stays as it was. */
async function taxOf(
  ctx: ReadContext,
  { row, about, vatId, now: at }: ToQuote,
): Promise<Pick<Tax, 'rate' | 'rule' | 'isProvisional'>> {
  const { country_code: country, region, zip_postal_code: zip, tax_rate: rate } = row
  if (country === null)
    return { rate, rule: rate === 0 ? 'unregistered' : 'destination', isProvisional: false }
  const buyer = { country, region, zip, vatId }
  return taxOfSale(ctx, { developerId: about.developer_id }, { buyer, at })
}

/** What was off the first payment when the trial began, whatever has become of the coupon; or more, not to cancel. */
function firstOff(row: SubscriptionRow, about: AboutRenewal): Discount {
  const promised = Math.max(0, row.amount_per_cycle - row.initial_amount)
  const other = about.retention_off === null ? null : couponOf(row, about)
  return (price) => Math.min(price, Math.max(promised, other?.(price) ?? 0))
}

/** The coupon of the first payment, where it is for renewals too; or the one against cancelling, at the next one. */
export function couponOf({ currency }: SubscriptionRow, about: AboutRenewal): Discount | null {
  const { has_renewals_discount: isForRenewals, retention_off: off, discount, discount_type } = about
  if (isForRenewals !== 1) return off === null ? null : fixedOff(off)
  if (discount === null || discount_type === null) return null
  const { discount_eur, discount_gbp } = about
  return (price) => amountOff({ discount, discount_type, discount_eur, discount_gbp }, { price, currency })
}

/** What a subscription is without a coupon that was for one renewal; nothing where it had none. */
export function afterOneRenewal(
  row: SubscriptionRow,
  { has_renewals_discount: isForRenewals, retention_off: off }: AboutRenewal,
): Partial<Pick<SubscriptionRow, 'coupon_id' | 'renewal_amount'>> {
  if (off === null || isForRenewals === 1) return {}
  const { currency, amount_per_cycle: amountPerCycle } = row
  const discount = keptDiscount(row.renewals_discount, row.renewals_discount_type)
  const { gross } = quoteRenewal({
    currency,
    amountPerCycle,
    renewalsDiscount: discount,
    coupon: null,
    taxRate: 0,
  })
  return { coupon_id: null, renewal_amount: gross }
}

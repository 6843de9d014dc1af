import type { ReadContext } from '../../context.ts'
import {
  betterOff,
  fixedOff,
  keptDiscount,
  quoteFirstPayment,
  quoteRenewal,
  type Discount,
  type Quote,
} from '../quotes/quote.ts'
import { amountOff } from '../coupons/evaluate.ts'
import type { Currency } from '../../lib/money.ts'
import type { Tax, VatId } from '../taxes/tax.ts'
import type { UtcTime } from '../../lib/time.ts'
import type { SubscriptionRow } from '../subscriptions/schema.ts'
import type { AboutRenewal } from './renewal-rows.ts'
import { taxOfSale } from '../taxes/tax-of-sale.ts'

export interface RenewalQuote {
  readonly quote: Quote
  readonly tax: Pick<Tax, 'rate' | 'rule' | 'isProvisional'>
  /** The coupon of the subscription on which the price is; another one came after it. */
  readonly couponId: number | null
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

/**
 * What a renewal costs: the subscription's own amount, what is off it, and the tax of the day
 * (`docs/decisions.md` 5.2).
 */
export async function quoteOf(ctx: ReadContext, due: ToQuote): Promise<RenewalQuote> {
  const { row, about } = due
  const tax = await taxOf(ctx, due)
  const { coupon_id: couponId } = row
  if (isFirstPayment(row)) {
    const { currency, amount_per_cycle: price } = row
    const terms = { currency, price, credit: 0, coupon: firstOff(row, about), taxRate: tax.rate }
    return { quote: quoteFirstPayment(terms), tax, couponId }
  }
  return { quote: quoteWith(row, couponOf(row, about), tax.rate), tax, couponId }
}

/**
 * What the renewal after the one that is due costs: what was off a single one is used up by then; `taxRate` in parts of
 * a million.
 */
export const quoteAfterNext = ({ row, about }: Pick<ToQuote, 'row' | 'about'>, taxRate: number): Quote =>
  quoteWith(row, lastingOf(row, about), taxRate)

const quoteWith = (row: SubscriptionRow, coupon: Discount | null, taxRate: number): Quote =>
  quoteRenewal({
    currency: row.currency,
    amountPerCycle: row.amount_per_cycle,
    renewalsDiscount: keptDiscount(row.renewals_discount, row.renewals_discount_type),
    coupon,
    taxRate,
  })

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

/** What coupons take off the next renewal: of one against cancelling and the one that it replaced, the better one. */
export function couponOf(row: SubscriptionRow, about: AboutRenewal): Discount | null {
  const { has_renewals_discount: isForRenewals, retention_off: off } = about
  const lasting = lastingOf(row, about)
  return isForRenewals || off === null ? lasting : betterOff(fixedOff(off), lasting)
}

/** What coupons take off all renewals. */
export const lastingOf = (row: SubscriptionRow, about: AboutRenewal): Discount | null =>
  betterOff(offRenewals(row.currency, about), offRenewals(row.currency, replacedOf(about)))

/** The coupons that are off all renewals, the one that takes most off first. */
export function lastingCoupons(row: SubscriptionRow, about: AboutRenewal): number[] {
  const { coupon_id: id, replaced_coupon_id: replaced } = row
  const own = offRenewals(row.currency, about)
  const other = offRenewals(row.currency, replacedOf(about))
  const found = [own && id, other && replaced].filter((one) => one !== null)
  const isOtherBetter = untaxedRenewal(row, other) < untaxedRenewal(row, own)
  return isOtherBetter ? found.toReversed() : found
}

const replacedOf = (about: AboutRenewal): OfCoupon => ({
  has_renewals_discount: about.replaced_has_renewals_discount,
  discount: about.replaced_discount,
  discount_type: about.replaced_discount_type,
  discount_eur: about.replaced_discount_eur,
  discount_gbp: about.replaced_discount_gbp,
})

type OfCoupon = Pick<
  AboutRenewal,
  'has_renewals_discount' | 'discount' | 'discount_type' | 'discount_eur' | 'discount_gbp'
>

/** Null: there is no coupon, or it is for no renewals. */
function offRenewals(
  currency: Currency,
  { has_renewals_discount: isForRenewals, discount, discount_type, discount_eur, discount_gbp }: OfCoupon,
): Discount | null {
  if (!isForRenewals || discount === null || discount_type === null) return null
  return (price) => amountOff({ discount, discount_type, discount_eur, discount_gbp }, { price, currency })
}

/**
 * What a subscription is after a coupon that was for one renewal: with the one that it replaced. One that came after
 * the renewal was priced, and so was not off it, stays for the next (`docs/decisions.md` 5.18).
 */
export function afterOneRenewal(
  row: SubscriptionRow,
  about: AboutRenewal,
  { couponId }: Pick<RenewalQuote, 'couponId'>,
): Partial<Pick<SubscriptionRow, 'coupon_id' | 'replaced_coupon_id' | 'renewal_amount'>> {
  const { retention_off: off, has_renewals_discount: isForRenewals } = about
  if (off === null || isForRenewals || couponId !== row.coupon_id) return {}
  const renewal_amount = untaxedRenewal(row, lastingOf(row, about))
  return { coupon_id: row.replaced_coupon_id, replaced_coupon_id: null, renewal_amount }
}

/** What a renewal comes to without tax, minor units. */
export const untaxedRenewal = (row: SubscriptionRow, coupon: Discount | null): number =>
  quoteWith(row, coupon, 0).gross

/** What is due next comes to without tax, which may be the first payment after a trial. */
export const untaxedNext = (row: SubscriptionRow, about: AboutRenewal): number =>
  isFirstPayment(row)
    ? row.amount_per_cycle - firstOff(row, about)(row.amount_per_cycle)
    : untaxedRenewal(row, couponOf(row, about))

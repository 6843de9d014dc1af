import type { ReadContext } from '../context.ts'
import type { Scope } from '../http/scope.ts'
import { notFound } from '../lib/errors.ts'
import { fold } from '../lib/fold.ts'
import { addMonths } from '../lib/periods.ts'
import { keptDiscount, quoteFirstPayment, quoteRenewal, type Discount, type Quote } from '../lib/quote.ts'
import type { Tax } from '../lib/tax.ts'
import { toUtcTime, type UtcTime } from '../lib/time.ts'
import { buyerFacts, findOffer, type OfferRow } from '../resources/checkouts/queries.ts'
import type { CheckoutRow } from '../resources/checkouts/schema.ts'
import { amountOff, type CouponRefusal, type Evaluation } from '../resources/coupons/evaluate.ts'
import type { CouponRow } from '../resources/coupons/schema.ts'
import { evaluateCode } from '../resources/coupons/service.ts'
import { findProduct } from '../resources/products/queries.ts'
import { priceOf } from './checkout-offer.ts'
import { taxOfSale } from './tax-of-sale.ts'

/** Everything a checkout comes to at a moment. */
export interface Priced {
  readonly price: OfferRow
  readonly product: { readonly id: number; readonly title: string }
  /** Minor units. */
  readonly amountPerCycle: number
  readonly quote: Quote
  readonly tax: Tax
  readonly coupon: Evaluation<CouponRow> | null
  /** Null: it is paid once. */
  readonly renewal: { readonly at: UtcTime; readonly quote: Quote } | null
  /** Of renewals: hundredths of a percent, or minor units; 0: none. */
  readonly renewalsDiscount: { readonly discount: number; readonly type: 'percentage' | 'dollar' }
  readonly now: UtcTime
}

/**
 * What is charged now and at the first renewal, line by line (DECISIONS 5.2): the price, less the coupon where it
 * applies, plus the tax of the buyer's place. What a coupon does not apply to is told with its reason.
 */
export async function priceCheckout(ctx: ReadContext, scope: Scope, row: CheckoutRow): Promise<Priced> {
  const [product] = await findProduct(ctx.db, scope, {})
  const price = await findOffer(ctx.db, scope, row.pricing_id)
  const amountPerCycle = price && priceOf(price, row.billing_cycle)
  if (!product || !price || amountPerCycle === null || amountPerCycle === undefined)
    throw notFound('checkout')
  const now = toUtcTime(ctx.clock.of(row.product_id, row.environment))
  const coupon = await couponOf(ctx, scope, row, { price, amount: amountPerCycle, product, now })
  const tax = await taxOf(ctx, scope, row, now)
  const applied = coupon?.applies === true ? coupon.coupon : null
  const { currency } = price
  const discount: Discount | null = applied && ((amount) => amountOff(applied, { price: amount, currency }))
  const renewalsDiscount = renewalsDiscountOf(product, row)
  const quote = quoteFirstPayment({
    currency,
    price: amountPerCycle,
    credit: 0,
    coupon: discount,
    taxRate: tax.rate,
  })
  const renewal =
    row.billing_cycle === 0
      ? null
      : {
          at: addMonths(now, row.billing_cycle),
          quote: quoteRenewal({
            currency,
            amountPerCycle,
            renewalsDiscount: keptDiscount(renewalsDiscount.discount, renewalsDiscount.type),
            coupon: applied?.has_renewals_discount === 1 ? discount : null,
            taxRate: tax.rate,
          }),
        }
  return { price, product, amountPerCycle, quote, tax, coupon, renewal, renewalsDiscount, now }
}

const UNKNOWN_PLACE: Tax = { rate: 0, rule: 'unregistered', country: null, isProvisional: false }

/** Who has not said where they are is not taxed yet. */
async function taxOf(ctx: ReadContext, scope: Scope, row: CheckoutRow, at: UtcTime): Promise<Tax> {
  const { country_code: country, region, zip_postal_code: zip, vat_country, vat_check: check } = row
  if (country === null) return UNKNOWN_PLACE
  const vatId = vat_country === null || check === null ? null : { country: vat_country, check }
  return taxOfSale(ctx, scope, { buyer: { country, region, zip, vatId }, at })
}

/** The coupon that is applied; null where none is named, or it takes nothing off. */
export const appliedCoupon = ({ coupon }: Priced): CouponRow | null =>
  coupon?.applies === true ? coupon.coupon : null

export const refusalOf = ({ coupon }: Priced): CouponRefusal | null =>
  coupon?.applies === false ? coupon.reason : null

interface Considered {
  readonly price: OfferRow
  readonly amount: number
  readonly product: { readonly id: number; readonly parent_plugin_id: number | null }
  readonly now: UtcTime
}

const STRANGER = { hasBought: false, hasSubscription: false, isMigrated: false, redeemed: new Set<number>() }

async function couponOf(
  ctx: ReadContext,
  scope: Scope,
  row: CheckoutRow,
  { price, amount, product, now }: Considered,
): Promise<Evaluation<CouponRow> | null> {
  if (row.coupon_code === null) return null
  const { environment } = row
  const known =
    row.email === '' ? null : await buyerFacts(ctx.db, scope, { emailFolded: fold(row.email), environment })
  return evaluateCode(ctx, scope, row.coupon_code, {
    now,
    productId: product.id,
    isAddon: product.parent_plugin_id !== null,
    planId: price.plan_id,
    quota: price.licenses,
    billingCycle: row.billing_cycle,
    currency: price.currency,
    price: amount,
    buyer: known ?? STRANGER,
  })
}

/** A product takes something off the renewals of a year (`spec/behaviour/billing.md` 4). */
const renewalsDiscountOf = (
  product: {
    readonly annual_renewals_discount: number | null
    readonly renewals_discount_type: 'percentage' | 'dollar'
  },
  { billing_cycle: cycle }: CheckoutRow,
) => ({
  discount: cycle === 12 ? (product.annual_renewals_discount ?? 0) : 0,
  type: product.renewals_discount_type,
})

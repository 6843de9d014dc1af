import type { ReadContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { invalid, notFound } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import { addMonths } from '../../lib/periods.ts'
import { keptDiscount, quoteFirstPayment, quoteRenewal, type Discount } from '../quotes/quote.ts'
import type { Tax } from '../taxes/tax.ts'
import { toUtcTime, type UtcTime } from '../../lib/time.ts'
import { buyerFacts } from './buyer-queries.ts'
import type { OfferRow } from './queries.ts'
import type { CheckoutRow } from './schema.ts'
import {
  amountOff,
  asksOfPast,
  evaluate,
  type Buyer,
  type CouponRefusal,
  type Evaluation,
  type Purchase,
} from '../coupons/evaluate.ts'
import { findCoupon } from '../coupons/coupon-rows.ts'
import { amountIn, type CouponRow } from '../coupons/schema.ts'
import { evaluateCode } from '../coupons/service.ts'
import { getUser } from '../../people/users/service.ts'
import type { Kept, Priced } from './action.ts'
import { isProvenBuyer } from './buyer.ts'
import { priceOf } from './offer.ts'
import type { CheckoutState } from './state.ts'
import { taxWith } from '../taxes/tax-of-sale.ts'

/** What an offer is priced with beyond its own price. */
interface Terms {
  /** What is left of what was paid for what is replaced, minor units. */
  readonly credit?: number
  /** When it is paid first, whose tax it has and from which its periods count; else now. */
  readonly paidFrom?: UtcTime
}

/**
 * What an offer comes to now and at the first renewal, line by line (`docs/decisions.md` 5.2): the price, less what is
 * left of what it replaces, less the coupon where it applies, plus the tax of the buyer's place. What a coupon does not
 * apply to is told with its reason. 404 when it is not sold any more.
 */
export async function priceOffer(
  ctx: ReadContext,
  state: CheckoutState,
  { credit = 0, paidFrom }: Terms = {},
): Promise<Priced> {
  const { scope, row } = state
  const sold = considered(state)
  const { product, price, amount } = sold
  const now = toUtcTime(ctx.clock.of(row.product_id, row.environment))
  const coupon = await couponOf(ctx, scope, row, { ...sold, now })
  const from = paidFrom ?? now
  const tax = taxOf(state, from)
  const applied = coupon?.applies === true ? coupon.coupon : null
  const { currency } = price
  const discount: Discount | null = applied && ((of) => amountOff(applied, { price: of, currency }))
  const renewalsDiscount = await renewalsDiscountOf(ctx, scope, row, { ...sold, now })
  const renewing = {
    currency,
    amountPerCycle: amount,
    renewalsDiscount: keptDiscount(renewalsDiscount.discount, renewalsDiscount.type),
    coupon: applied?.has_renewals_discount === true ? discount : null,
    taxRate: tax.rate,
  }
  const { billing_cycle: cycle } = row
  return {
    price,
    product,
    amountPerCycle: amount,
    quote: quoteFirstPayment({ currency, price: amount, credit, coupon: discount, taxRate: tax.rate }),
    rules: {},
    tax,
    coupon,
    renewal: cycle === 0 ? null : { at: addMonths(now, cycle), quote: quoteRenewal(renewing) },
    renewalsDiscount,
    needsMethod: false,
    change: null,
    now,
  }
}

/** What a checkout is about, at an amount, or else at its price of the cycle; 400 `price_not_sold` without one. */
export function considered({ row, sold: { product, offer: price } }: CheckoutState, given?: number) {
  const amount = given ?? (price && priceOf(price, row.billing_cycle))
  const isSold = product && price?.plan_id === row.plan_id
  if (!isSold) throw notFound('checkout')
  if (amount !== null && amount !== undefined) return { product, price, amount }
  throw invalid('price_not_sold', 'This price is not sold by this cycle any more; choose another one.')
}

const UNKNOWN_PLACE: Tax = { rate: 0, rule: 'unregistered', country: null, isProvisional: false }

/** Who has not said where they are is not taxed yet. */
export function taxOf({ row, sold }: Pick<CheckoutState, 'row' | 'sold'>, at: UtcTime): Tax {
  const { country_code: country, region, zip_postal_code: zip, vat_country, vat_check: check } = row
  if (country === null) return UNKNOWN_PLACE
  const vatId = vat_country === null || check === null ? null : { country: vat_country, check }
  return taxWith(sold.taxes, { buyer: { country, region, zip, vatId }, at })
}

/** The coupon that is applied; null where none is named, or it takes nothing off. */
export const appliedCoupon = ({ coupon }: Priced): CouponRow | null =>
  coupon?.applies === true ? coupon.coupon : null

export const refusalOf = ({ coupon }: Priced): CouponRefusal | null =>
  coupon?.applies === false ? coupon.reason : null

/** What a coupon is measured by. */
export interface Considered {
  readonly price: OfferRow
  readonly amount: number
  readonly product: { readonly id: number; readonly parent_plugin_id: number | null }
  readonly now: UtcTime
}

const STRANGER: Buyer = {
  hasBought: false,
  hasSubscription: false,
  isMigrated: false,
  redeemed: new Set<number>(),
}

/**
 * What the coupon of a checkout comes to: that of the code, or the hidden one; null where there is none. What it asks
 * of the past of a buyer who has proven nothing is left to `guardCoupon`.
 */
export async function couponOf(
  ctx: ReadContext,
  scope: Scope,
  row: CheckoutRow,
  sold: Considered,
): Promise<Evaluation<CouponRow> | null> {
  const { coupon_code: code, coupon_id: hidden } = row
  if (code === null && hidden === null) return null
  const purchase = purchaseOf(row, sold, await factsOfProven(ctx, scope, row))
  if (code !== null) return evaluateCode(ctx, scope, code, purchase)
  const coupon = await findCoupon(ctx.db, scope, hidden ?? 0)
  return evaluate(coupon ? [coupon] : [], purchase)
}

/**
 * The coupon of a purpose, by its id, where it applies to a checkout; null where it does not. Who has proven
 * nothing is offered what somebody is whom nobody knows.
 */
export async function specialOf(
  ctx: ReadContext,
  scope: Scope,
  row: CheckoutRow,
  { couponId, ...sold }: Considered & { readonly couponId: number },
): Promise<(Evaluation<CouponRow> & { applies: true }) | null> {
  const coupon = await findCoupon(ctx.db, scope, couponId)
  if (!coupon) return null
  const buyer = (await factsOfProven(ctx, scope, row)) ?? STRANGER
  const evaluation = evaluate([coupon], purchaseOf(row, sold, buyer))
  return evaluation.applies ? evaluation : null
}

/** What somebody buys by a checkout, as coupons are measured by it. */
const purchaseOf = (
  row: CheckoutRow,
  { price, amount, product, now }: Considered,
  buyer: Buyer | null,
): Purchase => ({
  now,
  environment: row.environment,
  productId: product.id,
  isAddon: product.parent_plugin_id !== null,
  planId: price.plan_id,
  quota: price.licenses,
  billingCycle: row.billing_cycle,
  currency: price.currency,
  price: amount,
  buyer,
})

/** Null: nobody has proven to be the buyer. */
const factsOfProven = async (ctx: ReadContext, scope: Scope, row: CheckoutRow): Promise<Buyer | null> =>
  isProvenBuyer(row) ? factsOfBuyer(ctx, scope, row, { withUnproven: false }) : null

/**
 * What coupons ask of the buyer, as it is now, whoever has typed the address. `withUnproven`: also what anybody could
 * have got for it for nothing, which counts against who asks in the same way.
 */
export async function factsOfBuyer(
  ctx: ReadContext,
  scope: Scope,
  row: Pick<CheckoutRow, 'email' | 'user_id' | 'environment'>,
  { withUnproven }: { readonly withUnproven: boolean },
): Promise<Buyer> {
  const emailFolded = fold(await emailOf(ctx, scope, row))
  const { environment } = row
  return (await buyerFacts(ctx.db, scope, { emailFolded, environment, withUnproven })) ?? STRANGER
}

/** The address of the buyer, also where it is not shown; empty: nobody has said it. */
export const emailOf = async (
  ctx: ReadContext,
  scope: Scope,
  { email, user_id: id }: Pick<CheckoutRow, 'email' | 'user_id'>,
): Promise<string> => (email === '' && id !== null ? (await getUser(ctx, scope, id)).email : email)

/**
 * What is off renewals (`docs/interface.md` 7.4): what the product takes off those of a year, or its coupon for
 * loyalty where that is more, unless it asks of the past of who has proven nothing. Hundredths of a percent, or minor
 * units.
 */
async function renewalsDiscountOf(
  ctx: ReadContext,
  scope: Scope,
  row: CheckoutRow,
  sold: Sold & { readonly now: UtcTime },
): Promise<Priced['renewalsDiscount']> {
  const { annual_renewals_discount: discount, renewals_discount_type: type } = sold.product
  const { renewals_coupon_id: couponId } = sold.product
  const own = { discount: row.billing_cycle === 12 ? (discount ?? 0) : 0, type }
  if (row.billing_cycle === 0 || couponId === null) return own
  const loyal = await specialOf(ctx, scope, row, { ...sold, couponId })
  const ownOff = keptDiscount(own.discount, own.type)?.(sold.amount) ?? 0
  if (loyal === null || loyal.amountOff <= ownOff) return own
  if (asksOfPast(loyal.coupon) && !isProvenBuyer(row)) return own
  const { coupon } = loyal
  return coupon.discount_type === 'percentage'
    ? { discount: coupon.discount * 100, type: 'percentage' }
    : { discount: amountIn(coupon, sold.price.currency), type: 'dollar' }
}

type Sold = ReturnType<typeof considered>

/** What of a price is written down when somebody begins to pay it. */
export const keptOf = (priced: Priced, row: CheckoutRow): Kept => ({
  sold: { plan_id: row.plan_id, pricing_id: row.pricing_id, billing_cycle: row.billing_cycle },
  amountPerCycle: priced.amountPerCycle,
  quote: priced.quote,
  tax: priced.tax,
  renewal: priced.renewal,
  renewalsDiscount: priced.renewalsDiscount,
  needsMethod: priced.needsMethod,
  change: priced.change,
  rules: priced.rules,
  ...(priced.trial && { trial: priced.trial }),
  ...(priced.boughtAs !== undefined && { boughtAs: priced.boughtAs }),
  now: priced.now,
  couponId: appliedCoupon(priced)?.id ?? null,
  licenses: priced.price.licenses,
})

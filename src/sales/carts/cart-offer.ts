import type { ReadContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { invalid, invalidFields } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import { amountOff } from '../coupons/evaluate.ts'
import { findUsable } from '../coupons/coupon-rows.ts'
import type { CouponRow } from '../coupons/schema.ts'
import { findPriceOf } from './queries.ts'
import { hasPlan } from './cart-rows.ts'
import type { CartUpdate } from './schema.ts'
import type { OfferColumns } from './service.ts'

export interface OfferChange extends Pick<
  CartUpdate,
  'plan_id' | 'pricing_id' | 'billing_cycle' | 'coupon_id' | 'coupon_code'
> {
  /** The coupon that a checkout has applied, in the place of one that is named; null: none. */
  readonly coupon?: CouponRow | null
  /** The price that a checkout has, read already. */
  readonly offer?: PriceOfCart | undefined
}

type PriceOfCart = Exclude<Awaited<ReturnType<typeof findPriceOf>>, undefined>

/**
 * What a cart offers after a change, with its price; nothing when the change is about something else. Another plan
 * takes the price of the one before off. 400 for a plan or price that the product does not have, a cycle that is not
 * sold at the price, and `coupon_not_found`.
 */
export async function offerOf(
  ctx: ReadContext,
  scope: Scope,
  before: OfferColumns,
  change: OfferChange,
): Promise<OfferColumns | undefined> {
  if (!isAbout(change)) return undefined
  const planId = await planOf(ctx, scope, before, change)
  const keptPrice = planId === before.plan_id ? before.pricing_id : null
  const cycle = change.billing_cycle ?? before.billing_cycle
  const pricingId = change.pricing_id ?? keptPrice
  const priced = await pricedAt(ctx, scope, { planId, pricingId, cycle, offer: change.offer })
  const coupon = change.coupon === undefined ? await couponOf(ctx, scope, before, change) : change.coupon
  return {
    ...priced,
    billing_cycle: cycle,
    coupon_id: coupon?.id ?? null,
    coupon_code: coupon?.code ?? null,
    gross: priced.pricing_id === null ? null : priced.price - (coupon ? amountOff(coupon, priced) : 0),
  }
}

const isAbout = (change: OfferChange): boolean => {
  const { plan_id, pricing_id, billing_cycle, coupon_id, coupon_code, coupon } = change
  return [plan_id, pricing_id, billing_cycle, coupon_id, coupon_code, coupon].some((one) => one !== undefined)
}

async function planOf(
  ctx: ReadContext,
  scope: Scope,
  before: Pick<OfferColumns, 'plan_id'>,
  { plan_id: id, offer }: OfferChange,
): Promise<number | null> {
  if (id === undefined) return before.plan_id
  if (id === offer?.plan_id) return id
  return (await hasPlan(ctx.db, scope, id)) ? id : refuse('plan_id', 'is no plan of the product')
}

interface Choice {
  readonly planId: number | null
  readonly pricingId: number | null
  readonly cycle: 1 | 12 | 0
  readonly offer: PriceOfCart | undefined
}

async function pricedAt(ctx: ReadContext, scope: Scope, { planId, pricingId, cycle, offer }: Choice) {
  const nothing = { plan_id: planId, pricing_id: null, licenses: null, currency: 'usd', price: 0 } as const
  if (pricingId === null) return nothing
  const pricing = offer?.id === pricingId ? offer : await findPriceOf(ctx.db, scope, pricingId)
  if (!pricing || (planId !== null && pricing.plan_id !== planId)) {
    return refuse('pricing_id', 'is no price of the plan')
  }
  const byCycle = { 1: pricing.monthly_price, 12: pricing.annual_price, 0: pricing.lifetime_price }
  const price = byCycle[cycle]
  if (price === null) return refuse('billing_cycle', 'is not sold at this price')
  const { id, plan_id, licenses, currency } = pricing
  return { plan_id, pricing_id: id, licenses, currency, price }
}

async function couponOf(
  ctx: ReadContext,
  scope: Scope,
  before: Pick<OfferColumns, 'coupon_id'>,
  { coupon_id: id, coupon_code: code }: OfferChange,
): Promise<CouponRow | undefined> {
  if (code === null) return undefined
  if (code === undefined) {
    return before.coupon_id === null ? undefined : findUsable(ctx.db, scope, before.coupon_id)
  }
  const coupon = await findUsable(ctx.db, scope, id ?? 0)
  if (coupon?.code_folded === fold(code.trim())) return coupon
  throw invalid('coupon_not_found', 'The product has no coupon with this id and code.')
}

function refuse(field: string, message: string): never {
  throw invalidFields([{ field, message }])
}

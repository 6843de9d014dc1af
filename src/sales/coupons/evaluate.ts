import type { Environment } from '../../db/tables/licenses.ts'
import type { Currency } from '../../lib/money.ts'
import type { UtcTime } from '../../lib/time.ts'
import { amountIn, redemptionsIn, type CouponRow } from './schema.ts'

/** What a coupon is measured by. */
export type Candidate = Pick<
  CouponRow,
  | 'id'
  | 'product_id'
  | 'discount_type'
  | 'discount'
  | 'discount_eur'
  | 'discount_gbp'
  | 'plans'
  | 'licenses'
  | 'billing_cycles'
  | 'user_type'
  | 'start_date'
  | 'end_date'
  | 'redemptions'
  | 'sandbox_redemptions'
  | 'redemptions_limit'
  | 'has_addons_discount'
  | 'is_one_per_user'
  | 'is_active'
>

export interface Buyer {
  /** Has bought through this server before. */
  readonly hasBought: boolean
  /** Has a subscription that is active. */
  readonly hasSubscription: boolean
  /** Was imported from another platform. */
  readonly isMigrated: boolean
  /** The coupons, by id, that it has redeemed. */
  readonly redeemed: ReadonlySet<number>
}

/** What is bought, by whom and when. */
export interface Purchase {
  readonly now: UtcTime
  readonly environment: Environment
  readonly productId: number
  /** Whether the product is an add-on to another. */
  readonly isAddon: boolean
  readonly planId: number
  /** Null: unlimited. */
  readonly quota: number | null
  /** Months; 0: lifetime. */
  readonly billingCycle: 1 | 12 | 0
  readonly currency: Currency
  /** Minor units, before the coupon. */
  readonly price: number
  /**
   * Null: nobody has proven to be the buyer, of whose past nothing is asked before it is paid
   * (`docs/decisions.md` 3.14).
   */
  readonly buyer: Buyer | null
}

/** `docs/decisions.md` 2.4. */
export type CouponRefusal =
  | 'coupon_not_found'
  | 'coupon_inactive'
  | 'coupon_not_started'
  | 'coupon_expired'
  | 'coupon_used_up'
  | 'coupon_not_applicable'
  | 'coupon_already_used'

export type BuyerRefusal = Extract<CouponRefusal, 'coupon_not_applicable' | 'coupon_already_used'>

export type Evaluation<C> =
  | { readonly applies: true; readonly coupon: C; /** Minor units. */ readonly amountOff: number }
  | { readonly applies: false; readonly reason: CouponRefusal }

type Check = (coupon: Candidate, purchase: Omit<Purchase, 'buyer'>) => boolean

type RunningCheck = (coupon: Candidate, at: Pick<Purchase, 'now' | 'environment'>) => boolean

/** What must hold whoever buys whatever. */
const RUNNING: readonly (readonly [CouponRefusal, RunningCheck])[] = [
  ['coupon_inactive', (coupon) => coupon.is_active],
  ['coupon_not_started', (coupon, { now }) => now >= coupon.start_date],
  ['coupon_expired', (coupon, { now }) => now < coupon.end_date],
  ['coupon_used_up', (coupon, { environment }) => isLeft(coupon, environment)],
]

/** In the order of `docs/decisions.md` 5.3: what must hold, whoever buys it, and the reason when it does not. */
const CHECKS: readonly (readonly [CouponRefusal, Check])[] = [
  ...RUNNING,
  ['coupon_not_applicable', ({ plans }, { planId }) => isListed(plans, planId)],
  ['coupon_not_applicable', ({ licenses }, { quota }) => isListed(licenses, quota ?? 0)],
  ['coupon_not_applicable', ({ billing_cycles }, { billingCycle }) => isListed(billing_cycles, billingCycle)],
  ['coupon_not_applicable', (coupon, purchase) => isForProduct(coupon, purchase)],
]

/** What a coupon asks of the past of its buyer. */
interface BuyerRule {
  readonly reason: BuyerRefusal
  readonly asks: (coupon: Candidate) => boolean
  readonly holds: (coupon: Candidate, buyer: Buyer) => boolean
  /** Of what one address may pay one at a time, as paying it ends what is asked; null: nothing that is paid does. */
  readonly guard: (coupon: Candidate) => Guard['of'] | null
}

export interface Guard {
  /** The product: any purchase; the coupon: what is bought with it. */
  readonly of: 'product' | 'coupon'
  readonly reason: BuyerRefusal
}

/**
 * After `CHECKS`, in this order. Who has proven nothing is asked as it is paid (`guardCoupon`): so nothing but these
 * rules is given the past of a buyer.
 */
const BUYER_RULES: readonly BuyerRule[] = [
  {
    reason: 'coupon_not_applicable',
    asks: ({ user_type: type }) => type !== 'all',
    holds: isForUser,
    guard: ({ user_type: type }) => (type === 'new' || type === 'migrated' ? 'product' : null),
  },
  {
    reason: 'coupon_already_used',
    asks: (coupon) => coupon.is_one_per_user,
    holds: (coupon, { redeemed }) => !redeemed.has(coupon.id),
    guard: () => 'coupon',
  },
]

/** Whether a coupon may be offered for a plan before it is known what is bought of it, and by whom. */
export const isOffered = (coupon: Candidate, at: Pick<Purchase, 'now' | 'environment' | 'planId'>): boolean =>
  RUNNING.every(([, holds]) => holds(coupon, at)) && isListed(coupon.plans, at.planId)

/**
 * Of the coupons with one code the first that applies, with what it takes off; when none applies, the reason
 * of the one that passed the most checks (`docs/decisions.md` 5.3).
 */
export function evaluate<C extends Candidate>(candidates: readonly C[], purchase: Purchase): Evaluation<C> {
  let furthest: { readonly passed: number; readonly reason: CouponRefusal } | undefined
  for (const coupon of candidates) {
    const failed = failureOf(coupon, purchase)
    if (failed === null) return { applies: true, coupon, amountOff: amountOff(coupon, purchase) }
    if (!furthest || failed.passed > furthest.passed) furthest = failed
  }
  return { applies: false, reason: furthest?.reason ?? 'coupon_not_found' }
}

/** The first thing that does not hold, with how many do before it; null: all holds. */
function failureOf(coupon: Candidate, purchase: Purchase) {
  const passed = CHECKS.findIndex(([, holds]) => !holds(coupon, purchase))
  const [reason] = CHECKS[passed] ?? []
  if (reason !== undefined) return { passed, reason }
  const broken = purchase.buyer === null ? -1 : brokenBy(coupon, purchase.buyer)
  const rule = BUYER_RULES[broken]
  return rule ? { passed: CHECKS.length + broken, reason: rule.reason } : null
}

const brokenBy = (coupon: Candidate, buyer: Buyer) =>
  BUYER_RULES.findIndex(({ asks, holds }) => asks(coupon) && !holds(coupon, buyer))

/** Of what a coupon asks, the first thing that its buyer is not; null: nothing (`docs/decisions.md` 5.3). */
export const refusalOfBuyer = (coupon: Candidate, buyer: Buyer): BuyerRefusal | null =>
  BUYER_RULES[brokenBy(coupon, buyer)]?.reason ?? null

/** Whether it depends on the past of its buyer if a coupon applies. */
export const asksOfPast = (coupon: Candidate): boolean => BUYER_RULES.some(({ asks }) => asks(coupon))

/** What an address may pay one at a time with a coupon, each with the reason why it pays no second one. */
export const guardsFor = (coupon: Candidate): Guard[] =>
  BUYER_RULES.filter(({ asks }) => asks(coupon)).flatMap(({ reason, guard }) => {
    const of = guard(coupon)
    return of === null ? [] : [{ of, reason }]
  })

/**
 * Minor units off a price, a whole number from 0 to the price: a percentage rounded half up, or the amount
 * in the currency of the price (`docs/decisions.md` 5.1).
 */
export function amountOff(
  coupon: Pick<Candidate, 'discount_type' | 'discount' | 'discount_eur' | 'discount_gbp'>,
  { price, currency }: Pick<Purchase, 'price' | 'currency'>,
): number {
  if (coupon.discount_type === 'dollar') return Math.min(amountIn(coupon, currency), price)
  return Math.floor((price * coupon.discount + 50) / 100)
}

const isLeft = (coupon: Candidate, environment: Environment) =>
  coupon.redemptions_limit === null || coupon[redemptionsIn(environment)] < coupon.redemptions_limit

const isListed = (list: string | null, value: number) =>
  list === null || list.split(',').includes(String(value))

/** A coupon of the add-on itself needs no leave to discount it. */
const isForProduct: Check = (coupon, { isAddon, productId }) =>
  !isAddon || coupon.product_id === productId || coupon.has_addons_discount

/**
 * Whether a coupon is for such a buyer (`docs/interface.md` 9.4). Who was imported has been a customer elsewhere, so is
 * not new.
 */
function isForUser(
  { user_type: type }: Candidate,
  { hasBought, hasSubscription, isMigrated }: Buyer,
): boolean {
  switch (type) {
    case 'all':
      return true
    case 'new':
      return !hasBought && !hasSubscription && !isMigrated
    case 'current':
      return hasSubscription
    case 'previous':
      return hasBought
    case 'customer':
      return hasBought || hasSubscription
    case 'migrated':
      return isMigrated && !hasBought
    default:
      return type satisfies never
  }
}

import type { TxContext } from '../context.ts'
import type { SpecialType } from '../db/tables/coupons.ts'
import { systemScope } from '../access/scope.ts'
import { DAY, toUtcTime } from '../lib/time.ts'
import type { CouponCreate } from '../sales/coupons/input-schema.ts'
import { findByCode } from '../sales/coupons/coupon-rows.ts'
import { createCoupon, type CouponScope } from '../sales/coupons/service.ts'
import { makeSpecial } from '../sales/coupons/special.ts'
import { addNoteToCoupon } from '../sales/notes/coupon-notes.ts'
import { asOf, type DemoPart } from './part.ts'
import { findPlanExamples } from '../catalogue/sellers/seller-rows.ts'

interface DemoCoupon extends Pick<CouponCreate, 'code' | 'discount' | 'discount_type'> {
  /** Days ago. */
  readonly made: number
  /** Days from now, before now negative; absent: no end. */
  readonly ends?: number
  readonly more?: Partial<CouponCreate>
  readonly isForPaidPlan?: true
  readonly special?: SpecialType
  readonly note?: string
}

const percent = (code: string, discount: number) => ({ code, discount, discount_type: 'percentage' }) as const
const dollars = (code: string, discount: number) => ({ code, discount, discount_type: 'dollar' }) as const

/** Two with one code: the first is for years of the professional plan, the second for its months. */
const OF_PRODUCT: readonly DemoCoupon[] = [
  { ...percent('WELCOME10', 10), made: 540, more: { user_type: 'new', is_one_per_user: true } },
  { ...percent('BLACKFRIDAY', 40), made: 90, ends: -60, note: 'Next year from Thursday on.' },
  { ...percent('SPRING', 30), made: 20, ends: 40, isForPaidPlan: true, more: { billing_cycles: '12' } },
  { ...percent('SPRING', 15), made: 20, ends: 40, isForPaidPlan: true, more: { billing_cycles: '1' } },
  {
    ...dollars('LIFETIME50', 50),
    made: 200,
    more: { billing_cycles: '0', discounts: { eur: 45, gbp: 40 }, redemptions_limit: 250 },
    note: 'For the newsletter of partners; 250 and no more.',
  },
  {
    ...percent('AGENCY25', 25),
    made: 400,
    more: { licenses: '0', has_renewals_discount: true, has_addons_discount: true },
  },
  { ...percent('OLDFRIENDS', 50), made: 500, more: { user_type: 'migrated', is_active: false } },
  {
    ...percent('COMEBACK15', 15),
    made: 300,
    more: { is_one_per_user: true },
    special: 'cart_recovery',
  },
  { ...dollars('WAIT5', 5), made: 300, more: { is_one_per_user: true }, special: 'exit_intent' },
  {
    ...percent('STAY25', 25),
    made: 250,
    more: { user_type: 'current', has_renewals_discount: true },
    special: 'subscription_cancellation',
  },
  { ...percent('PARTNER20', 20), made: 240, special: 'affiliate' },
  {
    ...percent('ONTIME10', 10),
    made: 230,
    more: { user_type: 'current', has_renewals_discount: true },
    special: 'renewals_discount',
  },
  {
    ...percent('EARLY10', 10),
    made: 230,
    more: { user_type: 'current', has_renewals_discount: true },
    special: 'manual_renewals_discount',
  },
]

const OF_STORE: readonly DemoCoupon[] = [
  { ...percent('SUMMER15', 15), made: 350, ends: -130 },
  { ...percent('NEWYEAR20', 20), made: 45, ends: 320, more: { has_addons_discount: true } },
]

/** Coupons of every kind: dated, limited, by plan and cycle, special ones, and one of the store for all products. */
export const demoCoupons: DemoPart = {
  async examples({ db }, demo) {
    const [coupon] = await findByCode(db, systemScope(demo), { codeFolded: 'welcome10' })
    return coupon ? { coupon_id: String(coupon.id) } : null
  },
  async fill(tx, demo) {
    const { developerId, productId, storeId } = demo
    const product = systemScope({ developerId, productId })
    const store = { ...systemScope({ developerId, productId: 0 }), ofStore: storeId }
    for (const one of oldestFirst(OF_PRODUCT)) await add(tx, product, one)
    for (const one of oldestFirst(OF_STORE)) await add(tx, store, one)
  },
}

const oldestFirst = (coupons: readonly DemoCoupon[]) => coupons.toSorted((a, b) => b.made - a.made)

async function add(tx: TxContext, scope: CouponScope, coupon: DemoCoupon): Promise<void> {
  const { code, discount, discount_type, made, ends, more, special, note } = coupon
  const now = tx.clock.real()
  const then = asOf(tx, now - made * DAY)
  const paid = coupon.isForPaidPlan ? await findPlanExamples(tx.db, scope.productId) : undefined
  const created = await createCoupon(then, scope, {
    ...DEFAULTS,
    code,
    discount,
    discount_type,
    ...(paid && { plans: String(paid.plan_id) }),
    ...(ends !== undefined && { end_date: toUtcTime(now + ends * DAY) }),
    ...more,
  })
  const id = Number(created.id)
  if (special) await makeSpecial(then, scope, { coupon_id: id, special_id: special })
  if (note !== undefined) await addNoteToCoupon(then, scope, id, { note })
}

const DEFAULTS = {
  user_type: 'all',
  has_renewals_discount: false,
  has_addons_discount: false,
  is_one_per_user: false,
  is_active: true,
} as const

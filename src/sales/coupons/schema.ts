import type { Selectable } from 'kysely'
import { Type, type Static } from 'typebox'
import type { Environment } from '../../db/tables/licenses.ts'
import { DISCOUNT_TYPES, USER_TYPES, type CouponsTable } from '../../db/tables/coupons.ts'
import { Arguments, Choice, Id, IdText, Nullable, Optional, Paging, Text, Time } from '../../http/wire.ts'
import { CURRENCIES, toDecimal, type Currency } from '../../lib/money.ts'

export type CouponRow = Selectable<CouponsTable>

/** The count of a coupon in an environment; both have its limit, each for itself (`docs/decisions.md` 3.22). */
export const redemptionsIn = (environment: Environment) =>
  environment === 1 ? 'sandbox_redemptions' : 'redemptions'

/** Amounts by currency, in whole units. */
export type Discounts = Readonly<Partial<Record<Currency, number>>>
export const Discounts = Type.Unsafe<Discounts>({
  type: 'object',
  additionalProperties: { type: 'integer' },
  description: 'The amount off by lowercase currency code, in whole units; empty for a percentage.',
})

const DiscountAmount = Type.Integer({
  minimum: 0,
  description: 'Whole percent, or whole US dollars, as discount_type says.',
})

/** What a coupon and a special coupon both say of the discount. */
export const discountFields = {
  discount: DiscountAmount,
  discount_type: Choice(DISCOUNT_TYPES),
  has_renewals_discount: Type.Boolean(),
}

const coupon = {
  id: IdText(),
  created: Time(),
  updated: Nullable(Time()),
  entity_id: IdText(),
  entity_type: Choice(['plugin', 'store', 'marketplace']),
  plans: Nullable(Type.String()),
  licenses: Nullable(Type.String()),
  billing_cycles: Nullable(Type.String()),
  code: Type.String(),
  ...discountFields,
  start_date: Time(),
  end_date: Time(),
  redemptions: Type.Integer({ minimum: 0, description: 'Live; the sandbox counts for itself.' }),
  redemptions_limit: Nullable(Type.Integer({ minimum: 1 })),
  has_addons_discount: Type.Boolean(),
  is_one_per_user: Type.Boolean(),
  is_active: Type.Boolean(),
  user_type: Choice(USER_TYPES, { default: 'all' }),
  source: Choice([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
}

/** A coupon (`docs/interface.md` 9.1). */
export const Coupon = Type.Object(coupon, { title: 'Coupon' })
export type Coupon = Static<typeof Coupon>

/** An item of the list: enriched, it has the amounts of every currency too (`docs/interface.md` 9.2). */
export const ListedCoupon = Type.Object(
  { ...coupon, discounts: Optional(Discounts) },
  { title: 'ListedCoupon' },
)
export type ListedCoupon = Static<typeof ListedCoupon>

export const CouponId = Arguments({ coupon_id: Id('ID of the coupon.') })
export const StoreId = Arguments({ store_id: Id('ID of the store.') })
export const StoreCouponId = Arguments({ ...StoreId.properties, ...CouponId.properties })

/** Filters of the list; an empty one is none. */
export const CouponList = Arguments({
  code: Optional(Text({ description: 'The whole code, whatever its case.' })),
  prefix: Optional(
    Text({ description: 'The beginning of the code; the list is then in the order of codes.' }),
  ),
  search: Optional(Text({ description: 'The code, a part of it, or the ID.' })),
  is_enriched: Type.Boolean({
    default: false,
    description: 'Adds `discounts`; ignored when code, prefix or search is given.',
  }),
  ...Paging,
})
export type CouponList = Static<typeof CouponList>

/** The number on the wire: whole percent, or whole units of US dollars. */
export const discountOf = (row: Pick<CouponRow, 'discount' | 'discount_type'>): number =>
  row.discount_type === 'dollar' ? toDecimal(row.discount) : row.discount

/** The amounts off by currency; nothing for a percentage (`docs/interface.md` 9.1). */
export function discountsOf(
  row: Pick<CouponRow, 'discount' | 'discount_type' | 'discount_eur' | 'discount_gbp'>,
): Discounts {
  if (row.discount_type === 'percentage') return {}
  return Object.fromEntries(CURRENCIES.map((currency) => [currency, toDecimal(amountIn(row, currency))]))
}

/** Minor units off in a currency: where it has no amount of its own, as many as of US dollars. */
export function amountIn(
  row: Pick<CouponRow, 'discount' | 'discount_eur' | 'discount_gbp'>,
  currency: Currency,
): number {
  const own = { usd: row.discount, eur: row.discount_eur, gbp: row.discount_gbp }
  return own[currency] ?? row.discount
}

/** Row → wire. */
export const presentCoupon = (row: CouponRow): Coupon => ({
  id: String(row.id),
  created: row.created,
  updated: row.updated,
  entity_id: String(row.product_id ?? row.store_id),
  entity_type: row.product_id === null ? 'store' : 'plugin',
  plans: row.plans,
  licenses: row.licenses,
  billing_cycles: row.billing_cycles,
  code: row.code,
  discount: discountOf(row),
  discount_type: row.discount_type,
  start_date: row.start_date,
  end_date: row.end_date,
  redemptions: row.redemptions,
  redemptions_limit: row.redemptions_limit,
  has_renewals_discount: row.has_renewals_discount === 1,
  has_addons_discount: row.has_addons_discount === 1,
  is_one_per_user: row.is_one_per_user === 1,
  is_active: row.is_active === 1,
  user_type: row.user_type,
  source: row.source as Coupon['source'],
})

export const presentEnriched = (row: CouponRow): ListedCoupon => ({
  ...presentCoupon(row),
  discounts: discountsOf(row),
})

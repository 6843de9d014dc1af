import type { Selectable } from 'kysely'
import { Type, type Static } from '../../lib/type.ts'
import type { Environment } from '../../db/tables/licenses.ts'
import type { CouponsTable } from '../../db/tables/coupons.ts'
import { Arguments, Choice, Id, Optional, Paging, Text } from '../../http/wire.ts'
import { isSandbox } from '../../lib/environment.ts'
import { CURRENCIES, toDecimal, type Currency } from '../../lib/money.ts'
import type { CouponSort } from './list-queries.ts'
import { COUPON } from './coupon.entity.ts'

export type CouponRow = Selectable<CouponsTable>

/** The count of a coupon in an environment; both have its limit, each for itself (`docs/decisions.md` 3.22). */
export const redemptionsIn = (environment: Environment) =>
  isSandbox(environment) ? 'sandbox_redemptions' : 'redemptions'

/** Amounts by currency, in whole units. */
export type Discounts = Readonly<Partial<Record<Currency, number>>>
export const Discounts = Type.Unsafe<Discounts>({
  type: 'object',
  additionalProperties: { type: 'integer' },
  description: 'The amount off by lowercase currency code, in whole units; empty for a percentage.',
})

/** A coupon (`docs/interface.md` 9.1). */
export const Coupon = Type.Object(COUPON.shown, { title: 'Coupon' })
export type Coupon = Static<typeof Coupon>

/** An item of the list: enriched, it has the amounts of every currency too (`docs/interface.md` 9.2). */
export const ListedCoupon = Type.Object(
  { ...COUPON.shown, discounts: Optional(Discounts) },
  { title: 'ListedCoupon' },
)
export type ListedCoupon = Static<typeof ListedCoupon>

export const CouponId = Arguments({ coupon_id: Id('ID of the coupon.') })
export const StoreId = Arguments({ store_id: Id('ID of the store.') })
export const StoreCouponId = Arguments({ ...StoreId.properties, ...CouponId.properties })

/** What reading one coupon takes. */
export const CouponRead = Arguments({
  is_enriched: Type.Boolean({ default: false, description: 'Adds `discounts`.' }),
})

/** Filters of the list; an empty one is none. */
export const CouponList = Arguments({
  code: Optional(Text({ description: 'The whole code, whatever its case.' })),
  prefix: Optional(
    Text({ description: 'The beginning of the code; the list is then in the order of codes.' }),
  ),
  search: Optional(Text({ description: 'The code, a part of it, or the ID.' })),
  sort: Optional(
    Type.Unsafe<CouponSort>(
      Choice(['id', '-id', 'code', '-code'], {
        description:
          '`id`: the oldest first; `-id`: the newest; `code`, `-code`: in the order of codes; absent: the newest, by prefix alone in that of codes.',
      }),
    ),
  ),
  is_enriched: Type.Boolean({
    default: false,
    description: 'Adds `discounts`; ignored when code, prefix or search is given.',
  }),
  ...Paging,
})
export type CouponList = Static<typeof CouponList>

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
export const presentCoupon: (row: CouponRow) => Coupon = COUPON.present

export const presentEnriched = (row: CouponRow): ListedCoupon => ({
  ...presentCoupon(row),
  discounts: discountsOf(row),
})

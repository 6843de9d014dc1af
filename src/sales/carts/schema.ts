import type { Selectable } from 'kysely'
import { Type, type Static } from '../../lib/type.ts'
import { CART_MODES, CART_STATUSES, PAYMENT_METHODS, type CartsTable } from '../../db/tables/carts.ts'
import {
  Arguments,
  Choice,
  Fields,
  Id,
  IdText,
  InEnvironment,
  MadeBetween,
  Nullable,
  Optional,
  Paging,
  Text,
  Time,
  Sorted,
} from '../../http/wire.ts'
import { shownCountry } from '../../lib/countries.ts'
import { CURRENCIES, toDecimal } from '../../lib/money.ts'

export type CartRow = Selectable<CartsTable>

const cart = {
  id: IdText(),
  created: Time(),
  updated: Nullable(Time()),
  status: Choice(CART_STATUSES, { default: 'visit' }),
  mode: Choice(CART_MODES, { default: 'dialog' }),
  payment_method: Choice(PAYMENT_METHODS, { default: 'cc' }),
  plugin_id: IdText(),
  plan_id: Nullable(IdText()),
  pricing_id: Nullable(IdText()),
  is_trial: Type.Boolean(),
  billing_cycle: Choice([1, 12, 0]),
  install_id: Nullable(IdText()),
  coupon_id: Nullable(IdText()),
  country_code: Nullable(Type.String()),
  zip_postal_code: Type.String(),
  vat_id: Nullable(Type.String()),
  user_id: Nullable(IdText()),
  email: Type.String(),
  first: Type.String(),
  last: Type.String(),
  ip: Type.String(),
  url: Type.String(),
  environment: Choice([0, 1]),
  is_disabled: Type.Boolean({ default: false }),
  is_unsubscribed: Type.Boolean({ default: false }),
  visited: Nullable(Time()),
  completed: Nullable(Time()),
  price: Type.Number(),
}

/** A cart (`docs/interface.md` 10.1). */
export const Cart = Type.Object(cart, { title: 'Cart' })
export type Cart = Static<typeof Cart>

/** With `enriched` it has four fields more (`docs/interface.md` 10.1). */
export const ListedCart = Type.Object(
  {
    ...cart,
    currency: Optional(Choice(CURRENCIES, { description: 'Of `price` and `gross`.' })),
    gross: Optional(Nullable(Type.Number())),
    coupon_code: Optional(Nullable(Type.String())),
    licenses: Optional(Nullable(Type.Number())),
  },
  { title: 'ListedCart' },
)
export type ListedCart = Static<typeof ListedCart>

export const CartId = Arguments({ cart_id: Id('ID of the cart.') })

const enriched = {
  enriched: Type.Boolean({
    default: false,
    description: 'Adds `currency`, `gross`, `coupon_code` and `licenses`.',
  }),
}

export const CART_FILTERS = ['all', 'abandoned', 'completed', 'recovered', 'recovery', 'active'] as const
export type CartFilter = (typeof CART_FILTERS)[number]

/** The body that changes a cart (`docs/interface.md` 10.1). */
export const CartList = Arguments({
  filter: Choice(CART_FILTERS, {
    default: 'all',
    description:
      '`active`: not given up yet; `abandoned`: given up and not recovered; `recovery`: of these those that mails still go to.',
  }),
  email: Optional(Text({ max: 254, description: 'The whole address, whatever its case.' })),
  user_id: Optional(Id('Only of this user.')),
  environment: InEnvironment,
  ...MadeBetween,
  ...Sorted,
  ...enriched,
  ...Paging,
  count: Type.Integer({ minimum: 1, maximum: 50, default: 50, description: 'Page size.' }),
  ...Fields,
})
export type CartList = Static<typeof CartList>

export const CartQuery = Arguments({ ...enriched, ...Fields })

export const CartUpdate = Arguments({
  plan_id: Optional(Id('Plan of the product.')),
  pricing_id: Optional(Id('Price of the plan.')),
  payment_method: Optional(Choice(PAYMENT_METHODS)),
  billing_cycle: Optional(Choice([1, 12, 0], { description: 'Months; 0 is for life.' })),
  coupon_id: Optional(Id('Coupon; together with `coupon_code`.')),
  coupon_code: Optional(
    Nullable(Text({ description: 'Its code; together with `coupon_id`. Null takes it off.' })),
  ),
  country_code: Optional(Nullable(Text({ max: 2, format: 'country-or-empty' }))),
  vat_id: Optional(Nullable(Text({ max: 50, description: 'A VAT id has the form of its country.' }))),
  email: Optional(Text({ max: 254, format: 'email' })),
  first: Optional(Text()),
  last: Optional(Text()),
  ip: Optional(Text({ max: 45, format: 'ip' })),
})
export type CartUpdate = Static<typeof CartUpdate>

export const RecoverySwitch = Arguments({
  is_disabled: Type.Boolean({ description: 'True ends the mails to this cart, false goes on with them.' }),
})

const idText = (id: number | null) => (id === null ? null : String(id))

/** Row → wire. */
export const presentCart = (row: CartRow): Cart => ({
  id: String(row.id),
  created: row.created,
  updated: row.updated,
  status: row.status,
  mode: row.mode,
  payment_method: row.payment_method,
  plugin_id: String(row.product_id),
  plan_id: idText(row.plan_id),
  pricing_id: idText(row.pricing_id),
  is_trial: row.is_trial,
  billing_cycle: row.billing_cycle,
  install_id: idText(row.install_id),
  coupon_id: idText(row.coupon_id),
  country_code: shownCountry(row.country_code),
  zip_postal_code: row.zip_postal_code,
  vat_id: row.vat_id,
  user_id: idText(row.user_id),
  email: row.email,
  first: row.first,
  last: row.last,
  ip: row.ip,
  url: row.url,
  environment: row.environment,
  is_disabled: row.is_disabled,
  is_unsubscribed: row.is_unsubscribed,
  visited: row.visited,
  completed: row.completed,
  price: toDecimal(row.price),
})

/** With what `enriched` adds. */
export const presentEnriched = (row: CartRow): ListedCart => ({
  ...presentCart(row),
  currency: row.currency,
  gross: row.gross === null ? null : toDecimal(row.gross),
  coupon_code: row.coupon_code,
  licenses: row.licenses,
})

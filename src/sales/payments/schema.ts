import type { Selectable } from 'kysely'
import { Type, type Static } from 'typebox'
import { PAYMENT_TYPES, type DiscountsTable, type PaymentsTable } from '../../db/tables/payments.ts'
import {
  Arguments,
  Choice,
  Fields,
  Id,
  IdText,
  Nullable,
  Optional,
  Paging,
  Price,
  Text,
  Time,
} from '../../http/wire.ts'
import type { Scope } from '../../access/scope.ts'
import { shownCountry } from '../../lib/countries.ts'
import { idText } from '../../lib/id-text.ts'
import { CURRENCIES, toDecimal } from '../../lib/money.ts'

export type PaymentRow = Selectable<PaymentsTable>
export type DiscountRow = Selectable<DiscountsTable>

export const CYCLES = [1, 12, 0] as const
const SOURCE_IDS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] as const

/** What a payment and a subscription both show. */
export const BOUGHT_FIELDS = {
  id: IdText(),
  created: Time(),
  updated: Nullable(Time()),
  plugin_id: IdText(),
  user_id: IdText(),
  install_id: Nullable(IdText()),
  plan_id: IdText(),
  pricing_id: Nullable(IdText()),
  license_id: Nullable(IdText()),
  coupon_id: Nullable(IdText()),
  user_card_id: Nullable(IdText()),
  ip: Nullable(Type.String()),
  country_code: Nullable(Type.String()),
  zip_postal_code: Nullable(Type.String()),
  vat_id: Nullable(Type.String()),
  source: Choice(SOURCE_IDS),
  external_id: Type.String({ description: 'At the gateway; empty where there is none.' }),
  gateway: Nullable(Type.String({ description: 'Null: nothing was charged here.' })),
  environment: Choice([0, 1]),
  currency: Choice(CURRENCIES),
}

const PAYMENT_FIELDS = {
  ...BOUGHT_FIELDS,
  subscription_id: Nullable(IdText()),
  bound_payment_id: Nullable(IdText()),
  type: Choice(PAYMENT_TYPES),
  gross: Type.Number({ description: 'Without tax; negative where money was given back.' }),
  vat: Type.Number({ description: 'Tax of any kind.' }),
  gateway_fee: Type.Number(),
  is_renewal: Type.Boolean(),
  refund_reason: Nullable(Type.String()),
}

/** The contract's `Payment`. */
export const Payment = Type.Object(PAYMENT_FIELDS, { title: 'Payment' })
export type Payment = Static<typeof Payment>

/** What `extended` adds. */
const MORE = {
  email: Optional(Type.String({ description: 'With extended, as the next three.' })),
  url: Optional(Nullable(Type.String())),
  billing_cycle: Optional(Choice(CYCLES)),
  plan_name: Optional(Nullable(Type.String())),
}
export const ExtendedPayment = Type.Object({ ...PAYMENT_FIELDS, ...MORE }, { title: 'PaymentExtended' })
export type ExtendedPayment = Static<typeof ExtendedPayment>

/** The contract's `Discount`. */
export const Discount = Type.Object(
  {
    id: IdText(),
    created: Time(),
    updated: Nullable(Time()),
    entity_id: IdText(),
    entity_type: Choice(['payment', 'subscription']),
    type: Choice(['prorate', 'subscription_cancellation']),
    discount: Type.Number(),
    coupon_id: Nullable(IdText()),
  },
  { title: 'Discount' },
)
export type Discount = Static<typeof Discount>

export const PaymentId = Arguments({ payment_id: Id('ID of the payment.') })

export const PAYMENT_FILTERS = [
  'all',
  'refunds',
  'not_refunded',
  'disputed',
  'won_disputes',
  'chargebacks',
] as const
const OF_USER_FILTERS = ['all', 'refunds', 'not_refunded', 'not_refunded_renewals'] as const
export type PaymentFilter = (typeof PAYMENT_FILTERS)[number] | (typeof OF_USER_FILTERS)[number]

const time = (description: string) => Optional(Text({ max: 19, description }))
const Extended = Type.Boolean({ default: false, description: 'Adds data of user, install and plan.' })
const CycleFilter = Optional(Choice(CYCLES, { description: 'Only of this cycle, in months; 0: lifetime.' }))

/** The contract's payments/list. */
export const PaymentList = Arguments({
  search: Optional(Text({ description: 'ID, ID at the gateway, or address of the user.' })),
  search_user_id: Optional(Id('Only of this user.')),
  billing_cycle: CycleFilter,
  currency: Optional(Choice(CURRENCIES, { description: 'Only in this currency.' })),
  coupon_id: Optional(Id('Only with this coupon.')),
  filter: Type.Unsafe<(typeof PAYMENT_FILTERS)[number]>(
    Choice(PAYMENT_FILTERS, { default: 'all', description: 'By type.' }),
  ),
  extended: Extended,
  from: time('Paid at this time or later; UTC.'),
  to: time('Paid at this time or earlier; UTC.'),
  ...Paging,
  ...Fields,
})
export type PaymentList = Static<typeof PaymentList>

/** What the list of a user's payments takes. */
export const UserPaymentList = Arguments({
  extended: Extended,
  include_addons: Type.Boolean({ default: false, description: 'Those of the add-ons of the product too.' }),
  include_bundles: Type.Boolean({
    default: false,
    description: 'Those of the bundles that it is in too.',
  }),
  filter: Type.Unsafe<(typeof OF_USER_FILTERS)[number]>(Choice(OF_USER_FILTERS, { default: 'all' })),
  billing_cycle: CycleFilter,
  ...Paging,
  ...Fields,
})
export type UserPaymentList = Static<typeof UserPaymentList>

export const InstallPaymentList = Arguments({ extended: Extended, ...Paging, ...Fields })
export type InstallPaymentList = Static<typeof InstallPaymentList>

const MAX_REASON = 512

/** Ours: gives back a payment or a part of it. */
export const RefundCreate = Arguments({
  amount: Optional(Price('With tax, in units of the currency; absent: all that is left.')),
  reason: Optional(Text({ max: MAX_REASON, format: 'text', description: 'For the books.' })),
  cancel_license: Optional(
    Type.Boolean({ description: 'Absent: when nothing is left of the payment. Ends the subscription too.' }),
  ),
  cancel_subscription: Optional(
    Type.Boolean({ description: 'Absent: when nothing is left of the payment.' }),
  ),
})
export type RefundCreate = Static<typeof RefundCreate>

/** Who reads what somebody bought; absent: nobody in particular. */
export type BoughtReader = Partial<Pick<Scope, 'reach' | 'userId'>>

/** Whether who bought is not told of: to another user, whose the license is now, and who is not proven to be it. */
export const hidesBuyer = (
  row: { readonly user_id: number },
  { reach, userId = null }: BoughtReader,
): boolean => reach !== undefined || (userId !== null && userId !== row.user_id)

/**
 * The columns that a payment and a subscription share, as the wire has them; without where the buyer is and what it
 * paid with for who is not proven to be the person (`docs/decisions.md` 3.12).
 */
export const presentBought = (
  row: Pick<
    PaymentRow,
    | 'id'
    | 'product_id'
    | 'user_id'
    | 'install_id'
    | 'plan_id'
    | 'pricing_id'
    | 'license_id'
    | 'coupon_id'
    | 'payment_method_id'
    | 'external_id'
    | 'gateway'
    | 'currency'
    | 'country_code'
    | 'zip_postal_code'
    | 'vat_id'
    | 'ip'
    | 'source'
    | 'environment'
    | 'updated'
  >,
  reader: BoughtReader,
) => {
  const isHidden = hidesBuyer(row, reader)
  return {
    id: String(row.id),
    updated: row.updated,
    plugin_id: String(row.product_id),
    user_id: String(row.user_id),
    install_id: idText(row.install_id),
    plan_id: String(row.plan_id),
    pricing_id: idText(row.pricing_id),
    license_id: idText(row.license_id),
    coupon_id: idText(row.coupon_id),
    user_card_id: isHidden ? null : idText(row.payment_method_id),
    ip: isHidden ? null : row.ip,
    country_code: isHidden ? null : shownCountry(row.country_code),
    zip_postal_code: isHidden ? null : row.zip_postal_code,
    vat_id: isHidden ? null : row.vat_id,
    source: row.source as (typeof SOURCE_IDS)[number],
    external_id: (isHidden ? null : row.external_id) ?? '',
    gateway: row.gateway,
    environment: row.environment,
    currency: row.currency,
  }
}

/** Row → wire; `created` is when it was paid, also where that was long before it was written down. */
export const presentPayment = (row: PaymentRow, scope: BoughtReader): Payment => ({
  ...presentBought(row, scope),
  created: row.processed_at,
  subscription_id: idText(row.subscription_id),
  bound_payment_id: idText(row.bound_payment_id),
  type: row.type,
  gross: toDecimal(row.gross),
  vat: toDecimal(row.tax),
  gateway_fee: toDecimal(row.gateway_fee),
  is_renewal: row.is_renewal === 1,
  refund_reason: row.refund_reason,
})

export const presentDiscount = (row: DiscountRow): Discount => ({
  id: String(row.id),
  created: row.created,
  updated: row.updated,
  entity_id: String(row.entity_id),
  entity_type: row.entity_type,
  type: row.type,
  discount: toDecimal(row.discount),
  coupon_id: idText(row.coupon_id),
})

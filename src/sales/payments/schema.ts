import type { Selectable } from 'kysely'
import { Type, type Static } from '../../lib/type.ts'
import { INVOICE_KINDS } from '../../db/tables/invoices.ts'
import type { DiscountsTable, PaymentsTable } from '../../db/tables/payments.ts'
import { withLast } from '../../http/entity.ts'
import {
  Arguments,
  Choice,
  Fields,
  Id,
  IdText,
  Nullable,
  Optional,
  OverProducts,
  Paging,
  Price,
  Text,
  Time,
  Sorted,
} from '../../http/wire.ts'
import type { Scope } from '../../access/scope.ts'
import { idText } from '../../lib/id-text.ts'
import { toDecimal } from '../../lib/money.ts'
import { CYCLES } from './bought.entity.ts'
import { PAYMENT } from './payment.entity.ts'

export type PaymentRow = Selectable<PaymentsTable>
export type DiscountRow = Selectable<DiscountsTable>

/** The contract's `Payment`. */
export const Payment = Type.Object(PAYMENT.shown, { title: 'Payment' })
export type Payment = Static<typeof Payment>

/** What `extended` adds. */
const MORE = {
  email: Optional(Type.String({ description: 'With extended, as the next five.' })),
  url: Optional(Nullable(Type.String())),
  billing_cycle: Optional(Choice(CYCLES)),
  plan_name: Optional(Nullable(Type.String())),
  document: Optional(
    Nullable(Choice(INVOICE_KINDS, { description: 'What it has here to be downloaded; null: nothing.' })),
  ),
  waiver: Optional(
    Nullable(
      Type.Object(
        { text: Type.String(), accepted_at: Time() },
        {
          description: 'To what its buyer agreed at the checkout, as a consumer of the EU; null: to nothing.',
        },
      ),
    ),
  ),
}
export const ExtendedPayment = Type.Object({ ...PAYMENT.shown, ...MORE }, { title: 'PaymentExtended' })
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
const Extended = Type.Boolean({
  default: false,
  description: 'Adds data of user, install, plan and checkout.',
})

/** The contract's payments/list. */
export const PaymentList = Arguments({
  search: Optional(Text({ description: 'ID, ID at the gateway, or address of the user.' })),
  user_id: Optional(Id('The same as `search_user_id`.')),
  ...withLast(PAYMENT.filter, ['license_id', 'billing_cycle', 'currency', 'coupon_id', 'environment']),
  filter: Type.Unsafe<(typeof PAYMENT_FILTERS)[number]>(
    Choice(PAYMENT_FILTERS, { default: 'all', description: 'By type.' }),
  ),
  extended: Extended,
  from: time('Paid at this time or later; UTC.'),
  to: time('Paid at this time or earlier; UTC.'),
  ...Sorted,
  ...Paging,
  ...Fields,
})
export type PaymentList = Static<typeof PaymentList>

/** Of an account: over its products. */
export const AccountPaymentList = Arguments({ ...PaymentList.properties, ...OverProducts })
export type AccountPaymentList = Static<typeof AccountPaymentList>

/** What the list of a user's payments takes. */
export const UserPaymentList = Arguments({
  extended: Extended,
  include_addons: Type.Boolean({ default: false, description: 'Those of the add-ons of the product too.' }),
  include_bundles: Type.Boolean({
    default: false,
    description: 'Those of the bundles that it is in too.',
  }),
  filter: Type.Unsafe<(typeof OF_USER_FILTERS)[number]>(Choice(OF_USER_FILTERS, { default: 'all' })),
  billing_cycle: PAYMENT.filter.billing_cycle,
  environment: PAYMENT.filter.environment,
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
 * Row → wire; without where the buyer is and what it paid with for who is not proven to be the person
 * (`docs/decisions.md` 3.12).
 */
export const presentPayment = (row: PaymentRow, reader: BoughtReader): Payment =>
  hidesBuyer(row, reader) ? PAYMENT.presentWithheld(row) : PAYMENT.present(row)

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

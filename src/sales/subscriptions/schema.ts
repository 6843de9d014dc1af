import type { Selectable } from 'kysely'
import { Type, type Static } from 'typebox'
import type { SubscriptionsTable } from '../../db/tables/payments.ts'
import {
  Arguments,
  Choice,
  Fields,
  Id,
  Nullable,
  Optional,
  Paging,
  Price,
  Text,
  Time,
} from '../../http/wire.ts'
import { MILLION } from '../quotes/quote.ts'
import { isMinorAmount, MAX_PRICE, toDecimal } from '../../lib/money.ts'
import { SOURCES } from '../../people/users/schema.ts'
import { BOUGHT_FIELDS, CYCLES, presentBought, type BoughtReader } from '../payments/schema.ts'

export type SubscriptionRow = Selectable<SubscriptionsTable>

const SUBSCRIPTION_FIELDS = {
  ...BOUGHT_FIELDS,
  billing_cycle: Choice(CYCLES),
  tax_rate: Type.Number({ description: 'A fraction.' }),
  total_gross: Type.Number({ description: 'Of all payments, with tax.' }),
  amount_per_cycle: Type.Number({ description: 'List price of a cycle, without tax.' }),
  initial_amount: Type.Number({ description: 'First payment, without tax.' }),
  renewal_amount: Type.Number({ description: 'Of a renewal, without tax.' }),
  renewals_discount: Type.Number({ description: 'As renewals_discount_type says.' }),
  renewals_discount_type: Choice(['percentage', 'dollar']),
  outstanding_balance: Type.Number(),
  failed_payments: Type.Integer(),
  trial_ends: Nullable(Time()),
  next_payment: Nullable(Time()),
  canceled_at: Nullable(Time()),
}

/** The contract's `Subscription`. */
export const Subscription = Type.Object(SUBSCRIPTION_FIELDS, { title: 'Subscription' })
export type Subscription = Static<typeof Subscription>

const HAS_DISCOUNT = Type.Boolean({
  description: 'Whether the coupon against cancelling is off its renewals; with enrich_… only.',
})

export const ListedSubscription = Type.Object(
  {
    ...SUBSCRIPTION_FIELDS,
    plan_name: Optional(Nullable(Type.String({ description: 'With extended, as the next three.' }))),
    email: Optional(Nullable(Type.String())),
    url: Optional(Nullable(Type.String())),
    title: Optional(Nullable(Type.String())),
    has_subscription_cancellation_discount: Optional(Nullable(HAS_DISCOUNT)),
  },
  { title: 'SubscriptionExtended' },
)
export type ListedSubscription = Static<typeof ListedSubscription>

export const UpdatedSubscription = Type.Object({
  ...SUBSCRIPTION_FIELDS,
  has_subscription_cancellation_discount: Nullable(HAS_DISCOUNT),
})
export type UpdatedSubscription = Static<typeof UpdatedSubscription>

export const SubscriptionId = Arguments({ subscription_id: Id('ID of the subscription.') })

const FILTERS = ['all', 'active', 'cancelled'] as const
export type SubscriptionFilter = (typeof FILTERS)[number]
const SORTS = ['id', '-id', 'next_payment', '-next_payment'] as const
export type SubscriptionSort = (typeof SORTS)[number]

const listed = (sort: SubscriptionSort) => ({
  search: Optional(Text({ description: 'ID, ID at the gateway, or address of the user.' })),
  gateway: Optional(Choice(['paypal', 'stripe'], { description: 'Only of this gateway.' })),
  plan_id: Optional(Id('Only of this plan.')),
  filter: Type.Unsafe<SubscriptionFilter>(Choice(FILTERS, { default: 'all', description: 'By state.' })),
  extended: Type.Boolean({ default: false, description: 'Adds data of user, install and plan.' }),
  enrich_with_cancellation_discounts: Type.Boolean({
    default: false,
    description: 'Adds whether the coupon against cancelling is off the renewals.',
  }),
  sort: Type.Unsafe<SubscriptionSort>(
    Choice(SORTS, { default: sort, description: 'A minus before it: the highest first.' }),
  ),
  ...Paging,
  ...Fields,
})

/** The contract's subscriptions/list. */
export const SubscriptionList = Arguments({
  billing_cycle: Optional(Choice(CYCLES, { description: 'Only of this cycle, in months; 0: lifetime.' })),
  ...listed('-id'),
})
export type SubscriptionList = Static<typeof SubscriptionList>

/** What the list of a user's subscriptions takes. */
export const UserSubscriptionList = Arguments({
  billing_cycle: Optional(Choice([1, 12], { description: 'Only of this cycle, in months.' })),
  ...listed('id'),
})

const MaybeTime = (description: string) => Optional(Nullable(Text({ max: 19, description })))

/** Why somebody cancels; several reasons with commas between them, or one argument each. */
export const CancelReasons = Arguments({
  reason_ids: Optional(
    Type.String({
      maxLength: 100,
      format: 'ids',
      repeats: true,
      description: 'Reasons, 1 to 15, separated by commas or given again and again.',
    }),
  ),
  reason: Optional(Text({ max: 1_000, format: 'text', description: 'In words, for the reason "other".' })),
  ...Fields,
})
export type CancelReasons = Static<typeof CancelReasons>

export const SubscriptionUpdate = Arguments({
  coupon_id: Optional(Id('The special coupon against cancelling.')),
})
export type SubscriptionUpdate = Static<typeof SubscriptionUpdate>

/** The contract's subscriptions/create-new-migrated-payment. */
export const MigratedPayment = Arguments({
  gross: Optional(Price('Without tax; absent: what a renewal of the subscription comes to.')),
  vat: Type.Refine(
    Type.Number({ minimum: 0, maximum: MAX_PRICE, default: 0, description: 'Tax.' }),
    isMinorAmount,
    () => 'must have at most two decimals',
  ),
  gateway_fee: Type.Refine(
    Type.Number({ minimum: 0, maximum: MAX_PRICE, default: 0, description: 'What the gateway kept.' }),
    isMinorAmount,
    () => 'must have at most two decimals',
  ),
  payment_external_id: Optional(Text({ description: 'Its id where it was made.' })),
  source: Optional(
    Type.Unsafe<keyof typeof SOURCES>(
      Choice(Object.keys(SOURCES), { anyCase: true, description: 'Where; absent: as of the subscription.' }),
    ),
  ),
  processed_at: MaybeTime('When it was paid; absent: now.'),
  next_payment: MaybeTime('When it is paid again; absent: as before.'),
  is_extend_license: Type.Boolean({ default: false, description: 'Whether the license ends a cycle later.' }),
  is_migration: Type.Boolean({ default: false, description: 'True: no events.' }),
})
export type MigratedPayment = Static<typeof MigratedPayment>

/** Row → wire. */
export const presentSubscription = (row: SubscriptionRow, scope: BoughtReader): Subscription => ({
  ...presentBought(row, scope),
  created: row.created,
  billing_cycle: row.billing_cycle,
  tax_rate: row.tax_rate / MILLION,
  total_gross: toDecimal(row.total_gross),
  amount_per_cycle: toDecimal(row.amount_per_cycle),
  initial_amount: toDecimal(row.initial_amount),
  renewal_amount: toDecimal(row.renewal_amount),
  renewals_discount: toDecimal(row.renewals_discount),
  renewals_discount_type: row.renewals_discount_type,
  outstanding_balance: toDecimal(row.outstanding_balance),
  failed_payments: row.failed_payments,
  trial_ends: row.trial_ends,
  next_payment: row.next_payment,
  canceled_at: row.canceled_at,
})

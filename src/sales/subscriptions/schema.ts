import type { Selectable } from 'kysely'
import { Type, type Static } from '../../lib/type.ts'
import type { SubscriptionsTable } from '../../db/tables/payments.ts'
import {
  Arguments,
  Choice,
  Fields,
  Id,
  IdText,
  Nullable,
  Optional,
  OverProducts,
  MadeBetween,
  Paging,
  Price,
  Text,
  Time,
} from '../../http/wire.ts'
import { isMinorAmount, MAX_PRICE } from '../../lib/money.ts'
import { SOURCES } from '../../people/users/schema.ts'
import { hidesBuyer, type BoughtReader } from '../payments/schema.ts'
import { SUBSCRIPTION } from './subscription.entity.ts'

export type SubscriptionRow = Selectable<SubscriptionsTable>

/** The contract's `Subscription`. */
export const Subscription = Type.Object(SUBSCRIPTION.shown, { title: 'Subscription' })
export type Subscription = Static<typeof Subscription>

const HAS_DISCOUNT = Type.Boolean({
  description: 'Whether the coupon against cancelling is off its renewals; with enrich_… only.',
})

export const ListedSubscription = Type.Object(
  {
    ...SUBSCRIPTION.shown,
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
  ...SUBSCRIPTION.shown,
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
  plan_id: SUBSCRIPTION.filter.plan_id,
  filter: Type.Unsafe<SubscriptionFilter>(Choice(FILTERS, { default: 'all', description: 'By state.' })),
  extended: Type.Boolean({ default: false, description: 'Adds data of user, install and plan.' }),
  enrich_with_cancellation_discounts: Type.Boolean({
    default: false,
    description: 'Adds whether the coupon against cancelling is off the renewals.',
  }),
  sort: Type.Unsafe<SubscriptionSort>(
    Choice(SORTS, { default: sort, description: 'A minus before it: the highest first.' }),
  ),
  environment: SUBSCRIPTION.filter.environment,
  ...Paging,
  ...Fields,
})

/** The contract's subscriptions/list. */
export const SubscriptionList = Arguments({
  user_id: SUBSCRIPTION.filter.user_id,
  license_id: SUBSCRIPTION.filter.license_id,
  billing_cycle: SUBSCRIPTION.filter.billing_cycle,
  ...MadeBetween,
  ...listed('-id'),
})
export type SubscriptionList = Static<typeof SubscriptionList>

/** Of an account: over its products. */
export const AccountSubscriptionList = Arguments({ ...SubscriptionList.properties, ...OverProducts })
export type AccountSubscriptionList = Static<typeof AccountSubscriptionList>

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

/** What a buyer may choose besides cancelling, or after it. */
export const SubscriptionChoices = Type.Object(
  {
    next_amount: Nullable(
      Type.Number({
        description:
          'What is charged next, without tax, the first payment after a trial too; null: nothing is charged here.',
      }),
    ),
    resumes_at: Nullable(
      Time('When it is renewed if it is resumed now, before which it can be; null: it cannot.'),
    ),
    offer: Nullable(
      Type.Object(
        {
          coupon_id: IdText('The special coupon against cancelling.'),
          amount: Type.Number({ description: 'Of the next payment, without tax.' }),
          offered_amount: Type.Number({ description: 'The same with the coupon.' }),
          is_lasting: Type.Boolean({ description: 'Off every payment, not the next one alone.' }),
          currency: Type.String(),
        },
        { description: 'Once a license; null: there is none.' },
      ),
    ),
  },
  { title: 'SubscriptionChoices' },
)
export type SubscriptionChoices = Static<typeof SubscriptionChoices>

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

/** Row → wire; as of a payment. */
export const presentSubscription = (row: SubscriptionRow, reader: BoughtReader): Subscription =>
  hidesBuyer(row, reader) ? SUBSCRIPTION.presentWithheld(row) : SUBSCRIPTION.present(row)

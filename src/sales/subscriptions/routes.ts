import { Type } from '../../lib/type.ts'
import { cancelSubscription, subscriptionOfLicense } from './cancel-subscription.ts'
import { discountRenewals } from './discount-renewals.ts'
import { paymentsOfSubscription } from '../payments/list-payments.ts'
import {
  subscriptionsOfAccount,
  subscriptionsOfInstall,
  subscriptionsOfProduct,
  subscriptionsOfUser,
  totalOfSubscriptions,
} from './list-subscriptions.ts'
import { choicesOf } from './retention-offer.ts'
import { resumeSubscription } from './resume-subscription.ts'
import { migratePayment } from '../migration/migrate-payment.ts'
import { readOperation, writeOperation, type AnyOperation } from '../../http/operation.ts'
import { Arguments, Fields, Paging } from '../../http/wire.ts'
import { InstallId } from '../../licensing/installs/schema.ts'
import { LICENSE_OFF } from '../../licensing/installs/emits.ts'
import { LicenseId } from '../../licensing/licenses/schema.ts'
import { Discount, Payment, presentPayment } from '../payments/schema.ts'
import { UserId } from '../../people/users/schema.ts'
import {
  AccountSubscriptionList,
  CancelReasons,
  ListedSubscription,
  MigratedPayment,
  presentSubscription,
  Subscription,
  SubscriptionChoices,
  SubscriptionId,
  SubscriptionList,
  SubscriptionUpdate,
  UpdatedSubscription,
  UserSubscriptionList,
} from './schema.ts'
import { checkMigratedPayment, checkReasons, getSubscription, reasonOf } from './service.ts'

const scopes = ['product', 'developer', 'store'] as const
const withUser = [...scopes, 'user'] as const
const Page = Arguments({ ...Paging, ...Fields })
const listed = Type.Array(ListedSubscription)
/** By the id of the subscription. */
const BySubscription = Type.Unsafe<Record<string, Discount[]>>({
  type: 'object',
  additionalProperties: Type.Array(Discount),
})
const CANCELLED = [
  'subscription.cancelled',
  'license.shortened',
  'install.trial.cancelled',
  'license.cancelled',
  ...LICENSE_OFF,
] as const

const reading: readonly AnyOperation[] = [
  readOperation({
    id: 'subscriptions/list',
    summary: 'List the subscriptions of a product',
    method: 'GET',
    path: '/subscriptions.json',
    scopes,
    access: 'sales.read',
    query: SubscriptionList,
    status: 200,
    response: Type.Object({
      subscriptions: listed,
      discounts: BySubscription,
    }),
    items: 'subscriptions',
    total: (ctx, { scope, query }) => totalOfSubscriptions(ctx, scope, query),
    handle: (ctx, { scope, query }) => subscriptionsOfProduct(ctx, scope, query),
  }),
  readOperation({
    id: 'keywright/list-account-subscriptions',
    summary: 'List the subscriptions of all products of an account',
    method: 'GET',
    path: '/subscriptions.json',
    scopes: ['account'],
    access: 'sales.read',
    isForNarrowed: true,
    query: AccountSubscriptionList,
    status: 200,
    response: Type.Object({
      subscriptions: listed,
      discounts: BySubscription,
    }),
    items: 'subscriptions',
    handle: (ctx, { scope, query }) => subscriptionsOfAccount(ctx, scope, query),
  }),
  readOperation({
    id: 'subscriptions/retrieve',
    summary: 'Retrieve a subscription',
    method: 'GET',
    path: '/subscriptions/{subscription_id}.json',
    scopes: withUser,
    access: 'sales.read',
    params: SubscriptionId,
    query: Arguments(Fields),
    status: 200,
    response: Subscription,
    handle: async (ctx, { scope, params }) =>
      presentSubscription(await getSubscription(ctx, scope, params.subscription_id), scope),
  }),
  readOperation({
    id: 'keywright/retrieve-subscription-choices',
    summary: 'Retrieve what a buyer may choose besides: the coupon against cancelling, or to go on',
    method: 'GET',
    path: '/subscriptions/{subscription_id}/choices.json',
    scopes: withUser,
    access: 'sales.read',
    params: SubscriptionId,
    query: Arguments(Fields),
    status: 200,
    response: SubscriptionChoices,
    handle: (ctx, { scope, params }) => choicesOf(ctx, scope, params.subscription_id),
  }),
  readOperation({
    id: 'subscriptions/list-payments',
    summary: 'List the payments of a subscription, newest first',
    method: 'GET',
    path: '/subscriptions/{subscription_id}/payments.json',
    scopes: withUser,
    access: 'sales.read',
    params: SubscriptionId,
    query: Page,
    status: 200,
    response: Type.Object({ payments: Type.Array(Payment) }),
    items: 'payments',
    handle: (ctx, { scope, params, query }) =>
      paymentsOfSubscription(ctx, scope, params.subscription_id, query),
  }),
  readOperation({
    id: 'users/list-subscriptions',
    summary: 'List the subscriptions of a user',
    method: 'GET',
    path: '/users/{user_id}/subscriptions.json',
    scopes: withUser,
    access: 'sales.read',
    params: UserId,
    query: UserSubscriptionList,
    status: 200,
    response: Type.Object({ subscriptions: listed, discounts: Type.Array(Discount) }),
    items: 'subscriptions',
    handle: (ctx, { scope, params, query }) => subscriptionsOfUser(ctx, scope, params.user_id, query),
  }),
  readOperation({
    id: 'licenses/list-subscriptions',
    summary: 'List the subscriptions of the license on an install, newest first',
    method: 'GET',
    path: '/installs/{install_id}/licenses/{license_id}/subscriptions.json',
    scopes: [...withUser, 'install'],
    access: 'sales.read',
    params: Type.Object({ ...InstallId.properties, ...LicenseId.properties }),
    query: Page,
    status: 200,
    response: Type.Object({ subscriptions: Type.Array(Subscription) }),
    items: 'subscriptions',
    handle: (ctx, { scope, params, query }) => subscriptionsOfInstall(ctx, scope, params, query),
  }),
  readOperation({
    id: 'licenses/retrieve-latest-subscription',
    summary: 'Retrieve the subscription that renews a license, or else its latest one',
    method: 'GET',
    path: '/licenses/{license_id}/subscription.json',
    scopes: withUser,
    access: 'sales.read',
    params: LicenseId,
    query: Arguments(Fields),
    status: 200,
    response: Subscription,
    handle: async (ctx, { scope, params }) =>
      presentSubscription(await subscriptionOfLicense(ctx, scope, params.license_id), scope),
  }),
]

export const subscriptionOperations: readonly AnyOperation[] = [
  ...reading,
  writeOperation({
    id: 'subscriptions/update',
    summary: 'Take the coupon against cancelling off the renewals of a subscription',
    method: 'PUT',
    path: '/subscriptions/{subscription_id}.json',
    scopes: withUser,
    access: 'sales.write',
    portal: ['cancel'],
    params: SubscriptionId,
    query: Arguments(Fields),
    body: SubscriptionUpdate,
    status: 200,
    response: UpdatedSubscription,
    emits: ['subscription.renewals.discounted'],
    refuses: ['coupon_already_used', 'coupon_not_applicable', 'subscription_cancelled'],
    async handle(ctx, { scope, params, body }) {
      const { subscription, hasDiscount } = await discountRenewals(
        ctx,
        scope,
        params.subscription_id,
        body.coupon_id,
      )
      return {
        ...presentSubscription(subscription, scope),
        has_subscription_cancellation_discount: hasDiscount,
      }
    },
  }),
  writeOperation({
    id: 'keywright/resume-subscription',
    summary: 'Let a subscription that was cancelled go on, before its paid period is over',
    method: 'POST',
    path: '/subscriptions/{subscription_id}/resume.json',
    scopes: withUser,
    access: 'sales.write',
    portal: ['resume'],
    params: SubscriptionId,
    query: Arguments(Fields),
    status: 200,
    response: Subscription,
    emits: ['subscription.resumed'],
    refuses: ['account_verification_required', 'subscription_not_resumable'],
    handle: async (ctx, { scope, params }) =>
      presentSubscription(await resumeSubscription(ctx, scope, params.subscription_id), scope),
  }),
  writeOperation({
    id: 'subscriptions/cancel',
    summary: 'Cancel a subscription',
    method: 'DELETE',
    path: '/subscriptions/{subscription_id}.json',
    scopes: withUser,
    access: 'sales.write',
    portal: ['cancel'],
    params: SubscriptionId,
    query: CancelReasons,
    status: 200,
    response: Subscription,
    emits: CANCELLED,
    refuses: ['no_trial'],
    check: (_, { query }, problems) => checkReasons(query, problems),
    handle: async (ctx, { scope, params, query }) =>
      presentSubscription(
        await cancelSubscription(ctx, scope, params.subscription_id, reasonOf(query)),
        scope,
      ),
  }),
  writeOperation({
    id: 'licenses/cancel-current-subscription',
    summary: 'Cancel the subscription that renews a license',
    method: 'DELETE',
    path: '/licenses/{license_id}/subscription.json',
    scopes: withUser,
    access: 'sales.write',
    portal: ['cancel'],
    params: LicenseId,
    query: CancelReasons,
    status: 200,
    response: Subscription,
    emits: CANCELLED,
    refuses: ['no_trial'],
    check: (_, { query }, problems) => checkReasons(query, problems),
    async handle(ctx, { scope, params, query }) {
      const { id } = await subscriptionOfLicense(ctx, scope, params.license_id)
      return presentSubscription(await cancelSubscription(ctx, scope, id, reasonOf(query)), scope)
    },
  }),
  writeOperation({
    id: 'subscriptions/create-new-migrated-payment',
    summary: 'Write down a payment of a subscription that was made elsewhere',
    method: 'POST',
    path: '/subscriptions/{subscription_id}/payments.json',
    scopes,
    access: 'sales.write',
    params: SubscriptionId,
    query: Arguments(Fields),
    body: MigratedPayment,
    status: 200,
    response: Payment,
    emits: ['payment.created', 'license.extended', 'plan.lifetime.purchase'],
    refuses: ['payment_external_id_taken'],
    check: (_, { body }, problems) => checkMigratedPayment(body, problems),
    handle: async (ctx, { scope, params, body }) =>
      presentPayment(await migratePayment(ctx, scope, params.subscription_id, body), scope),
  }),
]

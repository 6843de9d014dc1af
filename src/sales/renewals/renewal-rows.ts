import { batched, inOrder } from '../../db/batched.ts'
import { preparedList } from '../../db/prepared-list.ts'
import { sql } from 'kysely'
import type { Reader } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'
import { notFound } from '../../lib/errors.ts'
import type { UtcTime } from '../../lib/time.ts'

export const EVERY = 'renewals are those of every seller'
export const CLAIMED = 'of a subscription whose renewal the caller has in hand'

/** What a renewal needs to know of products, plans, people and their methods of payment. */
export const aboutRenewals = preparedList((db, ids) =>
  unscoped(db, CLAIMED)
    .selectFrom('subscriptions')
    .innerJoin('products', 'products.id', 'subscriptions.product_id')
    .innerJoin('plans', 'plans.id', 'subscriptions.plan_id')
    .innerJoin('users', 'users.id', 'subscriptions.user_id')
    .leftJoin('payment_methods', 'payment_methods.id', 'subscriptions.payment_method_id')
    .leftJoin('coupons', 'coupons.id', 'subscriptions.coupon_id')
    .leftJoin('coupons as replaced', 'replaced.id', 'subscriptions.replaced_coupon_id')
    .leftJoin('discounts', (join) =>
      join
        .onRef('discounts.entity_id', '=', 'subscriptions.id')
        .onRef('discounts.coupon_id', '=', 'subscriptions.coupon_id')
        .on('discounts.entity_type', '=', 'subscription')
        .on('discounts.type', '=', 'subscription_cancellation'),
    )
    .select([
      'subscriptions.id',
      sql<number | null>`(select max(charges.id) from charges where charges.subscription_id = subscriptions.id
        and charges.purpose = 'renewal' and charges.state in ('started', 'pending'))`.as('open_charge_id'),
      sql<number | null>`(select max(charges.id) from charges where charges.subscription_id = subscriptions.id
        and charges.purpose <> 'renewal' and charges.state in ('started', 'pending'))`.as(
        'other_open_charge_id',
      ),
      'products.developer_id',
      'products.title as product',
      'products.renewal_grace_hours',
      'products.charge_arrears',
      'plans.title as plan',
      'users.email',
      'users.first',
      'users.last',
      'payment_methods.token',
      'payment_methods.gateway as method_gateway',
      'discounts.discount as retention_off',
      'coupons.has_renewals_discount',
      'coupons.discount_type',
      'coupons.discount',
      'coupons.discount_eur',
      'coupons.discount_gbp',
      'replaced.has_renewals_discount as replaced_has_renewals_discount',
      'replaced.discount_type as replaced_discount_type',
      'replaced.discount as replaced_discount',
      'replaced.discount_eur as replaced_discount_eur',
      'replaced.discount_gbp as replaced_discount_gbp',
    ])
    .where('subscriptions.id', 'in', ids),
)
export type AboutRenewal = Awaited<ReturnType<typeof aboutRenewals>>[number]

/** What a renewal of one subscription is about; 404 when it was erased. */
export async function aboutRenewal(db: Reader, id: number): Promise<AboutRenewal> {
  const about = await aboutOne(db, id)
  if (!about) throw notFound('subscription')
  return about
}

const aboutOne = batched({
  many: async (db: Reader, ids: readonly number[]) =>
    inOrder(await aboutRenewals(db, ids), ids, ({ id }) => id),
})

/** How many renewals of each environment each gateway is to charge, whenever they are due. */
export const renewalsByGateway = (db: Reader) =>
  unscoped(db, EVERY)
    .selectFrom('subscriptions')
    .innerJoin('payment_methods', 'payment_methods.id', 'subscriptions.payment_method_id')
    .select(['payment_methods.gateway', 'subscriptions.environment'])
    .select((count) => count.fn.countAll().as('count'))
    .where('subscriptions.canceled_at', 'is', null)
    .where('subscriptions.due_at', 'is not', null)
    .groupBy(['payment_methods.gateway', 'subscriptions.environment'])
    .orderBy('payment_methods.gateway')
    .orderBy('subscriptions.environment')
    .execute()

/**
 * Renewals of production that are due and whose last charge a gateway has not made, with why, those due longest first.
 */
export const unmadeRenewals = (
  db: Reader,
  { now, limit }: { readonly now: UtcTime; readonly limit: number },
) =>
  unscoped(db, EVERY)
    .selectFrom('subscriptions')
    .innerJoin('charges', 'charges.subscription_id', 'subscriptions.id')
    .select(['subscriptions.id', 'charges.gateway', 'charges.details'])
    .where((is) => is('subscriptions.environment', '=', is.lit(0)))
    .where('subscriptions.due_at', '<=', now)
    .where('charges.state', '=', 'unmade')
    .where(
      sql<boolean>`charges.id = (select max(last.id) from charges as last
        where last.subscription_id = subscriptions.id and last.purpose = 'renewal')`,
    )
    .orderBy('subscriptions.due_at')
    .orderBy('subscriptions.id')
    .limit(limit)
    .execute()

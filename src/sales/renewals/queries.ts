import { sql } from 'kysely'
import type { Engine, Reader, Writer } from '../../db/database.ts'
import { holding } from '../../db/hold.ts'
import { REST_MOST_MS } from '../../db/free-charges.ts'
import { columnHasCome, dueWithin } from '../../db/has-come.ts'
import { notLeftAlone } from '../../db/failed-rows.ts'
import { skipLocked } from '../../db/dialect.ts'
import { inList } from '../../db/in-list.ts'
import { unscoped } from '../../db/scoped.ts'
import { notFound } from '../../lib/errors.ts'
import type { UtcTime } from '../../lib/time.ts'
import type { SubscriptionRow } from '../subscriptions/schema.ts'
import type { NoticePlace } from '../../db/waiting.ts'

const EVERY = 'renewals are those of every seller'
const CLAIMED = 'of a subscription whose renewal the caller has in hand'

interface Claim {
  readonly engine: Engine
  readonly place: NoticePlace
  /** Real time, milliseconds. */
  readonly now: number
  readonly leaseMs: number
}

/** Whether a subscription is due in production that nobody has in hand, and renewals do not wait. */
export async function anyToRenew(db: Reader, now: UtcTime, realMs: number): Promise<boolean> {
  const found = await unscoped(db, EVERY)
    .selectFrom('subscriptions')
    .select('id')
    .where((is) => is('environment', '=', is.lit(0)))
    .where('due_at', '<=', now)
    .where(columnHasCome('lease_until', dueWithin(realMs, REST_MOST_MS)))
    .where(notLeftAlone('renew', realMs))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('renewal_watch').select('id').where('held_at', 'is not', null))),
    )
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/**
 * Takes subscriptions that are due for this holder alone, those that are due longest, as `claim` does with rows
 * that are due by real time.
 */
export async function claimRenewals(
  db: Writer,
  { engine, place, now, leaseMs }: Claim,
): Promise<SubscriptionRow[]> {
  const { rows } = await sql<SubscriptionRow>`
    with due as materialized (
      select id from subscriptions
      where ${isIn(place)} and due_at <= ${place.now} and ${columnHasCome('lease_until', dueWithin(now, REST_MOST_MS))}
        and ${notLeftAlone('renew', now)}
      order by due_at, id limit ${place.limit} ${skipLocked(engine)})
    update subscriptions set lease_until = ${now + leaseMs}, fence = fence + 1
    where id in (select id from due)
    returning *`.execute(db)
  return rows
}

const isIn = (place: NoticePlace) =>
  place.environment === 0 ? sql`environment = 0` : sql`environment = 1 and product_id = ${place.productId}`

/** Holds a claimed subscription until the end of the transaction; undefined when another holder has it. */
export const holdClaimed = (db: Writer, { id, fence }: Pick<SubscriptionRow, 'id' | 'fence'>) =>
  holding(
    db,
    unscoped(db, CLAIMED)
      .selectFrom('subscriptions')
      .selectAll()
      .where('id', '=', id)
      .where('fence', '=', fence),
  ).executeTakeFirst()

/** Gives back what was claimed, unless another holder has it since. */
export const giveBackClaimed = async (
  db: Writer,
  claimed: readonly Pick<SubscriptionRow, 'id' | 'fence' | 'lease_until'>[],
): Promise<void> => {
  for (const { id, fence, lease_until: until } of claimed) {
    await unscoped(db, CLAIMED)
      .updateTable('subscriptions')
      .set({ lease_until: 0 })
      .where('id', '=', id)
      .where('fence', '=', fence)
      .where('lease_until', '=', until)
      .execute()
  }
}

export const changeSubscription = (db: Writer, id: number, change: Partial<SubscriptionRow>) =>
  unscoped(db, CLAIMED).updateTable('subscriptions').set(change).where('id', '=', id).execute()

/** What a renewal needs to know of products, plans, people and their methods of payment. */
export const aboutRenewals = (db: Reader, ids: readonly number[]) =>
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
    .where('subscriptions.id', 'in', inList(ids))
    .execute()
export type AboutRenewal = Awaited<ReturnType<typeof aboutRenewals>>[number]

/** What a renewal of one subscription is about; 404 when it was erased. */
export async function aboutRenewal(db: Reader, id: number): Promise<AboutRenewal> {
  const [about] = await aboutRenewals(db, [id])
  if (!about) throw notFound('subscription')
  return about
}

/** Leaves a claimed subscription alone until a real time in milliseconds. */
export const restClaimed = (
  db: Writer,
  { id, fence }: Pick<SubscriptionRow, 'id' | 'fence'>,
  until: number,
) =>
  unscoped(db, CLAIMED)
    .updateTable('subscriptions')
    .set({ lease_until: until })
    .where('id', '=', id)
    .where('fence', '=', fence)
    .execute()

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

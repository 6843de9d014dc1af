import { sql } from 'kysely'
import type { Reader, Writer } from '../db/database.ts'
import type { EventType } from '../lib/event-types.ts'
import type { UtcTime } from '../lib/time.ts'
import type { Buyer } from './demo-year-plan.ts'

/** The first sandbox payment of a user of a product. */
export const findPaymentOf = (db: Reader, productId: number, emailFolded: string) =>
  db
    .selectFrom('payments')
    .innerJoin('users', 'users.id', 'payments.user_id')
    .select(['payments.id', 'payments.refunded_gross'])
    .where('payments.product_id', '=', productId)
    .where('payments.environment', '=', 1)
    .where('payments.type', '=', 'payment')
    .where('users.email_folded', '=', emailFolded)
    .orderBy('payments.id')
    .limit(1)
    .executeTakeFirst()

/** The first of each kind in the sandbox of a product; null where there is none. */
export async function findDemoSales(db: Reader, productId: number) {
  const first = (type: 'payment' | 'refund') =>
    db
      .selectFrom('payments')
      .select(({ fn }) => fn.min<number | null>('id').as('id'))
      .where('product_id', '=', productId)
      .where('environment', '=', 1)
      .where('type', '=', type)
      .$if(type === 'payment', (query) => query.where('subscription_id', 'is not', null))
      .executeTakeFirstOrThrow()
  const subscription = () =>
    db
      .selectFrom('subscriptions')
      .select(({ fn }) => fn.min<number | null>('id').as('id'))
      .where('product_id', '=', productId)
      .where('environment', '=', 1)
      .executeTakeFirstOrThrow()
  const redeemed = await db
    .selectFrom('coupon_redemptions')
    .select(({ fn }) => fn.min<number | null>('coupon_id').as('id'))
    .where('product_id', '=', productId)
    .executeTakeFirstOrThrow()
  return {
    payment_id: (await first('payment')).id,
    subscription_id: (await subscription()).id,
    refund_id: (await first('refund')).id,
    cart_id: (await openCartOf(db, productId))?.id ?? null,
    redeemed_coupon_id: redeemed.id,
  }
}

/** The first cart in the sandbox that was not bought. */
const openCartOf = (db: Reader, productId: number) =>
  db
    .selectFrom('carts')
    .select('id')
    .where('product_id', '=', productId)
    .where('environment', '=', 1)
    .where('completed', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

/** The users of a product, the earliest first, with the country of their billing address, else of where most buy. */
export async function findDemoBuyers(db: Reader, productId: number): Promise<Buyer[]> {
  const rows = await db
    .selectFrom('product_users')
    .innerJoin('users', 'users.id', 'product_users.user_id')
    .leftJoin('billing', 'billing.user_id', 'users.id')
    .select(['users.id', 'users.email', 'product_users.created', 'billing.address_country_code as country'])
    .where('product_users.product_id', '=', productId)
    .orderBy('users.id')
    .execute()
  return rows.map(({ id, email, created, country }) => ({
    userId: id,
    email,
    since: created,
    country: country?.toUpperCase() || 'US',
  }))
}

/** The prices of a product, the first ones first. */
export const findDemoPrices = (db: Reader, productId: number) =>
  db
    .selectFrom('pricing')
    .select(['plan_id', 'id as pricing_id', 'currency', 'monthly_price', 'annual_price', 'lifetime_price'])
    .where('product_id', '=', productId)
    .orderBy('id')
    .execute()

export type DemoPrice = Awaited<ReturnType<typeof findDemoPrices>>[number]

/** The first payment of a product that is none of its sandbox. */
export const findLivePayment = (db: Reader, productId: number) =>
  db
    .selectFrom('payments')
    .select('id')
    .where('product_id', '=', productId)
    .where('environment', '=', 0)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

/** The newest trial and the first listener of a product; undefined where there is none of one of them. */
export const findDemoVisit = (db: Reader, productId: number) =>
  db
    .selectFrom('trials')
    .innerJoin('webhooks', 'webhooks.product_id', 'trials.product_id')
    .select(['trials.install_id', 'webhooks.id as webhook_id'])
    .where('trials.product_id', '=', productId)
    .orderBy('trials.id', 'desc')
    .orderBy('webhooks.id')
    .limit(1)
    .executeTakeFirst()

/** Of what the listener of a product asked for, one in thirty was refused and the rest delivered. */
export const settleDemoEvents = (db: Writer, productId: number, types: readonly EventType[]) =>
  db
    .updateTable('events')
    .set({
      state: sql<'processed'>`case when id % 30 = 0 then 'error' else 'processed' end`,
      process_time: sql<UtcTime>`created`,
    })
    .where('product_id', '=', productId)
    .where('type', 'in', types as EventType[])
    .where('state', '=', 'canceled')
    .execute()

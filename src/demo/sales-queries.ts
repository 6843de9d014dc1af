import type { Reader, Writer } from '../db/database.ts'
import { unscoped } from '../db/scoped.ts'
import type { UtcTime } from '../lib/time.ts'

const DEMO = 'of the seller of the demo and its products'

/** The first sandbox payment of a user of a product. */
export const findPaymentOf = (db: Reader, productId: number, emailFolded: string) =>
  unscoped(db, DEMO)
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

/** A sandbox trial of a user of a product. */
export const findTrialOf = (db: Reader, productId: number, emailFolded: string) =>
  unscoped(db, DEMO)
    .selectFrom('trials')
    .innerJoin('users', 'users.id', 'trials.user_id')
    .select('trials.id')
    .where('trials.product_id', '=', productId)
    .where('trials.environment', '=', 1)
    .where('users.email_folded', '=', emailFolded)
    .limit(1)
    .executeTakeFirst()

/** The first of each kind in the sandbox of a product; null where there is none. */
export async function findDemoSales(db: Reader, productId: number) {
  const first = (type: 'payment' | 'refund') =>
    unscoped(db, DEMO)
      .selectFrom('payments')
      .select(({ fn }) => fn.min<number | null>('id').as('id'))
      .where('product_id', '=', productId)
      .where('environment', '=', 1)
      .where('type', '=', type)
      .$if(type === 'payment', (query) => query.where('subscription_id', 'is not', null))
      .executeTakeFirstOrThrow()
  const subscription = () =>
    unscoped(db, DEMO)
      .selectFrom('subscriptions')
      .select(({ fn }) => fn.min<number | null>('id').as('id'))
      .where('product_id', '=', productId)
      .where('environment', '=', 1)
      .executeTakeFirstOrThrow()
  const redeemed = await unscoped(db, DEMO)
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
  unscoped(db, DEMO)
    .selectFrom('carts')
    .select('id')
    .where('product_id', '=', productId)
    .where('environment', '=', 1)
    .where('completed', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

/** The prices of a product, the first ones first. */
export const findDemoPrices = (db: Reader, productId: number) =>
  unscoped(db, DEMO)
    .selectFrom('pricing')
    .select(['plan_id', 'id as pricing_id', 'licenses', 'currency'])
    .select(['monthly_price', 'annual_price', 'lifetime_price'])
    .where('product_id', '=', productId)
    .orderBy('id')
    .execute()

export type DemoPrice = Awaited<ReturnType<typeof findDemoPrices>>[number]

/** The first payment of a product that is none of its sandbox. */
export const findLivePayment = (db: Reader, productId: number) =>
  unscoped(db, DEMO)
    .selectFrom('payments')
    .select('id')
    .where('product_id', '=', productId)
    .where('environment', '=', 0)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

/** The newest trial and the first listener of a product; undefined where there is none of one of them. */
export const findDemoVisit = (db: Reader, productId: number) =>
  unscoped(db, DEMO)
    .selectFrom('trials')
    .innerJoin('webhooks', 'webhooks.product_id', 'trials.product_id')
    .select(['trials.install_id', 'webhooks.id as webhook_id', 'webhooks.is_active'])
    .where('trials.product_id', '=', productId)
    .orderBy('trials.id', 'desc')
    .orderBy('webhooks.id')
    .limit(1)
    .executeTakeFirst()

/** Up to when the live history of a demo is written; undefined: it does not go on. */
export const findDemoMark = (db: Reader, developerId: number) =>
  unscoped(db, DEMO)
    .selectFrom('demos')
    .select(['begun_ms', 'booked_ms'])
    .where('developer_id', '=', developerId)
    .executeTakeFirst()

/** Begins the history of a demo that is made at a moment, milliseconds: nothing of it is written yet. */
export const insertDemoMark = (db: Writer, developerId: number, begun_ms: number) =>
  db.insertInto('demos').values({ developer_id: developerId, begun_ms, booked_ms: 0 }).execute()

/** Of any number that write the same stretch one does. */
export async function moveDemoMark(
  db: Writer,
  developerId: number,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<boolean> {
  const { numUpdatedRows } = await unscoped(db, DEMO)
    .updateTable('demos')
    .set({ booked_ms: to })
    .where('developer_id', '=', developerId)
    .where('booked_ms', '=', from)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The first payment of a sale of the demo by its name, with the newest subscription of its license. */
export async function findDemoSale(db: Reader, productId: number, name: string) {
  const payment = await unscoped(db, DEMO)
    .selectFrom('payments')
    .select(['id', 'gross', 'tax', 'license_id'])
    .where('product_id', '=', productId)
    .where('external_id', '=', `${name}-0`)
    .executeTakeFirst()
  if (!payment) return undefined
  const subscription = await unscoped(db, DEMO)
    .selectFrom('subscriptions')
    .selectAll()
    .where('license_id', '=', payment.license_id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { ...payment, subscription }
}

/** The live installs of products. */
export const findDemoInstalls = (db: Reader, productIds: readonly number[]) =>
  unscoped(db, DEMO)
    .selectFrom('installs')
    .select(['id', 'uid', 'url', 'is_active', 'last_seen_at', 'created', 'updated'])
    .where('product_id', 'in', productIds)
    .where('environment', '=', 0)
    .execute()
export type DemoInstall = Awaited<ReturnType<typeof findDemoInstalls>>[number]

export const setSeen = (db: Writer, id: number, at: UtcTime) =>
  unscoped(db, DEMO).updateTable('installs').set({ last_seen_at: at }).where('id', '=', id).execute()

/** Whether a client of a product was refused anything since a time, on production. */
export const isRefusedSince = async (db: Reader, productId: number, time: UtcTime): Promise<boolean> =>
  (await unscoped(db, DEMO)
    .selectFrom('refusals')
    .select('id')
    .where('product_id', '=', productId)
    .where('environment', '=', 0)
    .where('last_at', '>', time)
    .limit(1)
    .executeTakeFirst()) !== undefined

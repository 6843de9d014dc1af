import type { Reader } from '../db/database.ts'
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

/** The users of a product, the earliest first, with the country of their billing address. */
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
    country: country?.toUpperCase() || null,
  }))
}

/** The prices of a product in US dollars, the first ones first. */
export const findDemoPrices = (db: Reader, productId: number) =>
  db
    .selectFrom('pricing')
    .select(['plan_id', 'id as pricing_id', 'monthly_price', 'annual_price', 'lifetime_price'])
    .where('product_id', '=', productId)
    .where('currency', '=', 'usd')
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

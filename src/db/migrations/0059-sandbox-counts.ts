import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf, type Words } from '../dialect.ts'

/**
 * What the sandbox redeems of a coupon is counted for itself, and what it has redeemed so far is no longer live. A
 * license says when a change by its key alone was begun, and carts that were never bought are found by age.
 */
export async function up(db: Writer, engine: Engine): Promise<void> {
  const statements = [...licenses(wordsOf(engine)), ...coupons, ...carts, ...redemptions, ...moves]
  for (const statement of statements) await statement.execute(db)
  await moveWhatIsBeingPaid(db)
}

const licenses = ({ text }: Words) => [sql`alter table licenses add column key_change_at ${text}`]

const coupons = [sql`alter table coupons add column sandbox_redemptions bigint not null default 0`]

const carts = [
  // The job `prune`: carts that were never bought, longest left first.
  sql`create index carts_left on carts (last_visit, id) where completed is null`,
]

const redemptions = [
  sql`alter table coupon_redemptions add column environment smallint not null default 0`,
  sql`drop index coupon_redemptions_once`,
  // A coupon that is one per user has one redemption of a user, live and in the sandbox.
  sql`create unique index coupon_redemptions_once on coupon_redemptions (coupon_id, user_id, environment)
    where is_one_per_user = 1`,
]

/** What was bought with the coupon of a redemption by its user: a trial has a subscription, and no payment. */
const bought = (environment: 0 | 1, also = sql``) => sql`(
  exists (select 1 from payments one where one.user_id = coupon_redemptions.user_id
    and one.product_id = coupon_redemptions.product_id and one.coupon_id = coupon_redemptions.coupon_id
    and one.type = 'payment' and one.environment = ${sql.lit(environment)} ${also})
  or exists (select 1 from subscriptions one where one.user_id = coupon_redemptions.user_id
    and one.product_id = coupon_redemptions.product_id and one.coupon_id = coupon_redemptions.coupon_id
    and one.trial_ends > one.created and one.environment = ${sql.lit(environment)} ${also}))`

const inSandbox = sql`(select count(*) from coupon_redemptions
  where coupon_redemptions.coupon_id = coupons.id and coupon_redemptions.environment = 1)`

const moves = [
  sql`update coupon_redemptions set environment = 1 where ${bought(1)}
    and (not ${bought(0)} or ${bought(1, sql`and one.created = coupon_redemptions.created`)})`,
  sql`update coupons set sandbox_redemptions = ${inSandbox},
    redemptions = case when redemptions > ${inSandbox} then redemptions - ${inSandbox} else 0 end
    where exists (select 1 from coupon_redemptions
      where coupon_redemptions.coupon_id = coupons.id and coupon_redemptions.environment = 1)`,
  sql`update checkout_guards set name = name || ':' ||
    (select cast(checkouts.environment as text) from checkouts where checkouts.id = checkout_guards.checkout_id)
    where name like 'coupon:%'
      and exists (select 1 from checkouts where checkouts.id = checkout_guards.checkout_id)`,
]

/** What is begun to be paid has taken its redemption, which it gives back to the count of its environment. */
async function moveWhatIsBeingPaid(db: Writer): Promise<void> {
  const { rows } = await sql<{ details: string }>`select details from charges
    where environment = 1 and state in ('started', 'pending') and details like '%"couponId":%'`.execute(db)
  for (const { details } of rows) {
    const { priced } = JSON.parse(details) as { readonly priced?: { readonly couponId?: number | null } }
    if (typeof priced?.couponId !== 'number') continue
    await sql`update coupons set redemptions = redemptions - 1, sandbox_redemptions = sandbox_redemptions + 1
      where id = ${priced.couponId} and redemptions > 0`.execute(db)
  }
}

import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf, type Words } from '../dialect.ts'

export async function up(db: Writer, engine: Engine): Promise<void> {
  const words = wordsOf(engine)
  const subjects = [coupons, redemptions, specialCoupons, notes]
  for (const statement of subjects.flatMap((subject) => subject(words))) await statement.execute(db)
}

/** A deleted coupon stays for the payments that name it, outside every index that lists or finds one. */
const coupons = ({ id, text }: Words) => [
  sql`create table coupons (
    id ${id},
    product_id bigint references products (id),
    store_id bigint references stores (id),
    code ${text} not null,
    code_folded ${text} not null,
    discount_type ${text} not null,
    discount bigint not null,
    discount_eur bigint,
    discount_gbp bigint,
    plans ${text},
    licenses ${text},
    billing_cycles ${text},
    user_type ${text} not null,
    start_date ${text} not null,
    end_date ${text} not null,
    redemptions bigint not null,
    redemptions_limit bigint,
    has_renewals_discount smallint not null,
    has_addons_discount smallint not null,
    is_one_per_user smallint not null,
    is_active smallint not null,
    source smallint not null,
    deleted_at ${text},
    created ${text} not null,
    updated ${text},
    check ((product_id is null) <> (store_id is null)))`,
  // The list of a product's coupons, newest first.
  sql`create index coupons_of_product on coupons (product_id, id)
    where product_id is not null and deleted_at is null`,
  // The coupon of a code in a product, and lists by the beginning of a code.
  sql`create index coupons_of_product_by_code on coupons (product_id, code_folded, id)
    where product_id is not null and deleted_at is null`,
  // The list of a store's coupons, newest first.
  sql`create index coupons_of_store on coupons (store_id, id)
    where store_id is not null and deleted_at is null`,
  // The coupon of a code in a store, and lists by the beginning of a code.
  sql`create index coupons_of_store_by_code on coupons (store_id, code_folded, id)
    where store_id is not null and deleted_at is null`,
]

const redemptions = ({ id, text }: Words) => [
  sql`create table coupon_redemptions (
    id ${id},
    product_id bigint not null references products (id),
    coupon_id bigint not null references coupons (id),
    user_id bigint not null references users (id),
    is_one_per_user smallint not null,
    created ${text} not null)`,
  // Whether a user has redeemed a coupon.
  sql`create index coupon_redemptions_of_user on coupon_redemptions (coupon_id, user_id)`,
  // A coupon that is one per user has one redemption of a user.
  sql`create unique index coupon_redemptions_once on coupon_redemptions (coupon_id, user_id)
    where is_one_per_user = 1`,
]

const specialCoupons = ({ id, text }: Words) => [
  sql`create table special_coupons (
    id ${id},
    product_id bigint not null references products (id),
    coupon_id bigint not null references coupons (id),
    type ${text} not null,
    created ${text} not null,
    updated ${text},
    unique (product_id, type))`,
  // The purposes of a coupon, which end when it is deleted.
  sql`create index special_coupons_by_coupon on special_coupons (coupon_id)`,
]

const notes = ({ id, text }: Words) => [
  sql`create table notes (
    id ${id},
    product_id bigint not null references products (id),
    entity_type ${text} not null,
    entity_id bigint not null,
    note ${text} not null,
    created ${text} not null,
    updated ${text},
    unique (product_id, entity_type, entity_id))`,
  // The notes on what was deleted, of every product.
  sql`create index notes_by_entity on notes (entity_type, entity_id)`,
]

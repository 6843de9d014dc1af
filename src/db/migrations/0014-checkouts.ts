import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { wordsOf, type Words } from '../dialect.ts'

export async function up(db: Writer, engine: Engine): Promise<void> {
  const words = wordsOf(engine)
  const subjects = [checkouts, checkoutGuards, redemptions, charges]
  for (const statement of subjects.flatMap((subject) => subject(words))) await statement.execute(db)
}

const checkouts = ({ id, text }: Words) => [
  sql`create table checkouts (
    id ${id},
    product_id bigint not null references products (id),
    token_hash ${text} not null unique,
    environment smallint not null,
    state ${text} not null,
    attempt bigint not null,
    user_id bigint references users (id),
    cart_id bigint,
    plan_id bigint not null references plans (id),
    pricing_id bigint not null references pricing (id),
    billing_cycle smallint not null,
    coupon_code ${text},
    email ${text} not null,
    first ${text} not null,
    last ${text} not null,
    country_code ${text},
    region ${text},
    zip_postal_code ${text},
    vat_id ${text},
    vat_country ${text},
    vat_check ${text},
    is_readonly smallint not null,
    is_recorded smallint not null,
    visitor ${text},
    ip ${text},
    redirect_url ${text},
    charge_id bigint references charges (id),
    payment_id bigint references payments (id),
    subscription_id bigint references subscriptions (id),
    license_id bigint references licenses (id) on delete set null,
    expires_at ${text} not null,
    created ${text} not null,
    updated ${text})`,
  // The job `prune`: checkouts that have expired.
  sql`create index checkouts_expiry on checkouts (expires_at, id)`,
  // The checkout that a charge is of.
  sql`create index checkouts_of_charge on checkouts (charge_id) where charge_id is not null`,
  // The foreign key: checkouts whose license is deleted.
  sql`create index checkouts_of_license on checkouts (license_id) where license_id is not null`,
  // Whether somebody pays for a plan; the open checkouts that go with it.
  sql`create index checkouts_of_plan on checkouts (plan_id)`,
  // Whether somebody pays for a price; whether a buyer has bought at it.
  sql`create index checkouts_of_pricing on checkouts (pricing_id)`,
]

const checkoutGuards = ({ text }: Words) => [
  sql`create table checkout_guards (
    name ${text} not null,
    email_folded ${text} not null,
    checkout_id bigint not null,
    until_ms bigint not null,
    primary key (name, email_folded))`,
  // What a checkout keeps, and lets go of.
  sql`create index checkout_guards_of_checkout on checkout_guards (checkout_id)`,
  // The job `prune`: guards that are over.
  sql`create index checkout_guards_until on checkout_guards (until_ms)`,
]

const redemptions = () => [
  // Which coupons a buyer has redeemed.
  sql`create index coupon_redemptions_by_person on coupon_redemptions (user_id)`,
]

const charges = () => [
  // The job `settle-purchases`: charges that are not decided, longest left first.
  sql`create index charges_of_purchases on charges (lease_until, id)
    where purpose = 'purchase' and state in ('started', 'pending')`,
]

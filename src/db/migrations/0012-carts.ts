import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { countRows, wordsOf, type Words } from '../dialect.ts'

export async function up(db: Writer, engine: Engine): Promise<void> {
  const words = wordsOf(engine)
  const subjects = [carts, cartLists, recovery, referringCarts, cartEvents, sandboxClocks, sandboxTimeline]
  for (const statement of subjects.flatMap((subject) => subject(words))) await statement.execute(db)
  const counted = [countRows(engine, 'carts', 'id'), countRows(engine, 'sandbox_timeline', 'id')]
  for (const statement of counted.flat()) await statement.execute(db)
}

const carts = ({ id, text }: Words) => [
  sql`create table carts (
    id ${id},
    product_id bigint not null references products (id),
    environment smallint not null,
    status ${text} not null,
    mode ${text} not null,
    payment_method ${text} not null,
    plan_id bigint references plans (id) on delete set null,
    pricing_id bigint references pricing (id) on delete set null,
    is_trial smallint not null,
    billing_cycle smallint not null,
    licenses bigint,
    currency ${text} not null,
    price bigint not null,
    gross bigint,
    coupon_id bigint references coupons (id),
    coupon_code ${text},
    install_id bigint references installs (id) on delete set null,
    user_id bigint references users (id),
    visitor ${text},
    country_code ${text},
    zip_postal_code ${text} not null,
    vat_id ${text},
    email ${text} not null,
    email_folded ${text} not null,
    first ${text} not null,
    last ${text} not null,
    ip ${text} not null,
    url ${text} not null,
    is_disabled smallint not null,
    is_unsubscribed smallint not null,
    visited ${text} not null,
    last_visit ${text} not null,
    completed ${text},
    recover_at ${text},
    created ${text} not null,
    updated ${text})`,
  // One open cart an address.
  sql`create unique index carts_open_by_email on carts (product_id, environment, email_folded)
    where completed is null and email_folded <> ''`,
  // One open cart a visitor.
  sql`create unique index carts_open_by_visitor on carts (product_id, environment, visitor)
    where completed is null and visitor is not null`,
]

const cartLists = () => [
  // The list of a product's carts, newest first.
  sql`create index carts_of_product on carts (product_id, id)`,
  // The lists of completed and of recovered carts, newest first.
  sql`create index carts_by_status on carts (product_id, status, id)`,
  // The list of an address's carts, newest first; whether it wants no mails.
  sql`create index carts_by_email on carts (product_id, email_folded, id)`,
  // The list of carts that mails still go to, newest first.
  sql`create index carts_in_recovery on carts (product_id, id)
    where recover_at is not null and status in ('abandoned', 'email_1_sent', 'email_2_sent')`,
  // The list of carts that were left, newest first.
  sql`create index carts_abandoned on carts (product_id, id)
    where status in ('abandoned', 'email_1_sent', 'email_2_sent', 'email_3_sent')`,
  // The list of carts that were not left, newest first.
  sql`create index carts_active on carts (product_id, id) where status in ('pricing_visit', 'visit')`,
]

const recovery = () => [
  // The job `recover-carts`: carts that are due, longest due first.
  sql`create index carts_to_recover on carts (recover_at, id) where recover_at is not null and environment = 0`,
  // Carts that are due in one sandbox; which sandboxes wait for one.
  sql`create index carts_to_recover_in_sandbox on carts (product_id, recover_at, id)
    where recover_at is not null and environment = 1`,
]

const referringCarts = () => [
  // The foreign key: carts of a plan that is deleted.
  sql`create index carts_of_plan on carts (plan_id) where plan_id is not null`,
  // The foreign key: carts of a price that is deleted.
  sql`create index carts_of_pricing on carts (pricing_id) where pricing_id is not null`,
  // The foreign key: carts of an install that is deleted.
  sql`create index carts_of_install on carts (install_id) where install_id is not null`,
]

const cartEvents = () => [
  sql`alter table events add column cart_id bigint`,
  // The log of a cart, newest first.
  sql`create index events_of_cart on events (cart_id, id) where cart_id is not null`,
]

const sandboxClocks = ({ id, text }: Words) => [
  sql`create table sandbox_clocks (
    id ${id},
    product_id bigint not null unique references products (id),
    state ${text} not null,
    ahead_ms bigint not null,
    at_ms bigint,
    target_ms bigint,
    ready_at bigint not null,
    due_at bigint,
    lease_until bigint not null,
    fence bigint not null)`,
  // The job `advance-sandboxes`: clocks that are being moved.
  sql`create index sandbox_clocks_due on sandbox_clocks (due_at, id) where due_at is not null`,
  // The clocks that were moved since a process read them.
  sql`create index sandbox_clocks_by_ready on sandbox_clocks (ready_at)`,
]

const sandboxTimeline = ({ id, text }: Words) => [
  sql`create table sandbox_timeline (
    id ${id},
    product_id bigint not null references products (id),
    at ${text} not null,
    what ${text} not null,
    type ${text} not null,
    data ${text} not null)`,
  // The timeline of a sandbox, newest first.
  sql`create index sandbox_timeline_of_product on sandbox_timeline (product_id, id)`,
]

import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { countRows, wordsOf, type Words } from '../dialect.ts'

export async function up(db: Writer, engine: Engine): Promise<void> {
  const words = wordsOf(engine)
  const subjects = [
    gracePeriods,
    paymentMethods,
    subscriptions,
    payments,
    subscriptionLists,
    paymentLists,
    charges,
    gatewayEvents,
    postings,
    trials,
    discounts,
  ]
  for (const statement of subjects.flatMap((subject) => subject(words))) await statement.execute(db)
  const counted = [countRows(engine, 'payments', 'id'), countRows(engine, 'subscriptions', 'id')]
  for (const statement of counted.flat()) await statement.execute(db)
}

/** What a payment and a subscription both say of what was bought, and by whom. */
const bought = (text: Words['text']) => sql`
  product_id bigint not null references products (id),
  user_id bigint not null references users (id),
  install_id bigint references installs (id) on delete set null,
  plan_id bigint not null references plans (id),
  pricing_id bigint references pricing (id),
  license_id bigint references licenses (id) on delete set null,
  coupon_id bigint references coupons (id),
  payment_method_id bigint references payment_methods (id) on delete set null,
  external_id ${text},
  gateway ${text},
  billing_cycle smallint not null,
  currency ${text} not null,
  tax_rate bigint not null,
  country_code ${text},
  zip_postal_code ${text},
  vat_id ${text},
  ip ${text},
  source smallint not null,
  environment smallint not null`

const gracePeriods = () => [
  sql`alter table products add column renewal_grace_hours bigint not null default 24`,
]

const paymentMethods = ({ id, text }: Words) => [
  sql`create table payment_methods (
    id ${id},
    product_id bigint not null references products (id),
    user_id bigint not null references users (id),
    gateway ${text} not null,
    kind ${text} not null,
    token ${text} not null,
    brand ${text},
    last4 ${text},
    expiry_month smallint,
    expiry_year smallint,
    environment smallint not null,
    created ${text} not null,
    updated ${text})`,
  // The list of a user's cards, newest first.
  sql`create index payment_methods_of_user on payment_methods (user_id, product_id, id)`,
]

const subscriptions = ({ id, text }: Words) => [
  sql`create table subscriptions (
    id ${id},
    ${bought(text)},
    region ${text},
    amount_per_cycle bigint not null,
    initial_amount bigint not null,
    renewals_discount bigint not null,
    renewals_discount_type ${text} not null,
    renewal_amount bigint not null,
    total_gross bigint not null,
    outstanding_balance bigint not null,
    failed_payments bigint not null,
    trial_ends ${text},
    period_anchor ${text} not null,
    period_start ${text} not null,
    next_payment ${text},
    canceled_at ${text},
    due_at ${text},
    attempt bigint not null,
    lease_until bigint not null,
    fence bigint not null,
    created ${text} not null,
    updated ${text})`,
  // One subscription a license that is not cancelled.
  sql`create unique index subscriptions_renewing on subscriptions (license_id)
    where license_id is not null and canceled_at is null`,
  // A product has one subscription with an id at a gateway.
  sql`create unique index subscriptions_by_external_id on subscriptions (product_id, external_id, gateway)
    where external_id is not null`,
  // The subscriptions of a license, latest first.
  sql`create index subscriptions_of_license on subscriptions (license_id, id) where license_id is not null`,
  // The list of a user's subscriptions, newest first.
  sql`create index subscriptions_of_user on subscriptions (user_id, product_id, id)`,
  // The foreign key: subscriptions of an install that is deleted.
  sql`create index subscriptions_of_install on subscriptions (install_id) where install_id is not null`,
  // Whether a price was subscribed to.
  sql`create index subscriptions_of_pricing on subscriptions (pricing_id) where pricing_id is not null`,
  // The job `renew`: renewals that are due, longest due first.
  sql`create index subscriptions_due on subscriptions (due_at, id) where due_at is not null and environment = 0`,
  // Renewals that are due in one sandbox; which sandboxes wait for one.
  sql`create index subscriptions_due_in_sandbox on subscriptions (product_id, due_at, id)
    where due_at is not null and environment = 1`,
]

const payments = ({ id, text }: Words) => [
  sql`create table payments (
    id ${id},
    ${bought(text)},
    subscription_id bigint references subscriptions (id),
    bound_payment_id bigint references payments (id),
    type ${text} not null,
    gross bigint not null,
    tax bigint not null,
    tax_rule ${text},
    gateway_fee bigint not null,
    refunded_gross bigint not null,
    refunded_tax bigint not null,
    is_renewal smallint not null,
    refund_reason ${text},
    processed_at ${text} not null,
    created ${text} not null,
    updated ${text},
    check (refunded_gross >= 0 and refunded_tax >= 0
      and (type <> 'payment' or (refunded_gross <= gross and refunded_tax <= tax))))`,
  // A product has one payment of each type with an id at a gateway.
  sql`create unique index payments_by_external_id on payments (product_id, external_id, gateway, type)
    where external_id is not null and gateway is not null`,
  // A license has one payment of each type with an id that was brought along.
  sql`create unique index payments_migrated on payments (product_id, external_id, type, license_id)
    where external_id is not null and gateway is null`,
  // One dispute a payment.
  sql`create unique index payments_disputed on payments (bound_payment_id) where type = 'disputed'`,
  // One end of a dispute.
  sql`create unique index payments_dispute_closed on payments (bound_payment_id)
    where type in ('won_dispute', 'lost_dispute')`,
  // The refunds and disputes of a payment.
  sql`create index payments_bound on payments (bound_payment_id) where bound_payment_id is not null`,
  // The list of a user's payments, newest first.
  sql`create index payments_of_user on payments (user_id, product_id, id)`,
  // The payments of a license, newest first.
  sql`create index payments_of_license on payments (license_id, product_id, id) where license_id is not null`,
  // The payments of a subscription, newest first.
  sql`create index payments_of_subscription on payments (subscription_id, product_id, id) where subscription_id is not null`,
  // The foreign key: payments of an install that is deleted.
  sql`create index payments_of_install on payments (install_id) where install_id is not null`,
  // Whether anything was paid for a plan.
  sql`create index payments_of_plan on payments (plan_id, id)`,
  // Whether anything was paid for a price.
  sql`create index payments_of_pricing on payments (pricing_id) where pricing_id is not null`,
]

/** An index for each filter and sort of the list of a product's subscriptions. */
const subscriptionLists = () => [
  // All of them, by id.
  sql`create index subscriptions_of_product on subscriptions (product_id, id)`,
  // Those of a plan, and whether it has any.
  sql`create index subscriptions_of_plan on subscriptions (plan_id, product_id, id)`,
  // Those of a cycle.
  sql`create index subscriptions_of_cycle on subscriptions (product_id, billing_cycle, id)`,
  // Those of a gateway.
  sql`create index subscriptions_of_gateway on subscriptions (product_id, gateway, id)`,
  // Those that are not cancelled.
  sql`create index subscriptions_active on subscriptions (product_id, id) where canceled_at is null`,
  // Those that are cancelled.
  sql`create index subscriptions_cancelled on subscriptions (product_id, id) where canceled_at is not null`,
  // A search for the id at a gateway.
  sql`create index subscriptions_found_by_external_id on subscriptions (product_id, external_id)
    where external_id is not null`,
  // By the next payment, earliest first, those without one last.
  sql`create index subscriptions_by_next on subscriptions (product_id, coalesce(next_payment, '9'), id)`,
  // By the next payment, latest first, those without one last.
  sql`create index subscriptions_by_last on subscriptions (product_id, coalesce(next_payment, '0'), id)`,
]

/** An index for each filter of the list of a product's payments, newest first. */
const paymentLists = () => [
  // All of them, newest first.
  sql`create index payments_of_product on payments (product_id, id)`,
  // Those of a cycle.
  sql`create index payments_of_cycle on payments (product_id, billing_cycle, id)`,
  // Those in a currency.
  sql`create index payments_of_currency on payments (product_id, currency, id)`,
  // Those with a coupon.
  sql`create index payments_of_coupon on payments (coupon_id, product_id, id) where coupon_id is not null`,
  // Refunds, and disputes by how they stand.
  sql`create index payments_of_type on payments (product_id, type, id)`,
  // Those of which nothing was given back.
  sql`create index payments_kept on payments (product_id, type, id)
    where refunded_gross = 0 and refunded_tax = 0`,
  // A search for the id at a gateway.
  sql`create index payments_found_by_external_id on payments (product_id, external_id)
    where external_id is not null`,
  // Those of a stretch of time; the figures of one.
  sql`create index payments_by_time on payments (product_id, processed_at, id)`,
]

const charges = ({ id, text }: Words) => [
  sql`create table charges (
    id ${id},
    key ${text} not null unique,
    product_id bigint not null references products (id),
    user_id bigint references users (id),
    environment smallint not null,
    purpose ${text} not null,
    subscription_id bigint references subscriptions (id),
    payment_id bigint references payments (id),
    amount bigint not null,
    currency ${text} not null,
    gateway ${text} not null,
    state ${text} not null,
    external_id ${text},
    details ${text},
    outcome_id bigint references payments (id),
    lease_until bigint not null,
    settled_at ${text},
    created ${text} not null,
    updated ${text})`,
  // The jobs `settle-refunds` and `settle-renewals`: charges that are not decided, longest left first.
  sql`create index charges_open on charges (lease_until, id) where state in ('started', 'pending')`,
  // The refunds of a payment, in order.
  sql`create index charges_of_payment on charges (payment_id, id) where payment_id is not null`,
  // The charges of a subscription: whether one is not decided.
  sql`create index charges_of_subscription on charges (subscription_id, id) where subscription_id is not null`,
  // The charge that a gateway reports by its own id.
  sql`create index charges_by_external_id on charges (external_id, gateway) where external_id is not null`,
]

const gatewayEvents = ({ id, text }: Words) => [
  sql`create table gateway_events (
    id ${id},
    gateway ${text} not null,
    event_id ${text} not null,
    created ${text} not null,
    unique (gateway, event_id))`,
]

const postings = ({ id, text }: Words) => [
  sql`create table postings (
    id ${id},
    payment_id bigint not null references payments (id),
    account ${text} not null,
    currency ${text} not null,
    amount bigint not null,
    environment smallint not null,
    product_id bigint not null references products (id),
    created ${text} not null)`,
  // The postings of a payment.
  sql`create index postings_of_payment on postings (payment_id, id)`,
  // The postings of a product by time; no query reads by it.
  sql`create index postings_of_product on postings (product_id, created, id)`,
]

const trials = () => [
  // The trial of a subscription.
  sql`create index trials_of_subscription on trials (subscription_id) where subscription_id is not null`,
]

const discounts = ({ id, text }: Words) => [
  sql`create table discounts (
    id ${id},
    product_id bigint not null references products (id),
    entity_type ${text} not null,
    entity_id bigint not null,
    type ${text} not null,
    discount bigint not null,
    coupon_id bigint references coupons (id),
    license_id bigint,
    created ${text} not null,
    updated ${text})`,
  // One discount of a type on a payment or subscription.
  sql`create unique index discounts_of_entity on discounts (entity_type, entity_id, type)`,
  // A license has one discount against cancelling.
  sql`create unique index discounts_once_per_license on discounts (license_id)
    where license_id is not null and type = 'subscription_cancellation'`,
]

import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { appendOnly, wordsOf, type Words } from '../dialect.ts'

export async function up(db: Writer, engine: Engine): Promise<void> {
  const words = wordsOf(engine)
  const subjects = [
    sellers,
    products,
    users,
    billing,
    accessTokens,
    emailConfirmations,
    events,
    auditLog,
    idempotencyKeys,
    jobs,
    mails,
  ]
  for (const statement of subjects.flatMap((subject) => subject(words))) await statement.execute(db)
  for (const statement of appendOnly(engine, 'audit_log', AUDIT_COLUMNS)) await statement.execute(db)
}

const sellers = ({ id, text }: Words) => [
  sql`create table developers (
    id ${id},
    email ${text} not null,
    email_folded ${text} not null unique,
    first ${text} not null,
    last ${text} not null,
    password_hash ${text},
    is_verified smallint not null,
    public_key ${text} not null unique,
    secret_key ${text} not null,
    created ${text} not null,
    updated ${text})`,
  sql`create table stores (
    id ${id},
    developer_id bigint not null references developers (id),
    title ${text} not null,
    public_key ${text} not null unique,
    secret_key ${text} not null,
    created ${text} not null,
    updated ${text})`,
  // The list of a seller's stores, newest first.
  sql`create index stores_of_developer on stores (developer_id, id)`,
]

const products = ({ id, text }: Words) => [
  sql`create table products (
    id ${id},
    developer_id bigint not null references developers (id),
    store_id bigint not null references stores (id),
    parent_plugin_id bigint references products (id),
    title ${text} not null,
    slug ${text} not null,
    type ${text} not null,
    can_create_users smallint not null,
    redirect_hosts ${text} not null,
    public_key ${text} not null unique,
    secret_key ${text} not null,
    created ${text} not null,
    updated ${text},
    unique (developer_id, slug))`,
  // The products of a store, newest first.
  sql`create index products_of_store on products (store_id, id)`,
  sql`create table api_tokens (
    id ${id},
    product_id bigint not null references products (id),
    name ${text} not null,
    token_hash ${text} not null unique,
    hint ${text} not null,
    created ${text} not null,
    expires_at ${text},
    revoked_at ${text},
    last_used_at ${text})`,
  // The list of a product's tokens, newest first.
  sql`create index api_tokens_of_product on api_tokens (product_id, id)`,
]

const users = ({ id, text }: Words) => [
  sql`create table users (
    id ${id},
    developer_id bigint not null references developers (id),
    email ${text} not null,
    email_folded ${text} not null,
    first ${text} not null,
    last ${text} not null,
    picture ${text} not null,
    ip ${text},
    is_verified smallint not null,
    password_hash ${text},
    auth ${text} not null,
    last_login_at ${text},
    email_status ${text},
    created ${text} not null,
    updated ${text},
    unique (developer_id, email_folded))`,
  sql`create table product_users (
    product_id bigint not null references products (id),
    user_id bigint not null references users (id),
    public_key ${text} not null unique,
    secret_key ${text} not null,
    note ${text} not null,
    is_marketing_allowed smallint,
    is_beta smallint not null,
    gross bigint not null,
    is_paying smallint not null,
    source smallint not null,
    email_folded ${text} not null,
    name_folded ${text} not null,
    created ${text} not null,
    updated ${text},
    primary key (product_id, user_id))`,
  // In which products a person is a user.
  sql`create index product_users_by_person on product_users (user_id)`,
  // A product has one user of an address; searches by address.
  sql`create unique index product_users_by_email on product_users (product_id, email_folded)`,
  // The list of users who take part in the beta, newest first.
  sql`create index product_users_beta on product_users (product_id, user_id) where is_beta = 1`,
  // The list of users who have paid, newest first.
  sql`create index product_users_paid on product_users (product_id, user_id) where gross > 0`,
  // The list of users whose subscription renews, newest first.
  sql`create index product_users_paying on product_users (product_id, user_id) where is_paying = 1`,
]

const billing = ({ id, text }: Words) => [
  sql`create table billing (
    id ${id},
    user_id bigint not null unique references users (id),
    business_name ${text} not null,
    first ${text} not null,
    last ${text} not null,
    email ${text} not null,
    phone ${text} not null,
    website ${text} not null,
    tax_id ${text} not null,
    address_street ${text} not null,
    address_apt ${text} not null,
    address_city ${text} not null,
    address_country ${text} not null,
    address_country_code ${text} not null,
    address_state ${text} not null,
    address_zip ${text} not null,
    created ${text} not null,
    updated ${text})`,
]

const accessTokens = ({ id, text }: Words) => [
  sql`create table access_tokens (
    id ${id},
    developer_id bigint not null references developers (id),
    user_id bigint references users (id),
    token_hash ${text} not null unique,
    created ${text} not null,
    expires_at ${text} not null)`,
  // The job `prune`: tokens that have expired.
  sql`create index access_tokens_expiry on access_tokens (expires_at)`,
]

const emailConfirmations = ({ id, text }: Words) => [
  sql`create table email_confirmations (
    id ${id},
    user_id bigint not null references users (id),
    product_id bigint not null references products (id),
    email ${text} not null,
    token_hash ${text} not null unique,
    redirect_url ${text},
    created ${text} not null,
    expires_at ${text} not null,
    used_at ${text})`,
  // The foreign key: the user whose address a link proves.
  sql`create index email_confirmations_of_user on email_confirmations (user_id)`,
  // The job `prune`: links that have expired.
  sql`create index email_confirmations_expiry on email_confirmations (expires_at)`,
]

const events = ({ id, text }: Words) => [
  sql`create table events (
    id ${id},
    developer_id bigint not null,
    product_id bigint,
    user_id bigint,
    install_id bigint,
    type ${text} not null,
    data ${text},
    event_trigger ${text} not null,
    state ${text} not null,
    process_time ${text},
    created ${text} not null,
    updated ${text})`,
  // The log of a product, newest first.
  sql`create index events_of_product on events (product_id, id)`,
  // The log of a product by type, newest first.
  sql`create index events_by_type on events (product_id, type, id)`,
  // The log of a product by state, newest first.
  sql`create index events_by_state on events (product_id, state, id)`,
  // The log of a user, newest first.
  sql`create index events_of_user on events (product_id, user_id, id) where user_id is not null`,
  // The log of an install, newest first.
  sql`create index events_of_install on events (product_id, install_id, id) where install_id is not null`,
]

const auditLog = ({ id, text }: Words) => [
  sql`create table audit_log (
    id ${id},
    at bigint not null,
    action ${text} not null,
    actor_kind ${text} not null,
    actor_id bigint not null,
    credential ${text} not null,
    product_id bigint,
    ip ${text},
    request_id ${text},
    details ${text} not null,
    seq bigint unique,
    hash ${text})`,
  // The job `chain-audit`: rows that are not chained, oldest first.
  sql`create index audit_log_unchained on audit_log (id) where hash is null`,
  // The audit log of a product; no query reads by it.
  sql`create index audit_log_of_product on audit_log (product_id, id)`,
]

const idempotencyKeys = ({ id, text }: Words) => [
  sql`create table idempotency_keys (
    id ${id},
    scope_hash ${text} not null unique,
    body_hash ${text} not null,
    lease_until bigint not null,
    fence bigint not null,
    status smallint,
    reply ${text},
    created_at bigint not null,
    expires_at bigint not null)`,
  // The job `prune`: keys that have expired.
  sql`create index idempotency_keys_expiry on idempotency_keys (expires_at)`,
]

const jobs = ({ id, text }: Words) => [
  sql`create table jobs (
    id ${id},
    name ${text} not null unique,
    due_at bigint,
    lease_until bigint not null,
    fence bigint not null,
    last_started_at bigint,
    last_finished_at bigint,
    failures integer not null default 0,
    last_error ${text})`,
]

const mails = ({ id, text }: Words) => [
  sql`create table mails (
    id ${id},
    developer_id bigint not null,
    product_id bigint,
    user_id bigint,
    kind ${text} not null,
    recipient ${text} not null,
    content ${text},
    state ${text} not null,
    attempts integer not null,
    due_at bigint,
    lease_until bigint not null,
    fence bigint not null,
    created_at bigint not null,
    sent_at bigint,
    last_error ${text})`,
  // The job `deliver-mails`: mails that are due, longest due first.
  sql`create index mails_due on mails (due_at, id) where due_at is not null`,
]

const AUDIT_COLUMNS = [
  'id',
  'at',
  'action',
  'actor_kind',
  'actor_id',
  'credential',
  'product_id',
  'ip',
  'request_id',
  'details',
]

import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { countRows, wordsOf, type Words } from '../dialect.ts'
import { aboutInstalls, ofInstalls } from './0009-installs.ts'

export async function up(db: Writer, engine: Engine): Promise<void> {
  const words = wordsOf(engine)
  const subjects = [
    licenses,
    licenseLists,
    licenseNotices,
    ...ofInstalls,
    trials,
    ...aboutInstalls,
    columnsOfOthers,
    licenseSites,
    pendingActivations,
    usedProofs,
    indexesOfOthers,
    keyRequests,
    skippedSites,
  ]
  for (const statement of subjects.flatMap((subject) => subject(words))) await statement.execute(db)
  const hidden = { hidden: 'is_uninstalled' }
  const counted = [countRows(engine, 'licenses', 'id'), countRows(engine, 'installs', 'id', hidden)]
  for (const statement of counted.flat()) await statement.execute(db)
}

const licenses = ({ id, text }: Words) => [
  sql`create table licenses (
    id ${id},
    product_id bigint not null references products (id),
    user_id bigint references users (id),
    plan_id bigint not null references plans (id),
    pricing_id bigint references pricing (id),
    parent_license_id bigint references licenses (id),
    quota bigint,
    activated bigint not null,
    activated_local bigint not null,
    expiration ${text},
    secret_key ${text} not null,
    key_hash ${text} not null,
    is_free_localhost smallint not null,
    is_block_features smallint not null,
    is_cancelled smallint not null,
    is_whitelabeled smallint not null,
    is_trial smallint not null,
    environment smallint not null,
    source smallint not null,
    notice smallint not null,
    notice_at ${text},
    created ${text} not null,
    updated ${text})`,
  // The license of a key, of which a product has one.
  sql`create unique index licenses_by_key on licenses (key_hash, product_id)`,
]

const licenseLists = () => [
  // The list of a product's licenses, newest first.
  sql`create index licenses_of_product on licenses (product_id, id)`,
  // The list of a user's licenses, newest first.
  sql`create index licenses_of_user on licenses (user_id, product_id, id) where user_id is not null`,
  // The list of a plan's licenses, newest first; whether it has one.
  sql`create index licenses_of_plan on licenses (plan_id, id)`,
  // Whether a price has licenses.
  sql`create index licenses_of_pricing on licenses (pricing_id) where pricing_id is not null`,
  // A license of a bundle opens one license in each product.
  sql`create unique index licenses_of_bundle on licenses (parent_license_id, product_id)
    where parent_license_id is not null`,
  // The licenses of a product by their end; no query reads by it.
  sql`create index licenses_by_expiration on licenses (product_id, expiration, id) where expiration is not null`,
  // The list of cancelled licenses, newest first.
  sql`create index licenses_cancelled on licenses (product_id, id) where is_cancelled = 1`,
  // The list of licenses that were brought along, newest first.
  sql`create index licenses_migrated on licenses (product_id, id) where source > 0`,
  // The list of licenses of one origin, newest first.
  sql`create index licenses_by_source on licenses (product_id, source, id) where source > 0`,
  // The lists of active and of expired licenses, newest first.
  sql`create index licenses_by_end on licenses (product_id, id, expiration, environment)
    where is_cancelled = 0`,
  // The list of licenses that are on no install, newest first.
  sql`create index licenses_unused on licenses (product_id, id) where activated = 0 and activated_local = 0`,
]

const licenseNotices = () => [
  // The job `expire`: notices of licenses that are due, longest due first.
  sql`create index licenses_to_notice on licenses (notice_at, id) where notice_at is not null and environment = 0`,
  // Notices that are due in one sandbox; which sandboxes wait for one.
  sql`create index licenses_to_notice_in_sandbox on licenses (product_id, notice_at, id)
    where notice_at is not null and environment = 1`,
]

const trials = ({ id, text }: Words) => [
  sql`create table trials (
    id ${id},
    product_id bigint not null references products (id),
    user_id bigint not null references users (id),
    install_id bigint unique references installs (id) on delete set null,
    uid ${text} not null,
    plan_id bigint not null references plans (id),
    license_id bigint references licenses (id) on delete set null,
    payment_id bigint,
    subscription_id bigint,
    started_at ${text} not null,
    trial_ends_at ${text} not null,
    with_payment_method smallint not null,
    canceled_at ${text},
    converted_at ${text},
    environment smallint not null,
    notice smallint not null,
    notice_at ${text},
    created ${text} not null,
    updated ${text})`,
  // A user has one trial of a uid in a product.
  sql`create unique index trials_by_uid on trials (product_id, uid, user_id)`,
  // Whether a plan was tried.
  sql`create index trials_of_plan on trials (plan_id)`,
  // The list of a product's trials, newest first.
  sql`create index trials_of_product on trials (product_id, id)`,
  // The list of trials of a stretch of time.
  sql`create index trials_by_created on trials (product_id, created, id)`,
  // The job `expire`: notices of trials that are due, longest due first.
  sql`create index trials_to_notice on trials (notice_at, id) where notice_at is not null and environment = 0`,
  // Notices that are due in one sandbox; which sandboxes wait for one.
  sql`create index trials_to_notice_in_sandbox on trials (product_id, notice_at, id)
    where notice_at is not null and environment = 1`,
]

const columnsOfOthers = ({ text }: Words) => [
  sql`alter table list_marks add column hidden_count bigint not null default 0`,
  sql`alter table users add column came_with ${text}`,
  sql`alter table email_confirmations add column install_id bigint`,
]

const licenseSites = ({ id, text }: Words) => [
  sql`create table license_sites (
    id ${id},
    product_id bigint not null references products (id),
    license_id bigint not null references licenses (id) on delete cascade,
    kind ${text} not null,
    pattern ${text} not null,
    created ${text} not null,
    unique (license_id, kind, pattern))`,
]

const pendingActivations = ({ id, text }: Words) => [
  sql`create table pending_activations (
    id ${id},
    product_id bigint not null references products (id),
    user_id bigint not null references users (id),
    token_hash ${text} not null unique,
    work ${text} not null,
    used_at ${text},
    expires_at ${text} not null,
    created ${text} not null)`,
  // The job `prune`: links that have expired.
  sql`create index pending_activations_expiry on pending_activations (expires_at)`,
  // The links of a person, which end when its address changes.
  sql`create index pending_activations_of_user on pending_activations (user_id, created)`,
]

const usedProofs = ({ text }: Words) => [
  sql`create table used_proofs (
    proof_hash ${text} primary key,
    expires_at ${text} not null)`,
  // The job `prune`: proofs that are too old to count.
  sql`create index used_proofs_expiry on used_proofs (expires_at)`,
]

const indexesOfOthers = () => [
  // When a person was last sent a mail of some kind.
  sql`create index mails_of_user on mails (user_id, kind, id) where user_id is not null`,
  // One review a license.
  sql`create unique index reviews_of_license on reviews (license_id) where license_id is not null`,
]

const keyRequests = ({ id, text }: Words) => [
  sql`create table key_requests (
    id ${id},
    product_id bigint not null references products (id),
    email_folded ${text} not null,
    created ${text} not null,
    unique (product_id, email_folded))`,
]

const skippedSites = ({ text }: Words) => [
  sql`create table skipped_sites (
    product_id bigint not null references products (id),
    uid ${text} not null,
    created ${text} not null,
    primary key (product_id, uid))`,
]

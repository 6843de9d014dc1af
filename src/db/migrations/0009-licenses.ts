import { sql } from 'kysely'
import type { Engine, Writer } from '../database.ts'
import { countRows, wordsOf, type Words } from '../dialect.ts'

export async function up(db: Writer, engine: Engine): Promise<void> {
  const words = wordsOf(engine)
  const hidden = { hidden: 'is_uninstalled' }
  const counted = [countRows(engine, 'licenses', 'id'), countRows(engine, 'installs', 'id', hidden)].flat()
  for (const statement of [
    ...licenses(words),
    ...installs(words),
    ...around(words),
    ...others(words),
    ...counted,
  ]) {
    await statement.execute(db)
  }
}

const licenses = ({ id, text }: Words) => [
  sql`create table licenses (
    id ${id}, product_id bigint not null references products (id), user_id bigint references users (id),
    plan_id bigint not null references plans (id), pricing_id bigint references pricing (id),
    parent_license_id bigint references licenses (id), quota bigint, activated bigint not null,
    activated_local bigint not null, expiration ${text}, secret_key ${text} not null, key_hash ${text} not null,
    is_free_localhost smallint not null, is_block_features smallint not null, is_cancelled smallint not null,
    is_whitelabeled smallint not null, is_trial smallint not null, environment smallint not null,
    source smallint not null, notice smallint not null, notice_at ${text},
    created ${text} not null, updated ${text})`,
  sql`create unique index licenses_by_key on licenses (key_hash, product_id)`,
  sql`create index licenses_of_product on licenses (product_id, id)`,
  sql`create index licenses_of_user on licenses (user_id, product_id, id) where user_id is not null`,
  sql`create index licenses_of_plan on licenses (plan_id, id)`,
  sql`create index licenses_of_pricing on licenses (pricing_id) where pricing_id is not null`,
  sql`create unique index licenses_of_bundle on licenses (parent_license_id, product_id)
    where parent_license_id is not null`,
  sql`create index licenses_by_expiration on licenses (product_id, expiration, id) where expiration is not null`,
  sql`create index licenses_cancelled on licenses (product_id, id) where is_cancelled = 1`,
  sql`create index licenses_migrated on licenses (product_id, id) where source > 0`,
  sql`create index licenses_by_source on licenses (product_id, source, id) where source > 0`,
  sql`create index licenses_by_end on licenses (product_id, id, expiration, environment)
    where is_cancelled = 0`,
  sql`create index licenses_unused on licenses (product_id, id) where activated = 0 and activated_local = 0`,
  sql`create index licenses_to_notice on licenses (notice_at, id) where notice_at is not null and environment = 0`,
  sql`create index licenses_to_notice_in_sandbox on licenses (product_id, notice_at, id)
    where notice_at is not null and environment = 1`,
]

const installs = ({ id, text }: Words) => [
  sql`create table sites (
    id ${id}, developer_id bigint not null references developers (id), address ${text} not null,
    created ${text} not null, unique (developer_id, address))`,
  sql`create table installs (
    id ${id}, product_id bigint not null references products (id), user_id bigint not null references users (id),
    site_id bigint not null references sites (id), uid ${text} not null, url ${text}, host ${text},
    title ${text}, version ${text} not null,
    plan_id bigint references plans (id), license_id bigint references licenses (id), counted_as ${text},
    trial_plan_id bigint references plans (id), trial_ends ${text}, subscription_id bigint,
    gross bigint not null, country_code ${text}, language ${text}, platform_version ${text},
    sdk_version ${text}, programming_language_version ${text}, is_active smallint not null,
    is_disconnected smallint not null, is_premium smallint not null, is_uninstalled smallint not null,
    is_locked smallint not null, is_beta smallint not null, environment smallint not null,
    source smallint not null, upgraded ${text}, last_seen_at ${text}, last_served_update_version ${text},
    public_key ${text} not null unique, secret_key ${text} not null,
    created ${text} not null, updated ${text})`,
  sql`create unique index installs_by_uid on installs (product_id, uid, user_id)`,
  sql`create index installs_of_product on installs (product_id, id)`,
  sql`create index installs_of_user on installs (user_id, product_id, id)`,
  sql`create index installs_of_license on installs (license_id, host) where license_id is not null`,
  sql`create index installs_covered on installs (license_id, id) where counted_as = 'covered'`,
  sql`create index installs_of_plan on installs (plan_id, product_id, id) where plan_id is not null`,
  sql`create index installs_of_trial_plan on installs (trial_plan_id) where trial_plan_id is not null`,
  sql`create index installs_by_host on installs (product_id, host, id) where host is not null`,
  sql`create index installs_active on installs (product_id, is_premium, id) where is_active = 1 and is_uninstalled = 0`,
  sql`create index installs_in_use on installs (product_id, id) where is_active = 1 and is_uninstalled = 0`,
  sql`create index installs_not_in_use on installs (product_id, id) where is_active = 0 and is_uninstalled = 0`,
  sql`create index installs_present on installs (product_id, id) where is_uninstalled = 0`,
  sql`create index installs_uninstalled on installs (product_id, id) where is_uninstalled = 1`,
  sql`create index installs_on_trial on installs (product_id, id, trial_ends, environment)
    where trial_ends is not null`,
  sql`create index installs_licensed on installs (product_id, id) where license_id is not null`,
]

const around = ({ id, text }: Words) => [
  sql`create table install_tokens (
    id ${id}, install_id bigint not null references installs (id) on delete cascade,
    token_hash ${text} not null unique, created ${text} not null)`,
  sql`create index install_tokens_of_install on install_tokens (install_id, id)`,
  sql`create table trials (
    id ${id}, product_id bigint not null references products (id), user_id bigint not null references users (id),
    install_id bigint unique references installs (id) on delete set null, uid ${text} not null,
    plan_id bigint not null references plans (id),
    license_id bigint references licenses (id) on delete set null, payment_id bigint, subscription_id bigint,
    started_at ${text} not null, trial_ends_at ${text} not null, with_payment_method smallint not null,
    canceled_at ${text},
    converted_at ${text}, environment smallint not null, notice smallint not null, notice_at ${text},
    created ${text} not null, updated ${text})`,
  sql`create unique index trials_by_uid on trials (product_id, uid, user_id)`,
  sql`create index trials_of_plan on trials (plan_id)`,
  sql`create index trials_of_product on trials (product_id, id)`,
  sql`create index trials_by_created on trials (product_id, created, id)`,
  sql`create index trials_to_notice on trials (notice_at, id) where notice_at is not null and environment = 0`,
  sql`create index trials_to_notice_in_sandbox on trials (product_id, notice_at, id)
    where notice_at is not null and environment = 1`,
  sql`create table install_clones (
    id ${id}, product_id bigint not null references products (id),
    install_id bigint not null references installs (id) on delete cascade,
    new_install_id bigint references installs (id) on delete set null, install_url ${text} not null,
    site_url ${text} not null, state ${text} not null, resolution ${text},
    created ${text} not null, updated ${text})`,
  sql`create unique index install_clones_pending on install_clones (install_id, site_url) where state = 'pending'`,
  sql`create table uninstalls (
    id ${id}, product_id bigint not null references products (id),
    install_id bigint unique references installs (id) on delete cascade, site_id bigint, uid ${text} not null,
    reason_id smallint not null, reason_info ${text} not null, reason_folded ${text} not null,
    created ${text} not null, updated ${text})`,
  sql`create unique index uninstalls_anonymous on uninstalls (product_id, uid) where install_id is null`,
  sql`create index uninstalls_by_reason on uninstalls (product_id, reason_id, install_id)`,
  sql`create table install_metadata (
    id ${id}, install_id bigint not null unique references installs (id) on delete cascade,
    permits_user smallint not null, permits_site smallint not null, permits_extensions smallint not null,
    created ${text} not null, updated ${text})`,
  sql`create table market_items (
    id ${id}, install_id bigint not null references installs (id) on delete cascade, slug ${text} not null,
    title ${text} not null, type ${text} not null, version ${text} not null, is_active smallint not null,
    created ${text} not null, updated ${text}, unique (install_id, type, slug))`,
  sql`create table ownership_changes (
    id ${id}, product_id bigint not null references products (id),
    install_id bigint not null references installs (id) on delete cascade,
    from_user_id bigint not null references users (id), email ${text} not null, email_folded ${text} not null,
    transfer_type ${text} not null, install_ids ${text}, redirect_url ${text}, owner_hash ${text} not null unique,
    candidate_hash ${text} not null unique, owner_at ${text}, candidate_at ${text}, completed_at ${text},
    expires_at ${text} not null, created ${text} not null, updated ${text})`,
  sql`create index ownership_changes_of_install on ownership_changes (install_id)`,
]

const others = ({ id, text }: Words) => [
  sql`alter table list_marks add column hidden_count bigint not null default 0`,
  sql`alter table users add column came_with ${text}`,
  sql`alter table email_confirmations add column install_id bigint`,
  sql`create table license_sites (
    id ${id}, product_id bigint not null references products (id),
    license_id bigint not null references licenses (id) on delete cascade, kind ${text} not null,
    pattern ${text} not null, created ${text} not null, unique (license_id, kind, pattern))`,
  sql`create table pending_activations (
    id ${id}, product_id bigint not null references products (id), user_id bigint not null references users (id),
    token_hash ${text} not null unique, work ${text} not null, used_at ${text}, expires_at ${text} not null,
    created ${text} not null)`,
  sql`create index pending_activations_expiry on pending_activations (expires_at)`,
  sql`create index pending_activations_of_user on pending_activations (user_id, created)`,
  sql`create table used_proofs (proof_hash ${text} primary key, expires_at ${text} not null)`,
  sql`create index used_proofs_expiry on used_proofs (expires_at)`,
  sql`create index mails_of_user on mails (user_id, kind, id) where user_id is not null`,
  sql`create unique index reviews_of_license on reviews (license_id) where license_id is not null`,
  sql`create table key_requests (
    id ${id}, product_id bigint not null references products (id), email_folded ${text} not null,
    created ${text} not null, unique (product_id, email_folded))`,
  sql`create table skipped_sites (
    product_id bigint not null references products (id), uid ${text} not null, created ${text} not null,
    primary key (product_id, uid))`,
]

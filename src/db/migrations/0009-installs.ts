import { sql } from 'kysely'
import type { Words } from '../dialect.ts'

const installs = ({ id, text }: Words) => [
  sql`create table sites (
    id ${id},
    developer_id bigint not null references developers (id),
    address ${text} not null,
    created ${text} not null,
    unique (developer_id, address))`,
  sql`create table installs (
    id ${id},
    product_id bigint not null references products (id),
    user_id bigint not null references users (id),
    site_id bigint not null references sites (id),
    uid ${text} not null,
    url ${text},
    host ${text},
    title ${text},
    version ${text} not null,
    plan_id bigint references plans (id),
    license_id bigint references licenses (id),
    counted_as ${text},
    trial_plan_id bigint references plans (id),
    trial_ends ${text},
    subscription_id bigint,
    gross bigint not null,
    country_code ${text},
    language ${text},
    platform_version ${text},
    sdk_version ${text},
    programming_language_version ${text},
    is_active smallint not null,
    is_disconnected smallint not null,
    is_premium smallint not null,
    is_uninstalled smallint not null,
    is_locked smallint not null,
    is_beta smallint not null,
    environment smallint not null,
    source smallint not null,
    upgraded ${text},
    last_seen_at ${text},
    last_served_update_version ${text},
    public_key ${text} not null unique,
    secret_key ${text} not null,
    created ${text} not null,
    updated ${text})`,
  // A user has one install of a uid in a product.
  sql`create unique index installs_by_uid on installs (product_id, uid, user_id)`,
]

const installLists = () => [
  // The list of a product's installs with uninstalled ones, newest first.
  sql`create index installs_of_product on installs (product_id, id)`,
  // The list of a user's installs, newest first.
  sql`create index installs_of_user on installs (user_id, product_id, id)`,
  // The installs of a license, and on which hosts it is counted.
  sql`create index installs_of_license on installs (license_id, host) where license_id is not null`,
  // The installs that a license only covers, oldest first.
  sql`create index installs_covered on installs (license_id, id) where counted_as = 'covered'`,
  // The list of installs on a plan, newest first; whether there are any.
  sql`create index installs_of_plan on installs (plan_id, product_id, id) where plan_id is not null`,
  // Whether installs try a plan.
  sql`create index installs_of_trial_plan on installs (trial_plan_id) where trial_plan_id is not null`,
  // The list of installs at a host, newest first.
  sql`create index installs_by_host on installs (product_id, host, id) where host is not null`,
  // The lists of active installs of the premium and of the free build, newest first.
  sql`create index installs_active on installs (product_id, is_premium, id) where is_active = 1 and is_uninstalled = 0`,
  // The list of active installs, newest first, and how many there are.
  sql`create index installs_in_use on installs (product_id, id) where is_active = 1 and is_uninstalled = 0`,
  // The list of inactive installs, newest first.
  sql`create index installs_not_in_use on installs (product_id, id) where is_active = 0 and is_uninstalled = 0`,
  // The list of installs without uninstalled ones, newest first, and how many there are.
  sql`create index installs_present on installs (product_id, id) where is_uninstalled = 0`,
  // The list of uninstalled installs, newest first.
  sql`create index installs_uninstalled on installs (product_id, id) where is_uninstalled = 1`,
  // The list of installs on a trial.
  sql`create index installs_on_trial on installs (product_id, id, trial_ends, environment)
    where trial_ends is not null`,
  // The list of installs that are paid for, newest first.
  sql`create index installs_licensed on installs (product_id, id) where license_id is not null`,
]

const installTokens = ({ id, text }: Words) => [
  sql`create table install_tokens (
    id ${id},
    install_id bigint not null references installs (id) on delete cascade,
    token_hash ${text} not null unique,
    created ${text} not null)`,
  // The newest tokens of an install, which alone are kept.
  sql`create index install_tokens_of_install on install_tokens (install_id, id)`,
]

const installClones = ({ id, text }: Words) => [
  sql`create table install_clones (
    id ${id},
    product_id bigint not null references products (id),
    install_id bigint not null references installs (id) on delete cascade,
    new_install_id bigint references installs (id) on delete set null,
    install_url ${text} not null,
    site_url ${text} not null,
    state ${text} not null,
    resolution ${text},
    created ${text} not null,
    updated ${text})`,
  // One clone of an install at an address that is not resolved.
  sql`create unique index install_clones_pending on install_clones (install_id, site_url) where state = 'pending'`,
]

const uninstalls = ({ id, text }: Words) => [
  sql`create table uninstalls (
    id ${id},
    product_id bigint not null references products (id),
    install_id bigint unique references installs (id) on delete cascade,
    site_id bigint,
    uid ${text} not null,
    reason_id smallint not null,
    reason_info ${text} not null,
    reason_folded ${text} not null,
    created ${text} not null,
    updated ${text})`,
  // One reason of a site that is known by its uid only.
  sql`create unique index uninstalls_anonymous on uninstalls (product_id, uid) where install_id is null`,
  // The list of installs that were removed for some reasons.
  sql`create index uninstalls_by_reason on uninstalls (product_id, reason_id, install_id)`,
]

const installMetadata = ({ id, text }: Words) => [
  sql`create table install_metadata (
    id ${id},
    install_id bigint not null unique references installs (id) on delete cascade,
    permits_user smallint not null,
    permits_site smallint not null,
    permits_extensions smallint not null,
    created ${text} not null,
    updated ${text})`,
]

const marketItems = ({ id, text }: Words) => [
  sql`create table market_items (
    id ${id},
    install_id bigint not null references installs (id) on delete cascade,
    slug ${text} not null,
    title ${text} not null,
    type ${text} not null,
    version ${text} not null,
    is_active smallint not null,
    created ${text} not null,
    updated ${text},
    unique (install_id, type, slug))`,
]

const ownershipChanges = ({ id, text }: Words) => [
  sql`create table ownership_changes (
    id ${id},
    product_id bigint not null references products (id),
    install_id bigint not null references installs (id) on delete cascade,
    from_user_id bigint not null references users (id),
    email ${text} not null,
    email_folded ${text} not null,
    transfer_type ${text} not null,
    install_ids ${text},
    redirect_url ${text},
    owner_hash ${text} not null unique,
    candidate_hash ${text} not null unique,
    owner_at ${text},
    candidate_at ${text},
    completed_at ${text},
    expires_at ${text} not null,
    created ${text} not null,
    updated ${text})`,
  // The changes of an install's owner: those that end, and how many there were lately.
  sql`create index ownership_changes_of_install on ownership_changes (install_id)`,
]

/** The part of `0009-licenses.ts` that is about installs. */
export const ofInstalls = [installs, installLists, installTokens]

/** The part of it that is about what is kept of installs. */
export const aboutInstalls = [installClones, uninstalls, installMetadata, marketItems, ownershipChanges]

import type { Generated } from 'kysely'
import type { UtcTime } from '../../lib/time.ts'
import type { Entity, Flag, KeyPairColumns, Sealed } from './columns.ts'
import type { Environment } from './licenses.ts'
import type { Reach } from './user-keys.ts'

/** A place where a developer's products are installed, by its address or, without one, its uid. */
export interface SitesTable {
  id: Generated<number>
  developer_id: number
  address: string
  created: UtcTime
}

/**
 * What an install counts as on its license: `production` and `local` are the license's two counters; `covered`
 * is on a subdomain of a domain that is counted already.
 */
export type CountedAs = 'production' | 'local' | 'covered'

/** A copy of a product at work: on a site, a machine, or for an account. */
export interface InstallsTable extends Entity, KeyPairColumns {
  /**
   * `whole`: its owner said from it, or the seller, that it is the owner's; its keys then reach as far as the owner.
   */
  reach: Generated<Reach>
  product_id: number
  user_id: number
  site_id: number
  /** 32 characters that the client made and keeps. */
  uid: string
  /** As the client gave it. */
  url: string | null
  /** The host of `url`, lower case, without `www.` and port. */
  host: string | null
  title: string | null
  version: string
  /** Null: the free plan. */
  plan_id: number | null
  /** The license that is active on it. */
  license_id: number | null
  /** Null exactly when `license_id` is. */
  counted_as: CountedAs | null
  trial_plan_id: number | null
  trial_ends: UtcTime | null
  subscription_id: number | null
  /** Minor units of US dollars. */
  gross: number
  country_code: string | null
  language: string | null
  platform_version: string | null
  sdk_version: string | null
  programming_language_version: string | null
  is_active: Flag
  is_disconnected: Flag
  is_premium: Flag
  is_uninstalled: Flag
  is_locked: Flag
  is_beta: Flag
  /** Whether it takes only versions with the client's library. */
  is_sdk_required: Generated<Flag>
  environment: Environment
  /** Origin of migrated data, 0 to 11 (`docs/interface.md` 1.6). */
  source: number
  /** When the present version arrived; null: it is the first. */
  upgraded: UtcTime | null
  last_seen_at: UtcTime | null
  last_served_update_version: string | null
}

/** Tokens that activations handed out; the newest five of an install are good (`docs/decisions.md` 3.3). */
export interface InstallTokensTable {
  id: Generated<number>
  install_id: number
  token_hash: string
  created: UtcTime
}

/** A second site that came with an install's data. */
export interface InstallClonesTable extends Entity {
  product_id: number
  install_id: number
  new_install_id: number | null
  install_url: string
  site_url: string
  state: 'pending' | 'resolved'
  resolution: 'temporary_duplicate' | 'new_home' | 'long_term_duplicate' | null
}

/** Why an install was removed; without an install that of an anonymous site. */
export interface UninstallsTable extends Entity {
  product_id: number
  install_id: number | null
  site_id: number | null
  uid: string
  reason_id: number
  reason_info: string
  /** `reason_info` folded, for searching. */
  reason_folded: string
}

/** What an install's owner lets it tell. */
export interface InstallMetadataTable extends Entity {
  install_id: number
  permits_user: Flag
  permits_site: Flag
  permits_extensions: Flag
}

/** A plugin or theme that an install told of. */
export interface MarketItemsTable extends Entity {
  install_id: number
  slug: string
  title: string
  type: 'plugin' | 'theme'
  version: string
  is_active: Flag
}

/** An install, or several, on the way to another owner, which both sides confirm by mail. */
export interface OwnershipChangesTable extends Entity {
  product_id: number
  install_id: number
  from_user_id: number
  email: string
  email_folded: string
  /** The caller named the next owner by an id, and is not told the address. */
  is_named_by_id: Flag
  transfer_type: string
  /** Comma-separated ids of the installs that go along; null: only this one. */
  install_ids: string | null
  redirect_url: Sealed | null
  owner_hash: string
  candidate_hash: string
  owner_at: UtcTime | null
  candidate_at: UtcTime | null
  completed_at: UtcTime | null
  expires_at: UtcTime
}

/** A site whose owner skipped the opt-in (`skip.json`). */
export interface SkippedSitesTable {
  product_id: number
  uid: string
  created: UtcTime
}

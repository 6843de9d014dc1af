import type { Generated } from 'kysely'
import type { INSTALL } from '../../licensing/installs/install.entity.ts'
import type { UtcTime } from '../../lib/time.ts'
import type { ColumnsOf, Entity, Sealed } from './columns.ts'

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

/** A copy of a product at work; its columns are described with the noun. */
export interface InstallsTable extends ColumnsOf<(typeof INSTALL)['fields']> {}

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
  permits_user: boolean
  permits_site: boolean
  permits_extensions: boolean
}

/** A plugin or theme that an install told of. */
export interface MarketItemsTable extends Entity {
  install_id: number
  slug: string
  title: string
  type: 'plugin' | 'theme'
  version: string
  is_active: boolean
}

/** An install, or several, on the way to another owner, which both sides confirm by mail. */
export interface OwnershipChangesTable extends Entity {
  product_id: number
  install_id: number
  from_user_id: number
  email: string
  email_folded: string
  /** The caller named the next owner by an id, and is not told the address. */
  is_named_by_id: boolean
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

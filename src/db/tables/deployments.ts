import type { Generated } from 'kysely'
import type { UtcTime } from '../../lib/time.ts'
import type { Entity } from './columns.ts'

/** A version of a product with its archives (`tag` on the wire). */
export interface DeploymentsTable extends Entity {
  product_id: number
  developer_id: number
  slug: string | null
  premium_slug: string | null
  version: string
  /** Orders versions, and is the same for equal ones (`lib/version-key.ts`). */
  version_key: string
  /** Empty: there is no SDK in it. */
  sdk_version: string
  requires_platform_version: string | null
  requires_programming_language_version: string | null
  tested_up_to_version: string | null
  /** SHA-256 of the archive in the storage; null: there is no such build. */
  free_file: string | null
  /** Bytes. */
  free_size: number | null
  premium_file: string | null
  premium_size: number | null
  release_mode: 'pending' | 'beta' | 'released'
  /** No version beyond it is offered to who has an earlier one. */
  is_incremental: boolean
  /** How many users it is offered to at most; null: everybody. */
  max_users: number | null
  /** How many have the offer; counted while `max_users` is set. */
  offered: number
  /** How many users have downloaded it. */
  uniques: number
  downloaded: number
  /** Whether its premium build is for licenses of the sandbox, however it is released. */
  is_sandbox: Generated<boolean>
  /** JSON of `Readme`. */
  readme: string | null
  /** JSON of what the free build leaves out. */
  build_report: string | null
}

/** What a user has to do with a version. */
export interface DeploymentUsersTable {
  deployment_id: number
  user_id: number
  product_id: number
  /** It was offered while its number of users was limited, and stays so. */
  is_offered: boolean
  /** Null: never. */
  downloaded_at: UtcTime | null
}

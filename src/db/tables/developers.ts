import type { Generated } from 'kysely'
import type { DEVELOPER } from '../../accounts/developers/developer.entity.ts'
import type { STORE } from '../../catalogue/stores/store.entity.ts'
import type { UtcTime } from '../../lib/time.ts'
import type { ColumnsOf } from './columns.ts'

/** A seller's account; its columns are described with the noun. */
export interface DevelopersTable extends ColumnsOf<(typeof DEVELOPER)['fields']> {}

/** Where a developer sells; its columns are described with the noun. */
export interface StoresTable extends ColumnsOf<(typeof STORE)['fields']> {}

/** Links mailed to another address that the owner of an account shall have. */
export interface DeveloperEmailChangesTable {
  id: Generated<number>
  developer_id: number
  email: string
  email_folded: string
  /** The folded address in whose place it comes. */
  replaces: string
  token_hash: string
  created: UtcTime
  expires_at: UtcTime
  used_at: UtcTime | null
}

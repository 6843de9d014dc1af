import type { ColumnType, Generated } from 'kysely'
import type { STORE } from '../../catalogue/stores/store.entity.ts'
import type { UtcTime } from '../../lib/time.ts'
import type { ColumnsOf, Entity, KeyPairColumns } from './columns.ts'

/** A seller's account. */
export interface DevelopersTable extends Entity, KeyPairColumns {
  email: string
  email_folded: string
  first: string
  last: string
  password_hash: string | null
  is_verified: boolean
  picture: Generated<string>
  /** The address of the last login. */
  ip: ColumnType<string | null, string | null | undefined, string | null>
  last_login_at: ColumnType<UtcTime | null, UtcTime | null | undefined, UtcTime | null>
}

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

import type { ColumnType, Generated } from 'kysely'
import type { UtcTime } from '../../lib/time.ts'

/** Bearer tokens of a product or of an account, as SHA-256 (`docs/decisions.md` 3.3). */
export interface ApiTokensTable {
  id: Generated<number>
  developer_id: number
  /** The only product that it opens, in product scope; null: it is of the account, and opens developer scope. */
  product_id: number | null
  /** Of an account: the products that it is narrowed to, with commas between them; null: all. */
  product_ids: string | null
  /** Of an account: what it is narrowed to, as `licenses.write`, with commas between them; null: all. */
  rights: string | null
  /** The token by which it was made, with which it ends; null: it was made otherwise. */
  made_by: number | null
  name: string
  token_hash: string
  /** The last four characters, to tell tokens apart in a list. */
  hint: string
  created: UtcTime
  expires_at: UtcTime | null
  revoked_at: UtcTime | null
  last_used_at: UtcTime | null
}

/** Access tokens of a developer or a user (`FSA`), as SHA-256 (`docs/decisions.md` 3.6). */
export interface AccessTokensTable {
  id: Generated<number>
  developer_id: number
  /** Null for the developer's own token. */
  user_id: number | null
  /** The owner or team member who took a developer's token while logged in; its role is that person's. */
  person_id: ColumnType<number | null, number | null | undefined, never>
  /** The only product that a user's token opens; null: all of its seller's that it is a user of. */
  product_id: ColumnType<number | null, number | null | undefined, never>
  /** Whether a link into the portal was exchanged for it, so that it does what the portal does. */
  is_portal: ColumnType<boolean, boolean | undefined, never>
  token_hash: string
  created: UtcTime
  expires_at: UtcTime
}

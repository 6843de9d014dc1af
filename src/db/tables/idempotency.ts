import type { Generated } from 'kysely'
import type { Sealed } from './columns.ts'

/** One row an Idempotency-Key (`docs/decisions.md` 8.1). Times are integer milliseconds since the epoch. */
export interface IdempotencyKeysTable {
  id: Generated<number>
  /** SHA-256 over credential, method, path and key. */
  scope_hash: string
  /** SHA-256 over query and body. */
  body_hash: string
  lease_until: number
  fence: number
  status: number | null
  reply: Sealed | null
  created_at: number
  expires_at: number
}

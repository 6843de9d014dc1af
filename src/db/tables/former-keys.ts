import type { Generated } from 'kysely'
import type { UtcTime } from '../../lib/time.ts'
import type { Sealed } from './columns.ts'

/** Whose keys are renewed, by the table that has them. */
export type KeyOwner = 'developers' | 'stores' | 'products'

/** A secret key that was replaced and goes on until the end of its overlap (`docs/decisions.md` 3.16). */
export interface FormerKeysTable {
  id: Generated<number>
  owner: KeyOwner
  owner_id: number
  secret_key: Sealed
  /** Milliseconds of real time. */
  until_ms: number
  created: UtcTime
}

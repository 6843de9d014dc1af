import type { Generated } from 'kysely'
import type { UtcTime } from '../../lib/time.ts'
import type { Sealed } from './columns.ts'

/** What a key does: the current one signs; the next one is made known before it does. A product has one of each. */
export type LicenseKeyState = 'current' | 'next' | 'retired'

/** The Ed25519 keys that sign a product's license files. */
export interface LicenseKeysTable {
  id: Generated<number>
  product_id: number
  state: LicenseKeyState
  /** Names the public key in files. */
  kid: string
  /** 32 bytes in base64url. */
  public_key: string
  /** The seed, likewise; null once the key is retired, since nothing is signed with it any more. */
  secret_key: Sealed | null
  /** The latest end of what it has signed, in real time; null: nothing yet. */
  files_until: UtcTime | null
  /** Null: not yet. */
  retired_at: UtcTime | null
  created: UtcTime
}

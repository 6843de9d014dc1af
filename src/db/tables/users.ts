import type { Generated } from 'kysely'
import type { UtcTime } from '../../lib/time.ts'
import type { Entity, Flag, KeyPairColumns, Sealed } from './columns.ts'
import type { Reach } from './user-keys.ts'

/** A person, unique by address in a developer's account (`docs/decisions.md` 3.1). */
export interface UsersTable extends Entity {
  developer_id: number
  email: string
  email_folded: string
  first: string
  last: string
  picture: string
  ip: string | null
  is_verified: Flag
  password_hash: string | null
  auth: 'app2fa' | 'password'
  last_login_at: UtcTime | null
  email_status: 'delivered' | 'bounce' | 'dropped' | null
}

/** A person as the user of one product: the keys that its seller is shown, consent, and what it spent. */
export interface ProductUsersTable extends KeyPairColumns {
  product_id: number
  user_id: number
  /** `own`: the pair may have gone to who proved nothing, and is replaced at the next start (`settleKeys`). */
  reach: Generated<Reach>
  note: string
  is_marketing_allowed: Flag | null
  is_beta: Flag
  /** Minor units of US dollars. */
  gross: number
  /** Has a subscription that renews. */
  is_paying: Flag
  /** Origin of migrated data, 0 to 11 (`docs/interface.md` 1.6). */
  source: number
  /** Folded twins of the person's address and name, so that a product's list is searched by its own index. */
  email_folded: string
  name_folded: string
  created: UtcTime
  updated: UtcTime | null
}

/** Links mailed to a person to prove an address. */
export interface EmailConfirmationsTable {
  id: Generated<number>
  user_id: number
  product_id: number
  /** The address it proves. */
  email: string
  token_hash: string
  redirect_url: Sealed | null
  /** The folded address of the person in whose place it comes; null: it is the person's already. */
  replaces: string | null
  /** The products that the person was in when another address was asked for, comma-separated ids. */
  product_ids: string | null
  /** The install that had it mailed; null: none had. */
  install_id: number | null
  created: UtcTime
  expires_at: UtcTime
  used_at: UtcTime | null
}

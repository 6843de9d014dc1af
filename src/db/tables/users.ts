import type { Generated } from 'kysely'
import type { UtcTime } from '../../lib/time.ts'
import type { USER } from '../../people/users/user.entity.ts'
import type { ColumnsOf, Sealed } from './columns.ts'

type Fields = (typeof USER)['fields']

/** A person; its columns are described with the noun. */
export interface UsersTable extends ColumnsOf<Fields> {}

/** A person as the user of one product; its columns are described with the person's, which has the names of these too. */
export interface ProductUsersTable extends ColumnsOf<Fields, 'product_users'> {
  user_id: number
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
  /** The link at the address that is replaced, where that is asked too; null: it is not. */
  former_hash: string | null
  /** When that link was followed, and when the one at `email` was, where both are asked. */
  former_at: UtcTime | null
  wanted_at: UtcTime | null
  created: UtcTime
  expires_at: UtcTime
  used_at: UtcTime | null
}

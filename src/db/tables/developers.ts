import type { Entity, Flag, KeyPairColumns } from './columns.ts'

/** A seller's account. */
export interface DevelopersTable extends Entity, KeyPairColumns {
  email: string
  email_folded: string
  first: string
  last: string
  password_hash: string | null
  is_verified: Flag
}

export interface StoresTable extends Entity, KeyPairColumns {
  developer_id: number
  title: string
}

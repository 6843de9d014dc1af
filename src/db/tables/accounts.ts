import type { Generated } from 'kysely'
import type { Role } from '../../access/roles.ts'
import type { UtcTime } from '../../lib/time.ts'
import type { Entity, Sealed } from './columns.ts'

/** Who is logged in. Times are milliseconds, so that a session ends at its exact moment (`docs/decisions.md` 3.8). */
export interface SessionsTable {
  id: Generated<number>
  /** A developer: the owner of an account or a member of a team. */
  person_id: number
  token_hash: string
  created_at: number
  expires_at: number
  /** Of the latest call that was noted, at most one a minute; before it, of the login. */
  last_used_ip: string | null
  /** What the browser says that it is. */
  last_used_agent: string | null
  last_used_at: number | null
}

/** Persons with an account of their own who may also act in that of `developer_id` once they accepted. */
export interface MembersTable extends Entity {
  developer_id: number
  person_id: number
  role: Role
  /** Whether a member of support may give payments back. */
  can_refund: boolean
  /** As whoever invited typed them; until the invitation is accepted nothing else is shown of the person. */
  invited_email: string
  invited_first: string
  invited_last: string
  /** Null while the person is only invited, and may do nothing. */
  accepted_at: UtcTime | null
}

/** Links mailed to a member, by which it accepts. */
export interface MemberInvitationsTable {
  id: Generated<number>
  developer_id: number
  person_id: number
  token_hash: string
  created: UtcTime
  expires_at: UtcTime
  used_at: UtcTime | null
}

/** A person's authenticator app; it counts once it is confirmed. */
export interface TwoFactorTable {
  person_id: number
  secret: Sealed
  /** The latest time step whose code was used: no code of it or an earlier one is good any more. */
  last_step: number
  confirmed_at: UtcTime | null
}

/** One row a code that was not used yet, as SHA-256. */
export interface BackupCodesTable {
  id: Generated<number>
  person_id: number
  code_hash: string
}

/** Where a seller is paid out to. */
export interface BankAccountsTable extends Entity {
  developer_id: number
  account_number: Sealed
  account_last4: string
  name: string
  phone: string
  address_street: string
  address_apt: string | null
  address_city: string
  address_state: string | null
  address_zip: string
  address_country_code: string
  bank_name: string
  bank_city_state: string
  bank_country_code: string
  swift: string
  ifsc: string | null
  sort_code: string | null
  aba_rtn: string | null
  wise_account_email: string | null
}

/** Failed attempts in a row, none an hour after the one before it, by what they were aimed at. */
export interface LoginFailuresTable {
  key: string
  failures: number
  /** Milliseconds since the epoch. */
  last_at: number
}

/** Addresses from which a person has logged in. */
export interface LoginAddressesTable {
  person_id: number
  address: string
  /** Milliseconds since the epoch. */
  last_at: number
}

import { LICENSE_KEY_PURPOSE } from '../lib/keyring.ts'
import type { Tables } from './tables/tables.ts'

export interface SealedColumn {
  readonly table: keyof Tables
  readonly column: string
  /** A column that is unique in the table and not null. */
  readonly key: string
  /** What the keyring calls it where that is not the name of the column. */
  readonly place?: string
  /** It has values in clear too, which an earlier version has left or writes still, until the next start seals them. */
  readonly mayBeClear?: true
  /** The column with the keyed hash of the same text, which is made anew with it, and the purpose of that hash. */
  readonly hash?: { readonly column: string; readonly purpose: string }
}

/** What the keyring calls the tokens of charges, which stand in a column of their own. */
export const CHARGE_TOKEN_PLACE = 'charges.details'

/**
 * Every column that holds what the keyring has sealed, for `secret rotate` and `doctor` (`docs/decisions.md` 3.4).
 * A column that is not here cannot be opened once the secret that sealed it is dropped.
 */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'developers', column: 'secret_key', key: 'id' },
  { table: 'stores', column: 'secret_key', key: 'id' },
  { table: 'products', column: 'secret_key', key: 'id' },
  { table: 'former_keys', column: 'secret_key', key: 'id' },
  { table: 'product_users', column: 'secret_key', key: 'public_key' },
  { table: 'user_keys', column: 'secret_key', key: 'id' },
  { table: 'email_confirmations', column: 'redirect_url', key: 'id' },
  { table: 'mails', column: 'content', key: 'id' },
  { table: 'license_keys', column: 'secret_key', key: 'id' },
  {
    table: 'licenses',
    column: 'secret_key',
    key: 'id',
    hash: { column: 'key_hash', purpose: LICENSE_KEY_PURPOSE },
  },
  { table: 'installs', column: 'secret_key', key: 'id' },
  { table: 'ownership_changes', column: 'redirect_url', key: 'id' },
  { table: 'pending_activations', column: 'work', key: 'id' },
  { table: 'erasures', column: 'addresses', key: 'id' },
  { table: 'payment_methods', column: 'token', key: 'id' },
  { table: 'charges', column: 'token', key: 'id', place: CHARGE_TOKEN_PLACE },
  { table: 'gateway_events', column: 'method', key: 'id' },
  { table: 'two_factor', column: 'secret', key: 'person_id' },
  { table: 'bank_accounts', column: 'account_number', key: 'id' },
  { table: 'bulks', column: 'asked', key: 'id' },
  { table: 'exports', column: 'asked', key: 'id' },
  { table: 'imports', column: 'asked', key: 'id' },
  { table: 'idempotency_keys', column: 'reply', key: 'id' },
  { table: 'webhooks', column: 'url', key: 'id' },
  { table: 'webhooks', column: 'secret', key: 'id' },
  { table: 'webhooks', column: 'previous_secret', key: 'id' },
  { table: 'delivery_attempts', column: 'answer', key: 'id', mayBeClear: true },
]

/** What the keyring calls the column. */
export const placeOf = ({ table, column, place }: SealedColumn): string => place ?? `${table}.${column}`

import type { Selectable } from 'kysely'
import { Type, type Static } from 'typebox'
import type { ProductUsersTable, UsersTable } from '../../db/tables/users.ts'
import {
  Arguments,
  Choice,
  Fields,
  Id,
  IdText,
  Nullable,
  Optional,
  Paging,
  SecretText,
  Text,
  Time,
} from '../../http/wire.ts'
import { isSeller, type Scope } from '../../access/scope.ts'
import { fold } from '../../lib/fold.ts'
import type { Keyring } from '../../lib/keyring.ts'

/** A person joined with its place in one product. */
export type UserRow = Pick<
  Selectable<UsersTable>,
  | 'id'
  | 'email'
  | 'first'
  | 'last'
  | 'picture'
  | 'ip'
  | 'is_verified'
  | 'auth'
  | 'last_login_at'
  | 'email_status'
  | 'created'
  | 'updated'
> &
  Pick<
    Selectable<ProductUsersTable>,
    'product_id' | 'public_key' | 'secret_key' | 'note' | 'is_marketing_allowed' | 'is_beta' | 'gross'
  >

const person = {
  id: IdText(),
  created: Time(),
  updated: Nullable(Time()),
  note: Type.String(),
  is_marketing_allowed: Nullable(Type.Boolean()),
  is_beta: Type.Boolean(),
  email: Type.String(),
  first: Type.String(),
  last: Type.String(),
  picture: Type.String(),
  ip: Nullable(Type.String()),
  is_verified: Type.Boolean(),
  auth: Choice(['app2fa', 'password']),
  gross: Type.Number(),
  last_login_at: Nullable(Time()),
  email_status: Nullable(Choice(['delivered', 'bounce', 'dropped'])),
}

/** A user as its product reads it (`docs/interface.md` 6.1). */
export const User = Type.Object(
  {
    ...person,
    secret_key: Optional(Type.String({ description: 'Not for a member whose role is limited.' })),
    public_key: Type.String(),
  },
  { title: 'User' },
)
export type User = Static<typeof User>

export const UserId = Arguments({ user_id: Id('ID of the user.') })

export const USER_FILTERS = ['all', 'never_paid', 'paid', 'paying', 'beta'] as const
/** Those that tell who has paid. */
export const SALES_FILTERS: readonly (typeof USER_FILTERS)[number][] = ['never_paid', 'paid', 'paying']
export type UserFilter = (typeof USER_FILTERS)[number]

export const UserList = Arguments({
  email: Optional(Text({ description: 'Exact address, whatever its case.' })),
  filter: Type.Unsafe<UserFilter>(
    Choice(USER_FILTERS, { default: 'all', description: 'By payment standing.' }),
  ),
  search: Optional(Text({ description: 'ID, or a part of a name or an address.' })),
  ...Paging,
  ...Fields,
})
export type UserList = Static<typeof UserList>

/** Characters that the two parts of a name may have, given as such or taken from `name`. */
export const NAME_LIMITS = { first: 100, last: 150 } as const

const names = {
  name: Optional(Text({ description: 'Full name; first and last are taken from it.' })),
  first: Optional(Text({ max: NAME_LIMITS.first })),
  last: Optional(Text({ max: NAME_LIMITS.last })),
}

/** Origin codes of migrated data and their numbers (`docs/interface.md` 1.6). */
export const SOURCES = {
  freemius: 0,
  others: 1,
  edd: 2,
  easydigitaldownloads: 2,
  woo: 3,
  wc: 3,
  woocommerce: 3,
  gumroad: 5,
  cc: 6,
  codecanyon: 6,
  tf: 7,
  themeforest: 7,
  appsumo: 8,
  sendowl: 9,
  whmcs: 10,
  ls: 11,
  lemonsqueezy: 11,
} as const
const SOURCE_CODES = Object.keys(SOURCES) as (keyof typeof SOURCES)[]

/** The body that creates a user (`docs/interface.md` 6.2). */
export const UserCreate = Arguments({
  email: Text({ max: 254, format: 'email', description: 'Valid address.' }),
  password: Optional(SecretText({ description: 'At least 8 characters.' })),
  ip: Optional(Nullable(Text({ max: 45, format: 'ip' }))),
  ...names,
  picture: Optional(Text({ max: 2048, format: 'http-url', description: 'Address of a profile picture.' })),
  is_verified: Type.Boolean({ default: false }),
  after_email_confirm_url: Optional(
    Text({ max: 2048, format: 'http-url', description: 'Where the person is led after confirming.' }),
  ),
  send_verification_email: Optional(
    Type.Boolean({
      description: 'Default: true in product scope; false for the developer and the store, who ask for it.',
    }),
  ),
  is_marketing_allowed: Optional(Nullable(Type.Boolean())),
  is_migration: Type.Boolean({
    default: false,
    description: 'The value true switches mails and events off.',
  }),
  source: Type.Unsafe<keyof typeof SOURCES>(
    Choice(SOURCE_CODES, { default: 'freemius', anyCase: true, description: 'In any case.' }),
  ),
})
export type UserCreate = Static<typeof UserCreate>

/** The body that changes a user; what it leaves out stays. */
export const UserUpdate = Arguments({
  ...names,
  email: Optional(
    Text({
      max: 254,
      format: 'email',
      description: 'Another address; it is the user’s when the link that is mailed there was followed.',
    }),
  ),
  after_email_confirm_url: Optional(
    Text({ max: 2048, format: 'http-url', description: 'Where the user is led after confirming `email`.' }),
  ),
  is_marketing_allowed: Optional(Nullable(Type.Boolean())),
  is_beta: Optional(Type.Boolean()),
})
export type UserUpdate = Static<typeof UserUpdate>

/** What the seller remarks on a user is for the seller only (`docs/interface.md` 6.1). */
export const withNoteFor = (reader: Pick<Scope, 'actor'>, user: UserRow): UserRow =>
  user.note === '' || isSeller(reader) ? user : { ...user, note: '' }

type Person = Omit<User, 'secret_key' | 'public_key'>

const presentPerson = (row: UserRow): Person => ({
  id: String(row.id),
  created: row.created,
  updated: row.updated,
  note: row.note,
  is_marketing_allowed: row.is_marketing_allowed === null ? null : row.is_marketing_allowed === 1,
  is_beta: row.is_beta === 1,
  email: row.email,
  first: row.first,
  last: row.last,
  picture: row.picture,
  ip: row.ip,
  is_verified: row.is_verified === 1,
  auth: row.auth,
  gross: row.gross / 100,
  last_login_at: row.last_login_at,
  email_status: row.email_status,
})

/**
 * Row → wire; `gross` becomes a decimal of US dollars. `keys` is null for a caller that may not see the secret
 * key (`userKeysShownTo`).
 */
export function presentUser(row: UserRow, keys: Keyring | null): User {
  const user = presentPerson(row) as User
  if (keys) user.secret_key = keys.open(row.secret_key, 'product_users.secret_key')
  user.public_key = row.public_key
  return user
}

/**
 * A user for who is not proven to be the person: without what it spent, where it is and what is noted of it, and
 * with the address only for who has said it. `told` is folded.
 */
export const presentProfile = (row: UserRow, told: string | null): User => ({
  ...presentPerson(row),
  email: told === fold(row.email) ? row.email : '',
  note: '',
  ip: null,
  gross: 0,
  last_login_at: null,
  email_status: null,
  public_key: row.public_key,
})

/**
 * As it stands beside an event: without its secret key, with the product (`docs/decisions.md` 6.2); for an install and
 * for who is not proven to be the person as its profile.
 */
export const presentEventUser = (row: UserRow, reader: Pick<Scope, 'reach' | 'actor'>) => ({
  ...(reader.reach !== undefined || reader.actor.kind === 'install'
    ? presentProfile(row, null)
    : presentPerson(withNoteFor(reader, row))),
  public_key: row.public_key,
  plugin_id: String(row.product_id),
  user_id: String(row.id),
})

import { Type, type Static } from '../../lib/type.ts'
import { isSeller, type Scope } from '../../access/scope.ts'
import type { Presented, RowOf } from '../../http/entity.ts'
import {
  Arguments,
  Choice,
  Fields,
  Id,
  IdText,
  MadeBetween,
  Optional,
  OverProducts,
  Paging,
  SecretText,
  Text,
  Sorted,
} from '../../http/wire.ts'
import { fold } from '../../lib/fold.ts'
import type { Keyring } from '../../lib/keyring.ts'
import { USER } from './user.entity.ts'

type UserFields = (typeof USER)['fields']

/** A person joined with its place in one product. */
export type UserRow = Presented<UserFields> & Pick<RowOf<UserFields>, 'product_id'>

/** A user as its product reads it (`docs/interface.md` 6.1). */
export const User = Type.Object(USER.shown, { title: 'User' })
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
  ...MadeBetween,
  ...Sorted,
  ...Paging,
  ...Fields,
})
export type UserList = Static<typeof UserList>

/** Of an account: over its products. */
export const AccountUserList = Arguments({ ...UserList.properties, ...OverProducts })
export type AccountUserList = Static<typeof AccountUserList>

/** A person as the user of one product; it is listed as often as it uses products. */
export const UserOfProduct = Type.Object(
  { ...User.properties, plugin_id: IdText() },
  { title: 'UserOfProduct' },
)
export type UserOfProduct = Static<typeof UserOfProduct>

const { email, ip, first, last, picture, is_verified, is_marketing_allowed } = USER.create

const names = {
  name: Optional(Text({ description: 'Full name; first and last are taken from it.' })),
  first,
  last,
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
  email,
  password: Optional(SecretText({ description: 'At least 8 characters.' })),
  ip,
  ...names,
  picture,
  is_verified,
  after_email_confirm_url: Optional(
    Text({ max: 2048, format: 'http-url', description: 'Where the person is led after confirming.' }),
  ),
  send_verification_email: Optional(
    Type.Boolean({
      description: 'Default: true in product scope; false for the developer and the store, who ask for it.',
    }),
  ),
  is_marketing_allowed,
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
  is_marketing_allowed,
  is_beta: USER.update.is_beta,
})
export type UserUpdate = Static<typeof UserUpdate>

/** What the seller remarks on a user is for the seller only (`docs/interface.md` 6.1). */
export const withNoteFor = (reader: Pick<Scope, 'actor'>, user: UserRow): UserRow =>
  user.note === '' || isSeller(reader) ? user : { ...user, note: '' }

/** Row → wire. `keys` is null for a caller that may not see the secret key (`userKeysShownTo`). */
export const presentUser: (row: UserRow, keys: Keyring | null) => User = USER.present

/**
 * A user for who is not proven to be the person: without what is withheld from it, and with the address only for who
 * has said it. `told` is folded.
 */
export function presentProfile(row: UserRow, told: string | null): User {
  const user = USER.presentWithheld(row, null)
  if (told === fold(row.email)) user.email = row.email
  return user
}

/**
 * As it stands beside an event: without its secret key, with the product (`docs/decisions.md` 6.2); for an install and
 * for who is not proven to be the person as its profile.
 */
export const presentEventUser = (row: UserRow, reader: Pick<Scope, 'reach' | 'actor'>) => ({
  ...(reader.reach !== undefined || reader.actor.kind === 'install'
    ? presentProfile(row, null)
    : presentUser(withNoteFor(reader, row), null)),
  plugin_id: String(row.product_id),
  user_id: String(row.id),
})

import type { Reader, Writer } from '../../db/database.ts'
import { familyOf } from '../../db/family.ts'
import { unscoped } from '../../db/scoped.ts'
import { LOOK_COLUMNS } from './portal-looks.ts'

const OWN = 'the access token that the user has come with'

/** How many products of a seller are shown; more than anybody has. */
const MOST = 200

interface Of {
  readonly id: number
  readonly userId: number
}

/** The access token behind a visit, with whose it is; undefined when it is gone. */
export const findEntry = (db: Reader, { id, userId }: Of) =>
  unscoped(db, OWN)
    .selectFrom('access_tokens')
    .innerJoin('users', 'users.id', 'access_tokens.user_id')
    .select(['access_tokens.token_hash', 'access_tokens.product_id', 'access_tokens.expires_at'])
    .select(['access_tokens.developer_id', 'access_tokens.person_id', 'users.id as user_id'])
    .select(['users.email', 'users.first', 'users.last', 'users.language'])
    .where('access_tokens.id', '=', id)
    .where('users.id', '=', userId)
    .executeTakeFirst()

interface Entry {
  readonly user_id: number
  readonly developer_id: number
  readonly product_id: number | null
}

/** The products that a visit opens and its user is of, the latest first. */
export function productsOfEntry(
  db: Reader,
  { user_id: userId, developer_id: developerId, product_id: productId }: Entry,
) {
  const all = unscoped(db, OWN)
    .selectFrom('product_users')
    .innerJoin('products', 'products.id', 'product_users.product_id')
    .select([
      ...LOOK_COLUMNS,
      'products.type',
      'products.selling_unit_singular',
      'products.selling_unit_plural',
      'products.portal_embed_hosts',
    ])
    .where('product_users.user_id', '=', userId)
    .where('products.developer_id', '=', developerId)
    .orderBy('product_users.created', 'desc')
    .orderBy('products.id', 'desc')
    .limit(MOST)
  const opened =
    productId === null
      ? all
      : all.where('products.id', 'in', familyOf(db, { developerId, productId, within: productId }))
  return opened.execute()
}

export const deleteEntry = (db: Writer, { id, userId }: Of) =>
  unscoped(db, OWN).deleteFrom('access_tokens').where('id', '=', id).where('user_id', '=', userId).execute()

export const putLanguage = (db: Writer, userId: number, language: string | null) =>
  unscoped(db, OWN).updateTable('users').set({ language }).where('id', '=', userId).execute()

/** All access tokens of a user, who is of one seller. */
export const deleteEntries = (db: Writer, userId: number) =>
  unscoped(db, OWN).deleteFrom('access_tokens').where('user_id', '=', userId).execute()

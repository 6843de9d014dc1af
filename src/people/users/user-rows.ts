import type { Updateable } from 'kysely'
import { ofAnyInstall } from '../../access/scope.ts'
import type { Reader, Writer } from '../../db/database.ts'
import { inList } from '../../db/in-list.ts'
import { preparedFor } from '../../db/prepared.ts'
import { scoped, scopedWrite, unscoped, type Owner } from '../../db/scoped.ts'
import type { ProductUsersTable } from '../../db/tables/users.ts'

/** The users of a product, each with its person. */
export const users = (db: Reader, owner: Owner) =>
  scoped(db, 'product_users', owner)
    .select()
    .innerJoin('users', 'users.id', 'product_users.user_id')
    .select([
      'users.id',
      'users.email',
      'users.first',
      'users.last',
      'users.picture',
      'users.ip',
      'users.is_verified',
      'users.auth',
      'users.last_login_at',
      'users.email_status',
      'users.created',
      'users.updated',
      'product_users.product_id',
      'product_users.public_key',
      'product_users.secret_key',
      'product_users.note',
      'product_users.is_marketing_allowed',
      'product_users.is_beta',
      'product_users.gross',
    ])

export const findUser = preparedFor((db, owner, { id }: { id: number }) =>
  users(db, owner).where('product_users.user_id', '=', id),
)

export const findUsers = (db: Reader, owner: Owner, ids: readonly number[]) =>
  users(db, owner).where('product_users.user_id', 'in', inList(ids)).execute()

export const findPersonByEmail = (db: Reader, owner: Owner, emailFolded: string) =>
  scoped(db, 'users', owner)
    .select()
    .select(['id', 'email', 'first', 'last', 'is_verified'])
    .where('email_folded', '=', emailFolded)
    .executeTakeFirst()

/** The user of the product who has this address. */
export const findUserByEmail = (db: Reader, owner: Owner, emailFolded: string) =>
  scoped(db, 'product_users', owner)
    .select()
    .select('product_users.user_id')
    .where('product_users.email_folded', '=', emailFolded)
    .executeTakeFirst()

export const updateProductUser = (
  db: Writer,
  owner: Owner,
  id: number,
  change: Updateable<ProductUsersTable>,
) => scopedWrite(db, 'product_users', owner).update().set(change).where('user_id', '=', id).execute()

/** Keeps the folded twins of a person right in every product it belongs to. */
export const updateTwins = (
  db: Writer,
  id: number,
  twins: Pick<ProductUsersTable, 'email_folded' | 'name_folded'>,
) =>
  unscoped(db, 'a person has one name and address in all products of its developer')
    .updateTable('product_users')
    .set(twins)
    .where('user_id', '=', id)
    .execute()

/** Whether a user of the product has a site at this host, which may have a port. */
export async function hasSiteAt(
  db: Reader,
  owner: Owner,
  { userId, host }: { readonly userId: number; readonly host: string },
): Promise<boolean> {
  const found = await scoped(db, 'installs', ofAnyInstall(owner))
    .select()
    .select('installs.id')
    .where('installs.user_id', '=', userId)
    .where('installs.host', '=', host)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** What a product says about the users and links made for it. */
export const findUserRules = (db: Reader, owner: Owner) =>
  scoped(db, 'products', owner)
    .select()
    .select(['title', 'can_create_users', 'redirect_hosts'])
    .executeTakeFirst()

import type { Updateable } from 'kysely'
import { ofAnyInstall } from '../../access/scope.ts'
import type { Reader, Writer } from '../../db/database.ts'
import { inList } from '../../db/in-list.ts'
import { preparedFor } from '../../db/prepared.ts'
import { scoped, scopedWrite, unscoped, type Owner } from '../../db/scoped.ts'
import type { ColumnsOf } from '../../db/tables/columns.ts'
import type { ProductUsersTable } from '../../db/tables/users.ts'
import type { Field } from '../../http/entity-fields.ts'
import type { UserRow } from './schema.ts'
import { USER } from './user.entity.ts'

type InProduct = Extract<keyof UserRow, keyof ColumnsOf<(typeof USER)['fields'], 'product_users'>>

/** What a row of a user has, with the table's name, as a query joins both. */
const COLUMNS = Object.entries<Field>(USER.fields)
  .filter(([column, { options }]) => !options.hidden || column === 'product_id')
  .map(([column, { options }]) => `${options.table ?? 'users'}.${column}`) as (
  `users.${Exclude<keyof UserRow, InProduct>}` | `product_users.${InProduct}`
)[]

/** The users of a product, each with its person. */
export const users = (db: Reader, owner: Owner) =>
  scoped(db, 'product_users', owner)
    .select()
    .innerJoin('users', 'users.id', 'product_users.user_id')
    .select(COLUMNS)

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

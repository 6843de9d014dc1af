import type { Reader, Writer } from '../db/database.ts'
import type { KeyPairColumns } from '../db/tables/columns.ts'
import type { UtcTime } from '../lib/time.ts'

type Keys = KeyPairColumns & { readonly updated: UtcTime }

export const setCameWith = (db: Writer, userId: number, installIds: string) =>
  db.updateTable('users').set({ came_with: installIds }).where('id', '=', userId).execute()

/** The products that a person is a user of. */
export const productsOfPerson = async (db: Reader, userId: number): Promise<number[]> => {
  const rows = await db
    .selectFrom('product_users')
    .select('product_id')
    .where('user_id', '=', userId)
    .orderBy('product_id')
    .execute()
  return rows.map(({ product_id: id }) => id)
}

/** The installs of a person in every product. */
export const installsOfPerson = async (db: Reader, userId: number): Promise<number[]> => {
  const rows = await db
    .selectFrom('installs')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

export const setKeysOfUser = (
  db: Writer,
  { userId, productId }: { readonly userId: number; readonly productId: number },
  keys: Keys,
) =>
  db
    .updateTable('product_users')
    .set(keys)
    .where('product_id', '=', productId)
    .where('user_id', '=', userId)
    .execute()

export const setKeysOfInstall = (db: Writer, id: number, keys: Keys) =>
  db.updateTable('installs').set(keys).where('id', '=', id).execute()

/** Ends the tokens of a person's installs but for one. */
export const endTokensOf = (db: Writer, userId: number, kept: number | null) =>
  db
    .deleteFrom('install_tokens')
    .where('install_id', 'in', ({ selectFrom }) =>
      selectFrom('installs')
        .select('installs.id')
        .where('installs.user_id', '=', userId)
        .where('installs.id', '<>', kept ?? 0),
    )
    .execute()

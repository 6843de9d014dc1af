import type { Insertable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'
import type { InstallsTable } from '../../db/tables/installs.ts'
import type { UtcTime } from '../../lib/time.ts'

/** Adds an install unless its user has one of this uid; undefined then. */
export const insertInstall = (db: Writer, row: Insertable<InstallsTable>) =>
  db
    .insertInto('installs')
    .values(row)
    .onConflict((conflict) => conflict.columns(['product_id', 'uid', 'user_id']).doNothing())
    .returningAll()
    .executeTakeFirst()

/** Holds the install that a user has by this uid until the end of the transaction. */
export const holdInstallOfUid = (
  db: Writer,
  { productId, userId, uid }: { readonly productId: number; readonly userId: number; readonly uid: string },
) =>
  unscoped(db, 'named by product, uid and user, by which it is unique')
    .updateTable('installs')
    .set((eb) => ({ product_id: eb.ref('product_id') }))
    .where('product_id', '=', productId)
    .where('uid', '=', uid)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst()

/** The plan of an install without license: the product's default one where that costs nothing, else none. */
export const planWithoutLicense = async (db: Reader, productId: number): Promise<number | null> => {
  const found = await unscoped(db, 'what a product says of its installs, whoever asks')
    .selectFrom('products')
    .innerJoin('plans', 'plans.id', 'products.default_plan_id')
    .select('plans.id')
    .where('products.id', '=', productId)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('pricing').select('pricing.id').whereRef('pricing.plan_id', '=', 'plans.id'))),
    )
    .executeTakeFirst()
  return found?.id ?? null
}

/** The id of a site of a developer, which is added when there is none. */
export async function upsertSite(db: Writer, developerId: number, address: string, created: UtcTime) {
  const row = { developer_id: developerId, address, created }
  const added = await db
    .insertInto('sites')
    .values(row)
    .onConflict((conflict) => conflict.columns(['developer_id', 'address']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (added) return added.id
  const known = await unscoped(db, 'a site belongs to a developer, in all of its products')
    .selectFrom('sites')
    .select('id')
    .where('developer_id', '=', developerId)
    .where('address', '=', address)
    .executeTakeFirstOrThrow()
  return known.id
}

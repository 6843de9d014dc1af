import type { Insertable, Updateable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { scoped, scopedWrite, unscoped, type Owner } from '../../db/scoped.ts'
import type { EmailAddressesTable } from '../../db/tables/products.ts'

const FOUND = 'the caller has found the store in its scope'

export const findStoreAddresses = (db: Reader, storeId: number) =>
  unscoped(db, FOUND)
    .selectFrom('email_addresses')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('product_id', 'is', null)
    .executeTakeFirst()

export const findProductAddresses = (db: Reader, owner: Owner) =>
  scoped(db, 'email_addresses', owner).select().selectAll().executeTakeFirst()

/** Writes what is given; what is left out stays, or is null in addresses that are new. */
export const putStoreAddresses = (
  db: Writer,
  row: Insertable<EmailAddressesTable>,
  change: Updateable<EmailAddressesTable>,
) =>
  db
    .insertInto('email_addresses')
    .values(row)
    .onConflict((conflict) => conflict.column('store_id').where('product_id', 'is', null).doUpdateSet(change))
    .returningAll()
    .executeTakeFirstOrThrow()

export const putProductAddresses = (
  db: Writer,
  row: Insertable<EmailAddressesTable>,
  change: Updateable<EmailAddressesTable>,
) =>
  db
    .insertInto('email_addresses')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('product_id').where('product_id', 'is not', null).doUpdateSet(change),
    )
    .returningAll()
    .executeTakeFirstOrThrow()

/** False when the store has none. */
export async function deleteStoreAddresses(db: Writer, storeId: number): Promise<boolean> {
  const { numDeletedRows } = await unscoped(db, FOUND)
    .deleteFrom('email_addresses')
    .where('store_id', '=', storeId)
    .where('product_id', 'is', null)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** False when the product has none of its own. */
export async function deleteProductAddresses(db: Writer, owner: Owner): Promise<boolean> {
  const { numDeletedRows } = await scopedWrite(db, 'email_addresses', owner).delete().executeTakeFirst()
  return numDeletedRows > 0n
}

/** The store of the scope's product. */
export const findStoreOfProduct = (db: Reader, owner: Owner) =>
  scoped(db, 'products', owner).select().select('products.store_id').executeTakeFirst()

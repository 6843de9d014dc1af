import { sql, type Insertable, type Updateable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { excluding, holding, keeping } from '../../db/hold.ts'
import { scoped, scopedWrite, unscoped, type Owner } from '../../db/scoped.ts'
import type { StoresTable } from '../../db/tables/developers.ts'

export const insertStore = (db: Writer, row: Insertable<StoresTable>) =>
  db.insertInto('stores').values(row).returningAll().executeTakeFirstOrThrow()

export const findStore = (db: Reader, owner: Owner, id: number) =>
  scoped(db, 'stores', owner).select().selectAll().where('id', '=', id).executeTakeFirst()

/** A page of a developer's stores, newest first. */
export const listStores = (
  db: Reader,
  owner: Owner,
  { count, offset }: { readonly count: number; readonly offset: number },
) =>
  scoped(db, 'stores', owner).select().selectAll().orderBy('id', 'desc').limit(count).offset(offset).execute()

export const updateStoreRow = (db: Writer, owner: Owner, id: number, change: Updateable<StoresTable>) =>
  scopedWrite(db, 'stores', owner)
    .update()
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

const idOf = (db: Writer, owner: Owner, id: number) =>
  scoped(db, 'stores', owner).select().select('stores.id').where('stores.id', '=', id)

/** The store, kept from who deletes it until the end of the transaction. */
export const keepStoreRow = (db: Writer, owner: Owner, id: number) =>
  keeping(db, idOf(db, owner, id)).executeTakeFirst()

/** The store, after who adds something to it has ended; nobody adds to it until the end of the transaction. */
export const excludeStoreRow = (db: Writer, owner: Owner, id: number) =>
  excluding(db, idOf(db, owner, id)).executeTakeFirst()

/** Holds the account, so that of two that delete a store of it one waits for the other. */
export const holdAccount = (db: Writer, { developerId }: Owner) =>
  holding(
    db,
    unscoped(db, 'the account of the scope')
      .selectFrom('developers')
      .select('developers.id')
      .where('developers.id', '=', developerId),
  ).execute()

/** Whether a product, a coupon, also one that was deleted, or a product's sender address refers to a store. */
export async function isStoreInUse(db: Writer, id: number): Promise<boolean> {
  const { rows } = await sql<{ used: number }>`select 1 as used where
    exists (select 1 from products where store_id = ${id})
    or exists (select 1 from coupons where store_id = ${id})
    or exists (select 1 from email_addresses where store_id = ${id} and product_id is not null)`.execute(
    unscoped(db, 'the caller holds the store'),
  )
  return rows.length > 0
}

export const hasOtherStore = async (db: Writer, owner: Owner, id: number): Promise<boolean> =>
  (await scoped(db, 'stores', owner)
    .select()
    .select('stores.id')
    .where('stores.id', '<>', id)
    .limit(1)
    .executeTakeFirst()) !== undefined

export const deleteStoreRow = (db: Writer, owner: Owner, id: number) =>
  scopedWrite(db, 'stores', owner).delete().where('id', '=', id).execute()

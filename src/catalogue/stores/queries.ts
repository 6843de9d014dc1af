import { sql, type Insertable, type Updateable } from 'kysely'
import { countRows } from '../../db/count-rows.ts'
import type { Reader, Writer } from '../../db/database.ts'
import { excluding, holding, keeping } from '../../db/hold.ts'
import { shortList, type TitleSort } from '../../db/newest-by.ts'
import { scoped, scopedWrite, unscoped, type Owner } from '../../db/scoped.ts'
import type { StoresTable } from '../../db/tables/developers.ts'
import type { TimeSpan } from '../../lib/time-text.ts'

export const insertStore = (db: Writer, row: Insertable<StoresTable>) =>
  db.insertInto('stores').values(row).returningAll().executeTakeFirstOrThrow()

export const findStore = (db: Reader, owner: Owner, id: number) =>
  scoped(db, 'stores', owner).select().selectAll().where('id', '=', id).executeTakeFirst()

/** A page of a developer's stores, newest first. */
interface StoreSearch {
  readonly made: TimeSpan | undefined
  readonly count: number
}

interface StorePage extends StoreSearch {
  readonly sort: TitleSort
  readonly offset: number
}

const SHORT = shortList('stores')

export const listStores = (db: Reader, owner: Owner, page: StorePage) =>
  SHORT.sorted(someStores(db, owner, page).selectAll(), page)
    .limit(page.count)
    .offset(page.offset)
    .execute()

/** How many there are, counted no further than `count`. */
export const countStores = (db: Reader, owner: Owner, search: StoreSearch) =>
  countRows(db, someStores(db, owner, search).select('stores.id'), search.count)

const someStores = (db: Reader, owner: Owner, search: StoreSearch) =>
  SHORT.between(scoped(db, 'stores', owner).select(), search)

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

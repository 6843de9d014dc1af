import type { Insertable, Updateable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { scoped, scopedWrite, type Owner } from '../../db/scoped.ts'
import type { StoresTable } from '../../db/tables/developers.ts'

const COLUMNS = [
  'stores.id',
  'stores.created',
  'stores.updated',
  'stores.developer_id',
  'stores.title',
  'stores.url',
  'stores.dashboard_url',
  'stores.public_key',
  'stores.secret_key',
] as const

export const insertStore = (db: Writer, row: Insertable<StoresTable>) =>
  db.insertInto('stores').values(row).returning(COLUMNS).executeTakeFirstOrThrow()

export const findStore = (db: Reader, owner: Owner, id: number) =>
  scoped(db, 'stores', owner).select().select(COLUMNS).where('id', '=', id).executeTakeFirst()

/** A page of a developer's stores, newest first. */
export const listStores = (
  db: Reader,
  owner: Owner,
  { count, offset }: { readonly count: number; readonly offset: number },
) =>
  scoped(db, 'stores', owner)
    .select()
    .select(COLUMNS)
    .orderBy('id', 'desc')
    .limit(count)
    .offset(offset)
    .execute()

export const updateStoreRow = (db: Writer, owner: Owner, id: number, change: Updateable<StoresTable>) =>
  scopedWrite(db, 'stores', owner)
    .update()
    .set(change)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()

import type { Insertable } from 'kysely'
import type { Writer } from '../../db/database.ts'
import type { StoresTable } from '../../db/tables/developers.ts'

export const insertStore = (db: Writer, row: Insertable<StoresTable>) =>
  db.insertInto('stores').values(row).returning('id').executeTakeFirstOrThrow()

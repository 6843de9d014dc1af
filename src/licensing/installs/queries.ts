import type { Updateable } from 'kysely'
import type { Writer } from '../../db/database.ts'
import { scopedWrite, type Owner } from '../../db/scoped.ts'
import type { InstallsTable } from '../../db/tables/installs.ts'

export type InstallUpdate = Updateable<InstallsTable>

export const updateInstallRow = (db: Writer, owner: Owner, id: number, change: InstallUpdate) =>
  scopedWrite(db, 'installs', owner)
    .update()
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export const deleteInstallRow = (db: Writer, owner: Owner, id: number) =>
  scopedWrite(db, 'installs', owner).delete().where('id', '=', id).execute()

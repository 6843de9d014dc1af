import type { Updateable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { inList } from '../../db/in-list.ts'
import { preparedFor } from '../../db/prepared.ts'
import { scoped, scopedWrite, type Owner } from '../../db/scoped.ts'
import type { InstallsTable } from '../../db/tables/installs.ts'

export const findInstall = preparedFor((db, owner, { id }: { id: number }) =>
  scoped(db, 'installs', owner).select().selectAll().where('id', '=', id),
)

export const findInstalls = (db: Reader, owner: Owner, ids: readonly number[]) =>
  scoped(db, 'installs', owner).select().selectAll().where('id', 'in', inList(ids)).execute()

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

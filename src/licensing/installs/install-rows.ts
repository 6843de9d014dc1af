import type { Reader } from '../../db/database.ts'
import { inList } from '../../db/in-list.ts'
import { preparedFor } from '../../db/prepared.ts'
import { scoped, type Owner } from '../../db/scoped.ts'

export const findInstall = preparedFor((db, owner, { id }: { id: number }) =>
  scoped(db, 'installs', owner).select().selectAll().where('id', '=', id),
)

export const findInstalls = (db: Reader, owner: Owner, ids: readonly number[]) =>
  scoped(db, 'installs', owner).select().selectAll().where('id', 'in', inList(ids)).execute()

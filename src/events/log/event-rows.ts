import type { Reader } from '../../db/database.ts'
import { preparedFor } from '../../db/prepared.ts'
import { scoped, type Owner } from '../../db/scoped.ts'

export const findEvent = preparedFor((db, owner, { id }: { id: number }) =>
  scoped(db, 'events', owner).select().selectAll().where('id', '=', id),
)

export interface Page {
  readonly count: number
  readonly offset: number
}

/** The events of one install, newest first. */
export function listEventsOfInstall(
  db: Reader,
  owner: Owner,
  { installId, type, count, offset }: Page & { readonly installId: number; readonly type?: string },
) {
  const ofInstall = scoped(db, 'events', owner).select().select('id').where('install_id', '=', installId)
  const found = type === undefined ? ofInstall : ofInstall.where('type', '=', type)
  return scoped(db, 'events', owner)
    .select()
    .selectAll()
    .where('id', 'in', found.orderBy('id', 'desc').limit(count).offset(offset))
    .orderBy('id', 'desc')
    .execute()
}

/** Events after a place in the order of commits, in that order. */
export const listEventsAfter = preparedFor((db, owner, { after, count }: { after: number; count: number }) =>
  scoped(db, 'events', owner).select().selectAll().where('seq', '>', after).orderBy('seq').limit(count),
)

/** The place of the last event that has one; 0: there is none. */
export async function lastSeq(db: Reader, owner: Owner): Promise<number> {
  const [row] = await scoped(db, 'events', owner)
    .select()
    .select('seq')
    .where('seq', 'is not', null)
    .orderBy('seq', 'desc')
    .limit(1)
    .execute()
  return row?.seq ?? 0
}

import type { Insertable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { fromNewest, listStart } from '../../db/list-start.ts'
import { prepared, preparedFor } from '../../db/prepared.ts'
import { scoped, type Owner } from '../../db/scoped.ts'
import type { EventsTable } from '../../db/tables/events.ts'

export const findEvent = preparedFor((db, owner, { id }: { id: number }) =>
  scoped(db, 'events', owner).select().selectAll().where('id', '=', id),
)

interface Page {
  readonly count: number
  readonly offset: number
}

export interface EventFilter extends Page {
  readonly type?: string | undefined
  readonly state?: EventsTable['state'] | undefined
}

/** Newest first; the rows before the page are skipped in an index, which holds each filter's order. */
export async function listEvents(db: Reader, owner: Owner, { type, state, count, offset }: EventFilter) {
  const isAll = type === undefined && state === undefined
  const start = isAll ? await listStart(db, 'events', owner, offset) : fromNewest(offset)
  let page = scoped(db, 'events', owner).select().select('id').where('id', '<=', start.upTo)
  if (type !== undefined) page = page.where('type', '=', type)
  if (state !== undefined) page = page.where('state', '=', state)
  page = page.orderBy('id', 'desc').limit(count).offset(start.offset)
  return scoped(db, 'events', owner)
    .select()
    .selectAll()
    .where('id', 'in', page)
    .orderBy('id', 'desc')
    .execute()
}

/** The events of one user, newest first. */
export const listEventsOfUser = preparedFor((db, owner, values: Page & { userOfEvents: number }) =>
  scoped(db, 'events', owner)
    .select()
    .selectAll()
    .where(
      'id',
      'in',
      scoped(db, 'events', owner)
        .select()
        .select('id')
        .where('user_id', '=', values.userOfEvents)
        .orderBy('id', 'desc')
        .limit(values.count)
        .offset(values.offset),
    )
    .orderBy('id', 'desc'),
)

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

export const insertEvent = prepared((db: Writer, row: Required<Omit<Insertable<EventsTable>, 'id'>>) =>
  db
    .insertInto('events')
    .values({
      developer_id: row.developer_id,
      product_id: row.product_id,
      user_id: row.user_id,
      install_id: row.install_id,
      type: row.type,
      data: row.data,
      event_trigger: row.event_trigger,
      state: row.state,
      process_time: row.process_time,
      created: row.created,
      updated: row.updated,
    })
    .returning('id'),
)

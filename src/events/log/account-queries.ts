import type { Reader } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'
import { narrowEvents, NEWEST, readingOf } from './narrow-events.ts'
import type { EventFilter } from './queries.ts'

/** Those of an account that are about no product, such as those of stores and of the team. */
const ofAccount = (db: Reader, developerId: number) =>
  unscoped(db, 'the account is that of the scope')
    .selectFrom('events')
    .selectAll()
    .where('developer_id', '=', developerId)
    .where('product_id', 'is', null)

/** A page of the account's own events, newest first. */
export function listEventsOfAccount(db: Reader, developerId: number, filter: EventFilter) {
  const { count, offset, below } = filter
  const all = narrowEvents(ofAccount(db, developerId), filter)
  const page = below === undefined ? all : all.where('id', '<', below)
  return NEWEST.ids(page, { ...readingOf(filter), below })
    .limit(count)
    .offset(offset)
    .execute()
}

export const findEventOfAccount = (db: Reader, developerId: number, id: number) =>
  ofAccount(db, developerId).where('id', '=', id).execute()

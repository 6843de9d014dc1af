import type { Reader } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'
import { whereBetween } from '../../db/where-between.ts'
import type { EventFilter } from './queries.ts'

/** Those of an account that are about no product, such as those of stores and of the team. */
const ofAccount = (db: Reader, developerId: number) =>
  unscoped(db, 'the account is that of the scope')
    .selectFrom('events')
    .selectAll()
    .where('developer_id', '=', developerId)
    .where('product_id', 'is', null)

/** A page of the account's own events, newest first. */
export function listEventsOfAccount(
  db: Reader,
  developerId: number,
  { type, state, environment, made, count, offset, below }: EventFilter,
) {
  let page = ofAccount(db, developerId)
  if (type !== undefined) page = page.where('type', '=', type)
  if (state !== undefined) page = page.where('state', '=', state)
  if (environment !== undefined) page = page.where('environment', '=', environment)
  if (below !== undefined) page = page.where('id', '<', below)
  page = whereBetween(page, 'events.created', made)
  return page.orderBy('id', 'desc').limit(count).offset(offset).execute()
}

export const findEventOfAccount = (db: Reader, developerId: number, id: number) =>
  ofAccount(db, developerId).where('id', '=', id).execute()

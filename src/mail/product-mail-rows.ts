import { sql } from 'kysely'
import { countRows } from '../db/count-rows.ts'
import type { Reader, Writer } from '../db/database.ts'
import { newestBy, type ListSort } from '../db/newest-by.ts'
import { scoped, scopedWrite, type Owner } from '../db/scoped.ts'
import type { MailsTable } from '../db/tables/mails.ts'
import type { MsSpan } from '../lib/time-text.ts'
import { again, type MailRow } from './mail-rows.ts'

export interface MailFilter {
  readonly user_id?: number | undefined
  readonly state?: MailsTable['state'] | undefined
  readonly environment?: 0 | 1 | undefined
  readonly made?: MsSpan | undefined
  readonly sort?: ListSort | undefined
  readonly count: number
  readonly offset: number
}

/** What is mailed about a product, newest first unless it is sorted. */
export const listMails = (db: Reader, owner: Owner, filter: MailFilter) =>
  pageOfMails(db, owner, filter).execute()

export function pageOfMails(db: Reader, owner: Owner, filter: MailFilter) {
  const reading = readingOf(filter)
  const ids = NEWEST.ids(narrowed(db, owner, filter), reading)
    .limit(filter.count)
    .offset(filter.offset)
  return NEWEST.rows(scoped(db, 'mails', owner).select().selectAll().where('mails.id', 'in', ids), reading)
}

/** How many there are, counted no further than `filter.count`. */
export const countMails = (db: Reader, owner: Owner, filter: MailFilter) =>
  countRows(db, narrowed(db, owner, filter), filter.count)

const NEWEST = newestBy('mails.id', 'mails.created_at', 'ms')

const NOT_SENT: readonly MailsTable['state'][] = ['pending', 'failed']

/** Nearly all mails are sent, and live. */
const isOfFew = ({ user_id: user, state, environment }: MailFilter): boolean =>
  user !== undefined || environment === 1 || (state !== undefined && state !== 'sent')

const readingOf = (filter: MailFilter) => ({
  span: filter.made,
  sort: filter.sort,
  isOfFew: isOfFew(filter),
})

/** A column that many rows have alike is no way to those of a span; nor is the environment to the few of a user or a state. */
function narrowed(db: Reader, owner: Owner, filter: MailFilter) {
  const { user_id: user, state, environment, made } = filter
  const isByTime = made !== undefined && !isOfFew(filter)
  let query = scoped(db, 'mails', owner).select().select('mails.id')
  if (user !== undefined) query = query.where('user_id', '=', user)
  if (state !== undefined)
    // As PostgreSQL knows how many these are.
    query = isByTime ? query.where('state', 'not in', NOT_SENT) : query.where('state', '=', state)
  if (environment !== undefined) query = query.where(isIn(environment, isByTime || user || state))
  return NEWEST.between(query, readingOf(filter))
}

const isIn = (environment: 0 | 1, isNarrowed: unknown) =>
  isNarrowed
    ? sql<boolean>`mails.environment + 0 = ${sql.lit(environment)}`
    : sql<boolean>`mails.environment = ${sql.lit(environment)}`

export const findMail = (db: Reader, owner: Owner, id: number): Promise<MailRow | undefined> =>
  scoped(db, 'mails', owner).select().selectAll().where('id', '=', id).executeTakeFirst()

/** Makes a mail of a product due that was given up or waits; false when it was sent, or is no longer kept. */
export async function retryMailOf(db: Writer, owner: Owner, id: number, now: number): Promise<boolean> {
  const { numUpdatedRows } = await scopedWrite(db, 'mails', owner)
    .update()
    .set(again(now))
    .where('id', '=', id)
    .where('content', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

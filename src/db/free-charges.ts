import { sql, type RawBuilder } from 'kysely'
import { DAY, toUtcTime } from '../lib/time.ts'
import { APART_MS, columnHasCome, dueWithin } from './has-come.ts'

/** The farthest ahead that a charge or a subscription is ever held or left alone. */
export const REST_MOST_MS = DAY

/** Of a query on charges: those begun by a clock that was ahead of `now`, real time in milliseconds, and was set back. */
export const begunAhead = (now: number): RawBuilder<boolean> =>
  sql<boolean>`charges.created > ${toUtcTime(now + APART_MS)}`

/**
 * Of a query on charges: those that nobody has in hand at `now`. One that was begun ahead of it is held for so long by
 * nobody whose clock is right.
 */
export const isFree = (now: number): RawBuilder<boolean> =>
  sql<boolean>`(${columnHasCome('charges.lease_until', dueWithin(now, REST_MOST_MS))}
    or (charges.lease_until > ${now + APART_MS} and ${begunAhead(now)}))`

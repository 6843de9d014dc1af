import { sql, type RawBuilder } from 'kysely'
import { MINUTE, toUtcTime, type UtcTime } from '../lib/time.ts'

/** What clocks of processes may differ by, milliseconds. */
export const APART_MS = 5 * MINUTE

/**
 * Whether a time has come, all in milliseconds of real time: it is over, or farther ahead than `mostMs`, the farthest that
 * it is ever set: a clock that was ahead has set it, and has come back.
 */
export const hasCome = (at: number, now: number, mostMs: number): boolean =>
  at <= now || at > now + mostMs + APART_MS

/** What a column is compared with in a query, milliseconds of real time: it is due up to `now`, and past what is ever set. */
export interface Due {
  readonly now: number
  readonly past: number
}

/** What is due at `now` of what is set no farther ahead than `mostMs`. */
export const dueWithin = (now: number, mostMs: number): Due => ({ now, past: now + mostMs + APART_MS })

/** `hasCome` in a query, of a column. */
export const columnHasCome = (column: string, { now, past }: Due): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(column)} <= ${now} or ${sql.ref(column)} > ${past})`

/** The time up to now, in UTC: what was written later than `until` was so by a clock that was ahead. */
export interface Lately {
  readonly since: UtcTime
  readonly until: UtcTime
}

export const latelySince = (since: number, now: number): Lately => ({
  since: toUtcTime(since),
  until: toUtcTime(now + APART_MS),
})

/** Of a query: what was written lately, in a column. */
export const columnIsLate = (column: string, { since, until }: Lately): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(column)} > ${since} and ${sql.ref(column)} <= ${until})`

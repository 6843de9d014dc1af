import { sql, type RawBuilder } from 'kysely'
import { MINUTE } from '../lib/time.ts'

/** What clocks of processes may differ by, milliseconds. */
export const APART_MS = 5 * MINUTE

/**
 * Whether a time has come, all in milliseconds of real time: it is over, or farther ahead than `mostMs`, the farthest that
 * it is ever set: a clock that was ahead has set it, and has come back.
 */
export const hasCome = (at: number, now: number, mostMs: number): boolean =>
  at <= now || at > now + mostMs + APART_MS

/** `hasCome` in a query, of a column. */
export const columnHasCome = (column: string, now: number, mostMs: number): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(column)} <= ${now} or ${sql.ref(column)} > ${now + mostMs + APART_MS})`

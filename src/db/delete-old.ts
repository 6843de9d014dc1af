import { sql } from 'kysely'
import type { UtcTime } from '../lib/time.ts'
import type { Writer } from './database.ts'
import type { Tables } from './tables/tables.ts'

/** Rows that are no longer needed some time after the one in `column`, which has an index. */
export type OldRows = {
  [T in keyof Tables]: {
    readonly table: T
    /** What tells the rows apart. */
    readonly key: readonly (keyof Tables[T] & string)[]
    readonly column: keyof Tables[T] & string
    /** Only those in this state. */
    readonly state?: string
    /** Only those that have none of this. */
    readonly without?: keyof Tables[T] & string
  }
}[keyof Tables]

/**
 * Deletes up to `limit` rows whose `column` is `until` at the latest, the oldest first; returns how many.
 * `until` has the form of the column: text in UTC, or milliseconds since the epoch (`docs/decisions.md` 1.4).
 */
export async function deleteOld(
  db: Writer,
  { table, key, column, state, without }: OldRows,
  until: number | UtcTime,
  limit: number,
): Promise<number> {
  const keys = sql.join(key.map((name) => sql.ref(name)))
  const inState = state === undefined ? sql`` : sql`and state = ${state}`
  const lacking = without === undefined ? sql`` : sql`and ${sql.ref(without)} is null`
  const old = sql`select ${keys} from ${sql.table(table)} where ${sql.ref(column)} <= ${until} ${inState} ${lacking}
    order by ${sql.ref(column)} limit ${limit}`
  const { numAffectedRows } = await sql`delete from ${sql.table(table)} where (${keys}) in (${old})`.execute(
    db,
  )
  return Number(numAffectedRows)
}

import { sql } from 'kysely'
import type { UtcTime } from '../lib/time.ts'
import type { Reader } from './database.ts'
import type { Environment } from './tables/licenses.ts'

/** What waits of rows that fall due by business time (`docs/decisions.md` 5.10). */
export interface Waiting {
  /** Products in whose sandbox something of it waits. */
  readonly sandboxes: (db: Reader) => Promise<number[]>
  /** The first moment after `now` at which a product's sandbox has something of it to do; null: none waits. */
  readonly nextAfter: (db: Reader, productId: number, now: UtcTime) => Promise<UtcTime | null>
}

/** Where rows say when they are due next, each with an index for the sandboxes. */
type Due =
  | readonly ['licenses' | 'trials', 'notice_at']
  | readonly ['subscriptions', 'due_at']
  | readonly ['carts', 'recover_at']

/** What waits of a table whose rows are due by a column. */
export function waitingBy(...[table, column]: Due): Waiting {
  const [rows, due] = [sql.table(table), sql.ref(column)]
  const waits = sql`environment = 1 and ${due} is not null`
  return {
    async sandboxes(db) {
      const found = await sql<{ id: number }>`
        select distinct product_id as id from ${rows} where ${waits}`.execute(db)
      return found.rows.map(({ id }) => id)
    },
    async nextAfter(db, productId, now) {
      const found = await sql<{ at: UtcTime }>`
        select ${due} as at from ${rows} where ${waits} and product_id = ${productId} and ${due} > ${now}
        order by ${due} limit 1`.execute(db)
      return found.rows[0]?.at ?? null
    },
  }
}

/** Whose ends are looked at, and what time it is there (`docs/decisions.md` 5.10). */
export type NoticePlace = { readonly now: UtcTime; readonly limit: number } & (
  | { readonly environment: Extract<Environment, 0> }
  | { readonly environment: Extract<Environment, 1>; readonly productId: number }
)

/** A place with real time in milliseconds, by which rows are left alone that have failed. */
export type DuePlace = NoticePlace & { readonly real: number }

import { sql, type RawBuilder } from 'kysely'
import { errorText } from '../lib/error-text.ts'
import { DAY, HOUR, MINUTE } from '../lib/time.ts'
import type { Reader, Writer } from './database.ts'
import { columnHasCome } from './has-come.ts'

/** Work that leaves a row alone of which it could not be done, and the table of the row. */
const WORK = {
  'recover-carts': 'carts',
  'end-trials': 'trials',
  'end-licenses': 'licenses',
  remind: 'subscriptions',
  renew: 'subscriptions',
  'settle-purchases': 'checkouts',
  'tell-listeners': 'webhooks',
  'advance-sandboxes': 'sandbox_clocks',
  'keep-invoices': 'invoices',
} as const
export type FailingWork = keyof typeof WORK

/** After each failure; after one more a row is left alone for good. */
const WAITS_MS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, DAY, DAY, DAY, DAY]
/** No row is left alone for longer but for good: a clock that was ahead has set it, and has come back. */
const LONGEST_MS = DAY + HOUR
/** What is owed is asked for every day, as a gateway that was set up wrong comes right one day. */
const ENDLESS: readonly FailingWork[] = ['renew']

/** Of a query: those rows that are not left alone at `now`, real time in milliseconds. */
export const notLeftAlone = (work: FailingWork, now: number): RawBuilder<boolean> =>
  sql<boolean>`not exists (select 1 from failed_rows where job = ${work}
    and row_id = ${sql.ref(`${WORK[work]}.id`)} and (until_ms is null or not ${columnHasCome('until_ms', { now, past: now + LONGEST_MS })}))`

interface Failure {
  readonly rowId: number
  readonly error: unknown
  readonly now: number
}

/**
 * Notes that some work failed at a row, which is left alone from then on, longer each time, after ten times for good;
 * until when, in milliseconds of real time; null: for good.
 */
export async function noteFailedRow(
  db: Writer,
  work: FailingWork,
  { rowId, error, now }: Failure,
): Promise<number | null> {
  const { failures } = await db
    .insertInto('failed_rows')
    .values({
      job: work,
      row_id: rowId,
      failures: 1,
      until_ms: now,
      failed_at: now,
      last_error: errorText(error),
    })
    .onConflict((known) =>
      known.columns(['job', 'row_id']).doUpdateSet((eb) => ({
        failures: eb('failed_rows.failures', '+', 1),
        failed_at: now,
        last_error: errorText(error),
      })),
    )
    .returning('failures')
    .executeTakeFirstOrThrow()
  const wait = WAITS_MS[failures - 1] ?? (ENDLESS.includes(work) ? DAY : undefined)
  const until = wait === undefined ? null : now + wait
  await db
    .updateTable('failed_rows')
    .set({ until_ms: until })
    .where('job', '=', work)
    .where('row_id', '=', rowId)
    .execute()
  return until
}

/** Rows that are left alone for good, those that failed first. */
export const leftForGood = (db: Reader, limit: number) =>
  db
    .selectFrom('failed_rows')
    .select(['job', 'row_id', 'failures', 'last_error'])
    .where('until_ms', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute()

/** Has every row tried again that is left alone; how many these were. */
export async function retryFailedRows(db: Writer): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('failed_rows').executeTakeFirst()
  return Number(numDeletedRows)
}

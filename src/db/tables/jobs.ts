import type { Generated } from 'kysely'
import type { LeaseColumns } from './leases.ts'

/** One row a recurring job. */
export interface JobsTable extends LeaseColumns {
  id: Generated<number>
  name: string
  last_started_at: number | null
  last_finished_at: number | null
  /** Failed runs in a row; a success sets it to 0. */
  failures: Generated<number>
  last_error: string | null
}

/** A row of another table that a job could not work off, and so leaves alone for a while. Real times, milliseconds. */
export interface FailedRowsTable {
  id: Generated<number>
  /** Whose work it is, as `db/failed-rows.ts` names it. */
  job: string
  row_id: number
  failures: number
  /** Until when it is left alone; null: for good. */
  until_ms: number | null
  failed_at: number
  last_error: string
}

/** One row, once they have run: when the jobs last did, and whether renewals wait for a word of the operator. Real times, milliseconds. */
export interface RenewalWatchTable {
  id: number
  beat_at: number
  /** Since when renewals wait; null: they do not. */
  held_at: number | null
}

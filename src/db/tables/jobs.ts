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

/** One row, once they have run: when the jobs last did, and whether renewals wait for a word of the operator. Real times, milliseconds. */
export interface RenewalWatchTable {
  id: number
  beat_at: number
  /** Since when renewals wait; null: they do not. */
  held_at: number | null
}

import type { Generated } from 'kysely'
import type { UtcTime } from '../../lib/time.ts'
import type { LeaseColumns } from './leases.ts'

export const EXPORT_STATES = ['waiting', 'done', 'failed'] as const
export type ExportState = (typeof EXPORT_STATES)[number]

/**
 * A list of an account that is written to a file, whole, or all that the account has. Who writes it holds the lease. One
 * of a whole account is under way at a time.
 */
export interface ExportsTable extends LeaseColumns {
  id: Generated<number>
  developer_id: number
  /** Who asked for it, `developer:1` or `token:7`. */
  maker: string
  /** What was hidden from who asked: the file is for whoever sees no less. */
  hides: string
  /** Which list; `account`: all that the account has. */
  kind: string
  /** Sealed JSON: the filter, and what the maker may do. */
  asked: string
  /** Names with commas between them; empty of an account. */
  columns: string
  time_zone: string
  format: 'csv' | 'jsonl'
  /** `waiting` also while it is written. */
  state: ExportState
  failures: number
  /** How many are written. */
  row_count: number
  /** How far it is, in thousandths. */
  progress: number
  /** The hash of the file, and how large it is in bytes. */
  file: string | null
  size: number | null
  /** What it failed of. */
  error: string | null
  created: UtcTime
  finished_at: UtcTime | null
  /** Until when the file is there. */
  expires_at: UtcTime | null
}

import type { Generated } from 'kysely'
import type { UtcTime } from '../../lib/time.ts'
import type { LeaseColumns } from './leases.ts'

export const IMPORT_STATES = [
  'checking',
  'checked',
  'running',
  'finished',
  'undoing',
  'undone',
  'canceled',
  'failed',
] as const
export type ImportState = (typeof IMPORT_STATES)[number]

/**
 * What was brought into an account at once, or is. One that the server works on, or that waits to be begun, is due; one
 * of the command line never is. The fence rises with each process that begins or takes up the import: an earlier one
 * writes nothing more.
 */
export interface ImportsTable extends LeaseColumns {
  id: Generated<number>
  developer_id: number
  /** Where it came from: `files`, or the address of a server. */
  source: string
  /** `running` also of one of the command line that was broken off. */
  state: ImportState
  /** The kind that was written last; empty: none was. */
  kind: string
  /** How many rows were brought in, changed after they had changed there, and left as they were changed here. */
  added: number
  changed: number
  kept: number
  is_dry_run: boolean
  /** Sealed JSON while there is work to do: who asked, and the keys of another server. */
  asked: string | null
  /** The hash of the file that was uploaded, while there is work to do, and how it was called. */
  file: string | null
  file_name: string | null
  /** The hash of a file of methods of payment, while there is work to do. */
  methods_file: string | null
  failures: number
  /** Of all kinds, as the last look counted them. */
  row_count: number
  same: number
  bad: number
  /** How many faults have rows that were left out. */
  left_out: number
  /** JSON: what is no row here, by kind and code, and what of another platform has no place here. */
  aside: string
  does_not_fit: string
  /** JSON: how far each kind is, and how many of its rows are what. */
  kinds: string
  /** The product that is being read from another server. */
  reading: string | null
  /** How many rows undoing it has taken out, and left. */
  removed: number
  stayed: number
  error: string | null
  created: UtcTime
  finished_at: UtcTime | null
}

/** Something of a row that an import could not take, a row that stays as it was changed here, or that undoing left. */
export interface ImportReportTable {
  import_id: number
  n: number
  part: 'check' | 'kept' | 'undo'
  kind: string
  file: string | null
  line: number | null
  row_key: string | null
  field: string | null
  code: string
  message: string
}

/** A row that was brought into an account, by its kind and what names it there and here. */
export interface ImportedRowsTable {
  developer_id: number
  kind: string
  row_key: string
  /** The import that brought it. */
  import_id: number
  /** Of what it said when it was last written by an import. */
  hash: string
  /** It was there before, and is not taken out by undoing the import. */
  was_here: number
}

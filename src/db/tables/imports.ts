import type { Generated } from 'kysely'
import type { UtcTime } from '../../lib/time.ts'

/** What was brought into an account at once, or is. */
export interface ImportsTable {
  id: Generated<number>
  developer_id: number
  /** Where it came from: `files`, or the address of a server. */
  source: string
  /** `running` also of one that was broken off. */
  state: 'running' | 'finished' | 'undone'
  /** The kind that was written last; empty: none was. */
  kind: string
  /** How many rows were brought in, changed after they had changed there, and left as they were changed here. */
  added: number
  changed: number
  kept: number
  /** Rises with each process that begins or takes up the import: an earlier one writes nothing more. */
  fence: number
  created: UtcTime
  finished_at: UtcTime | null
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

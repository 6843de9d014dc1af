import type { Generated } from 'kysely'
import type { UtcTime } from '../../lib/time.ts'
import type { LeaseColumns } from './leases.ts'

export const BULK_STATES = ['collecting', 'running', 'done', 'failed'] as const
export type BulkState = (typeof BULK_STATES)[number]

export const BULK_ITEM_STATES = ['waiting', 'done', 'failed'] as const
export type BulkItemState = (typeof BULK_ITEM_STATES)[number]

/** One thing that is done to many rows of a product, or shown what it would do. Who does it holds the lease. */
export interface BulksTable extends LeaseColumns {
  id: Generated<number>
  developer_id: number
  product_id: number
  /** Who asked for it, `developer:1` or `token:7`. */
  maker: string
  action: string
  /** Sealed JSON: the filter, the arguments, and what the maker may do. */
  asked: string
  is_dry_run: boolean
  /** `collecting`: which rows the filter has is being noted, and nothing is done yet. */
  state: BulkState
  /** Down to which id the filter was read; 0: whole. */
  below: number
  failures: number
  total: number
  done: number
  failed: number
  /** Why it was given up. */
  error: string | null
  created: UtcTime
  finished_at: UtcTime | null
}

/** What came of it for each row. */
export interface BulkItemsTable {
  bulk_id: number
  item_id: number
  state: BulkItemState
  code: string | null
  message: string | null
  /** JSON: the fields that change, each with its value before and after. */
  changes: string | null
}

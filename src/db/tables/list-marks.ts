import type { Generated } from 'kysely'

/**
 * How many rows of a product's list lie between ids: `row_count` from `from_id` up to the next mark; below the
 * first they are not counted. Triggers keep it on SQLite; on PostgreSQL it is empty.
 */
export interface ListMarksTable {
  list: CountedList
  product_id: number
  from_id: number
  row_count: number
  /** How many of them the list leaves out unless it is asked for all. */
  hidden_count: Generated<number>
}

/** Tables that are listed by product, newest first, and grow without end. */
export type CountedList =
  | 'product_users'
  | 'events'
  | 'coupons'
  | 'licenses'
  | 'installs'
  | 'carts'
  | 'sandbox_timeline'
  | 'payments'
  | 'subscriptions'

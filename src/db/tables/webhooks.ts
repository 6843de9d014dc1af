import type { Generated } from 'kysely'
import type { UtcTime } from '../../lib/time.ts'
import type { Entity, Sealed } from './columns.ts'
import type { LeaseColumns } from './leases.ts'

/** Who is told of a product's events. Its lease holds its whole queue: `due_at` is that of its first delivery. */
export interface WebhooksTable extends Entity, LeaseColumns {
  developer_id: number
  product_id: number
  /** Sealed: many have a secret in them. */
  url: Sealed
  /** `,license.created,license.expired,`; null: every type. */
  types: string | null
  is_active: boolean
  /** Why it was switched off, when nobody did: what it answered, or that it failed too long. */
  off_reason: 'gone' | 'failing' | null
  secret: Sealed
  /** Signs beside `secret` until `previous_until`, milliseconds. */
  previous_secret: Sealed | null
  previous_until: number | null
  /** Attempts in a row that failed, and when the first of them was, milliseconds. */
  failures: Generated<number>
  failing_since: number | null
  deleted_at: UtcTime | null
  /** Classes of data that it is not sent, as its address was set by a role that may not see them. */
  hides: Generated<string>
  /** Since when, milliseconds. */
  hides_since: Generated<number>
}

/** An event for one listener. Text times are for readers, milliseconds for the worker. */
export interface DeliveriesTable {
  id: Generated<number>
  product_id: number
  webhook_id: number
  event_id: number
  /** Whose events stay in order: `u7`, `i3`, `c2`, `coupon:5`; `n9` of one that keeps none. */
  order_key: string
  state: 'pending' | 'processed' | 'canceled' | 'error'
  attempts: number
  /** Null while it waits for an earlier one of its `order_key`, and when it has ended. */
  due_at: number | null
  created: UtcTime
  updated: UtcTime | null
}

export interface DeliveryAttemptsTable {
  id: Generated<number>
  product_id: number
  webhook_id: number
  delivery_id: number
  event_id: number
  /** When it began, milliseconds, and how long it took. */
  at: number
  duration_ms: number
  /** Null when there was no answer. */
  status: number | null
  /** The first 4 KiB of the answer, sealed: it may repeat what was sent. */
  answer: string | null
  /** 0: nobody has judged the answer, which an earlier version may have left in clear. */
  is_sealed: Generated<boolean>
  error: string | null
  /** When the next one is due, milliseconds; null: none is. */
  next_at: number | null
}

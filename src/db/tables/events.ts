import type { ColumnType, Generated } from 'kysely'
import type { EventTrigger } from './event-types.ts'
import type { UtcTime } from '../../lib/time.ts'
import type { Entity } from './columns.ts'
import type { Environment } from './licenses.ts'

/** What happened, written with what changed (`docs/decisions.md` 6.1). */
export interface EventsTable extends Entity {
  developer_id: number
  /** Null while it belongs to no product. */
  product_id: number | null
  user_id: number | null
  install_id: number | null
  cart_id: number | null
  /** The license that it is about, as its data may say. */
  license_id: Generated<number | null>
  /** When it was on the clock of the sandbox; null: it is live, or belongs to both. */
  on_clock: Generated<UtcTime | null>
  /** `coupon:5`: what it is about, where that is no user, install or cart. */
  thing: string | null
  type: string
  /** JSON, or null. */
  data: string | null
  event_trigger: EventTrigger
  /** 1: it is about something of the sandbox; 0 of what is live, or belongs to both. */
  environment: Generated<Environment>
  state: 'processed' | 'pending' | 'canceled' | 'error'
  process_time: UtcTime | null
  /** Its place in the order of commits; null until it has one (`db/event-sequence.ts`). */
  seq: ColumnType<number | null, never, never>
  /** Whether its deliveries are there. */
  is_spread: Generated<boolean>
}

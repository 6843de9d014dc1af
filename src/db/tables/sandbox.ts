import type { Generated } from 'kysely'
import type { UtcTime } from '../../lib/time.ts'
import type { LeaseColumns } from './leases.ts'

/**
 * The clock of a product's sandbox, in milliseconds since the epoch; a product whose clock was never moved has no
 * row. Who moves it holds the lease.
 */
export interface SandboxClocksTable extends LeaseColumns {
  id: Generated<number>
  product_id: number
  state: 'ready' | 'advancing'
  /** How far ahead of real time, while it is ready. */
  ahead_ms: number
  /** Where it is held, while it advances. */
  at_ms: number | null
  /** Where it moves to, or was moved to last. */
  target_ms: number | null
  /** Real time from which every process tells the new time. */
  ready_at: number
}

/** What a sandbox's timeline tells of. */
export const FIRED = [
  'renewed',
  'failed',
  'cancelled',
  'converted',
  'expired',
  'abandoned',
  'mailed',
] as const
export type Fired = (typeof FIRED)[number]

/** What happened of itself in a product's sandbox, in its order. */
export interface SandboxTimelineTable {
  id: Generated<number>
  product_id: number
  /** On the clock of the sandbox. */
  at: UtcTime
  what: Fired
  /** The event that tells the same. */
  type: string
  /** JSON: the ids of what it happened to, as text. */
  data: string
}

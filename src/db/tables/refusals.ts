import type { Generated } from 'kysely'
import type { UtcTime } from '../../lib/time.ts'
import type { Environment } from './licenses.ts'

/** What a client is refused that matters to whoever sells. */
export const REFUSED_OCCASIONS = ['activation', 'verification', 'update'] as const
export type RefusedOccasion = (typeof REFUSED_OCCASIONS)[number]

/**
 * What clients of a product were refused in 30 days. `day` and `slot` say its place: a product has so many of them a
 * day, however much it is asked, and what comes to a place that is taken takes it.
 */
export interface RefusalsTable {
  id: Generated<number>
  product_id: number
  /** As `2026-01-31`. */
  day: string
  slot: number
  /** Tells what is refused again and again from others of its place. */
  same: string
  occasion: RefusedOccasion
  /** Null: of no license that is known, or of no install. */
  license_id: number | null
  install_id: number | null
  user_id: number | null
  environment: Environment
  uid: string | null
  url: string | null
  version: string | null
  code: string
  message: string
  count: number
  created: UtcTime
  last_at: UtcTime
}

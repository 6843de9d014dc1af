import type { Generated } from 'kysely'
import type { UtcTime } from '../../lib/time.ts'

/** Addresses for which somebody who proves nothing asked for their license keys, until a job has looked at them. */
export interface KeyRequestsTable {
  id: Generated<number>
  product_id: number
  email_folded: string
  created: UtcTime
}

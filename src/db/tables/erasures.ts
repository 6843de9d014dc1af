import type { Generated } from 'kysely'
import type { UtcTime } from '../../lib/time.ts'
import type { Sealed } from './columns.ts'
import type { LeaseColumns } from './leases.ts'

/** A person who was erased; while it is under way, how far that is. */
export interface ErasuresTable extends LeaseColumns {
  id: Generated<number>
  developer_id: number
  user_id: number
  /** JSON of the addresses that are looked for; null once nothing is looked for any more. */
  addresses: Sealed | null
  /** The step that is next, and how far it is: the last id that it has looked at. */
  place: Generated<number>
  after_id: Generated<number>
  /** The second one finds what was under way at the first. */
  round: Generated<1 | 2>
  /** When it was asked for, real time. */
  created: UtcTime
  finished_at: UtcTime | null
}

import type { ColumnType, Generated } from 'kysely'

/** Who did what, when, from where. Append only; a job numbers and chains the rows afterwards. */
export interface AuditLogTable {
  id: Generated<number>
  /** Milliseconds since the epoch, real time. */
  at: number
  action: string
  actor_kind: string
  actor_id: number
  credential: string
  product_id: number | null
  /** Whose account it is about; null: nobody's, or it is from before rows said so. */
  developer_id: ColumnType<number | null, number | null | undefined, never>
  /** The user and the license that it is about; null: none, or it is from before rows said so. */
  user_id: ColumnType<number | null, number | null | undefined, never>
  license_id: ColumnType<number | null, number | null | undefined, never>
  ip: string | null
  request_id: string | null
  /** JSON. */
  details: string
  /** Position in the chain; null until the job has chained the row. */
  seq: number | null
  hash: string | null
}

import { sql } from 'kysely'
import type { Reader } from '../../db/database.ts'
import { unscoped, type Owner } from '../../db/scoped.ts'
import type { UtcTime } from '../../lib/time.ts'
import type { Due } from './schema.ts'

export interface DueRow extends Pick<Due, 'kind'> {
  readonly id: number
  readonly user_id: number | null
  readonly due_at: UtcTime
  /** How many notices of its end were given; null of what has none. */
  readonly notice: number | null
}

type Part = Pick<DueRow, 'kind'> & {
  readonly table: string
  readonly at: string
  readonly notice?: string
}

const PARTS: readonly Part[] = [
  { kind: 'subscription', table: 'subscriptions', at: 'due_at' },
  { kind: 'license', table: 'licenses', at: 'notice_at', notice: 'notice' },
  { kind: 'trial', table: 'trials', at: 'notice_at', notice: 'notice' },
  { kind: 'cart', table: 'carts', at: 'recover_at' },
]

/** What waits in a product's sandbox, of each kind what comes first, up to `count`. */
export async function listDue(db: Reader, { productId }: Owner, count: number): Promise<DueRow[]> {
  const parts = PARTS.map(
    ({ kind, table, at, notice }) => sql`select * from (
      select ${sql.lit(kind)} as kind, id, user_id, ${sql.ref(at)} as due_at,
        ${notice === undefined ? sql`cast(null as integer)` : sql.ref(notice)} as notice
      from ${sql.table(table)}
      where product_id = ${productId} and environment = 1 and ${sql.ref(at)} is not null
      order by ${sql.ref(at)}, id limit ${count}) as ${sql.table(table)}`,
  )
  const { rows } = await sql<DueRow>`${sql.join(parts, sql` union all `)}`.execute(
    unscoped(db, 'each part is narrowed to the product of the scope'),
  )
  return rows
}

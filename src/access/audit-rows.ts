import { sql } from 'kysely'
import type { Reader } from '../db/database.ts'
import { inList } from '../db/in-list.ts'
import { unscoped } from '../db/scoped.ts'
import type { AuditRow } from './audit-queries.ts'

export type { AuditRow } from './audit-queries.ts'

export interface AuditFilter {
  readonly actorKind?: string | undefined
  readonly actorId?: number | undefined
  readonly action?: string | undefined
  readonly productId?: number | undefined
  readonly requestId?: string | undefined
  /** Milliseconds since the epoch, both among them. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  /** Only rows that were written before the one with this id. */
  readonly before?: number | undefined
  readonly count: number
}

/** Rows about an account and its products, newest first; those of a request are looked for by that alone. */
export function auditOfAccount(db: Reader, developerId: number, filter: AuditFilter): Promise<AuditRow[]> {
  const { actorKind, actorId, action, productId, requestId, from, to, before } = filter
  let rows = unscoped(db, 'the account is that of the scope')
    .selectFrom('audit_log')
    .selectAll()
    .where(requestId === undefined ? sql.ref('developer_id') : sql`+developer_id`, '=', developerId)
  if (actorKind !== undefined) rows = rows.where('actor_kind', '=', actorKind)
  if (actorId !== undefined) rows = rows.where('actor_id', '=', actorId)
  if (action !== undefined) rows = rows.where('action', '=', action)
  if (productId !== undefined) rows = rows.where('product_id', '=', productId)
  if (requestId !== undefined) rows = rows.where('request_id', '=', requestId)
  if (from !== undefined) rows = rows.where('at', '>=', from)
  if (to !== undefined) rows = rows.where('at', '<=', to)
  if (before !== undefined) rows = rows.where('id', '<', before)
  return rows.orderBy('id', 'desc').limit(filter.count).execute()
}

/** The links of the chain at these places: place → hash. */
export async function linksAt(db: Reader, places: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const rows = await unscoped(db, 'one chain goes through the rows of every seller')
    .selectFrom('audit_log')
    .select(['seq', 'hash'])
    .where('seq', 'in', inList(places))
    .execute()
  return new Map(rows.map(({ seq, hash }) => [seq ?? 0, hash ?? '']))
}

import type { Context, ReadContext } from '../../context.ts'
import { auditOfAccount, type AuditRow } from '../../access/audit-rows.ts'
import type { Scope } from '../../access/scope.ts'
import { checkLinks } from '../../access/verify-audit.ts'
import { parseTimeText } from '../../lib/time-text.ts'
import { fromUtcTime, SECOND, toUtcTime } from '../../lib/time.ts'
import type { AuditEntry, AuditPage, AuditQuery } from './schema.ts'

/**
 * What was done in an account and its products, newest first, with whether these rows are as they were chained. It is
 * read beside the requests: what few rows have in common is looked for among all of the account.
 */
export async function readAudit(
  ctx: ReadContext & Pick<Context, 'database'>,
  { developerId }: Scope,
  query: AuditQuery,
): Promise<AuditPage> {
  const db = ctx.database.background
  const rows = await auditOfAccount(db, developerId, {
    ...actorIn(query.actor),
    action: query.action,
    productId: query.product_id,
    requestId: query.request_id,
    from: momentOf(query.from, 'first second'),
    to: momentOf(query.to, 'last second'),
    before: query.before,
    count: query.count,
  })
  return { entries: rows.map(presentEntry), chain: await checkLinks(db, rows) }
}

/** `developer:1` → both; a kind alone → that. */
function actorIn(text: string | undefined) {
  if (text === undefined) return {}
  const [kind = '', id] = text.split(':')
  return { actorKind: kind, ...(id !== undefined && { actorId: /^\d{1,15}$/.test(id) ? Number(id) : -1 }) }
}

function momentOf(text: string | undefined, end: 'first second' | 'last second'): number | undefined {
  const time = text === undefined ? null : parseTimeText(text, end)
  if (time === null) return undefined
  return fromUtcTime(time) + (end === 'last second' ? SECOND - 1 : 0)
}

/** Row → wire. */
const presentEntry = (row: AuditRow): AuditEntry => ({
  id: String(row.id),
  created: toUtcTime(row.at),
  action: row.action,
  actor: { kind: row.actor_kind, id: String(row.actor_id), credential: row.credential },
  plugin_id: row.product_id === null ? null : String(row.product_id),
  ip: row.ip,
  request_id: row.request_id,
  details: JSON.parse(row.details) as unknown,
  seq: row.seq,
})

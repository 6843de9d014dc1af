import type { ReadContext } from '../context.ts'
import type { Writer } from '../db/database.ts'
import { insertAudit, insertAudits, insertNamedAudit, type Named, type NewAuditRow } from './audit-queries.ts'
import type { Actor } from './scope.ts'

export interface Audited {
  /** What was done: the operation's or the command's id. */
  readonly action: string
  readonly actor: Actor
  readonly productId: number | null
  /** The account; absent or 0: that of the product, or the actor's own. */
  readonly developerId?: number
  readonly ip: string | null
  readonly requestId: string | null
  /** Names and ids, never values of what was written. */
  readonly details: object
}

/**
 * Writes who did what, when and from where. Called in the transaction of what it records; a job chains
 * the rows afterwards, so that writers never wait for one another (`docs/security-checks.md` S40).
 */
export async function audit(ctx: AuditContext, entry: Audited): Promise<void> {
  const row = rowOf(ctx, entry)
  const named = namedIn(entry.details)
  await (named ? insertNamedAudit(ctx.db, { ...row, ...named }) : insertAudit(ctx.db, row))
}

const NAMES = [
  'user',
  'license',
  'install',
  'payment',
  'subscription',
  'trial',
] as const satisfies (keyof Named)[]

/** What details name by id, of their own or by the path that was called; null: nothing that a timeline is of. */
function namedIn(details: object): Named | null {
  const named = { ...details, ...('params' in details ? (details.params as object) : {}) } as Readonly<
    Record<string, unknown>
  >
  const ids = NAMES.map((name) => [name, idIn(named[`${name}_id`])] as const)
  return ids.some(([, id]) => id !== null) ? (Object.fromEntries(ids) as unknown as Named) : null
}

const idIn = (id: unknown): number | null => {
  if (typeof id !== 'number' && typeof id !== 'string') return null
  return /^\d{1,15}$/.test(String(id)) ? Number(id) : null
}

/** Writes many rows of the audit log in one statement. */
export async function auditAll(ctx: AuditContext, entries: readonly Audited[]): Promise<void> {
  await insertAudits(
    ctx.db,
    entries.map((entry) => rowOf(ctx, entry)),
  )
}

type AuditContext = ReadContext & { db: Writer }

/** What somebody does in no account is done in its own: logging in, changing a password. */
const ownOf = ({ kind, id }: Actor): number | null => (kind === 'developer' ? id : null)

const rowOf = ({ clock }: AuditContext, { actor, productId, details, ...entry }: Audited): NewAuditRow => ({
  at: clock.real(),
  action: entry.action,
  actor_kind: actor.kind,
  actor_id: actor.id,
  credential: actor.credential,
  product_id: productId || null,
  developer_id: entry.developerId || (productId ? null : ownOf(actor)),
  ip: entry.ip,
  request_id: entry.requestId,
  details: JSON.stringify(details),
})

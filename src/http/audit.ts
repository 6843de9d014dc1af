import type { ReadContext } from '../context.ts'
import type { Writer } from '../db/database.ts'
import { insertAudit } from './credential-queries.ts'
import type { Actor } from './scope.ts'

export interface Audited {
  /** What was done: the operation's or the command's id. */
  readonly action: string
  readonly actor: Actor
  readonly productId: number | null
  readonly ip: string | null
  readonly requestId: string | null
  /** Names and ids, never values of what was written. */
  readonly details: object
}

/**
 * Writes who did what, when and from where. Called in the transaction of what it records; a job chains
 * the rows afterwards, so that writers never wait for one another (CHECKS S40).
 */
export async function audit(ctx: ReadContext & { db: Writer }, entry: Audited): Promise<void> {
  await insertAudit(ctx.db, {
    at: ctx.clock.real(),
    action: entry.action,
    actor_kind: entry.actor.kind,
    actor_id: entry.actor.id,
    credential: entry.actor.credential,
    product_id: entry.productId || null,
    ip: entry.ip,
    request_id: entry.requestId,
    details: JSON.stringify(entry.details),
  })
}

import type { ReadContext, TxContext } from '../../context.ts'
import { sessionEnded } from '../../http/session.ts'
import type { Scope } from '../../access/scope.ts'
import { hashToken, newOpaqueToken } from '../../lib/credentials.ts'
import type { Role } from '../../access/roles.ts'
import { type Developer, presentDeveloper } from '../developers/schema.ts'
import { deleteSession, findOwnSession, insertSession } from './session-queries.ts'
import { findDeveloper } from './session-rows.ts'

/** A new session of a person with an id and a token of its own; the token is only kept as its hash. `ip`: where it logs in. */
export async function startSession(
  ctx: TxContext,
  personId: number,
  lastsMs: number,
  ip: string | null = null,
): Promise<{ readonly id: number; readonly token: string }> {
  const token = newOpaqueToken()
  const now = ctx.clock.real()
  const { id } = await insertSession(ctx.db, {
    person_id: personId,
    token_hash: hashToken(token),
    created_at: now,
    expires_at: now + lastsMs,
    last_used_ip: ip,
    last_used_agent: null,
    last_used_at: null,
  })
  return { id, token }
}

export interface OwnSession {
  readonly person: Developer
  readonly role: Role
  /** Of support: whether payments may be given back. */
  readonly can_refund: boolean
  /** Seconds until it ends. */
  readonly expires: number
  readonly tokenHash: string
}

/** Who is logged in, as what, and for how long. */
export async function getSession(ctx: ReadContext, { actor }: Scope): Promise<OwnSession> {
  const session = await findOwnSession(ctx.db, actor.sessionId ?? 0)
  const person = await findDeveloper(ctx.db, actor.id)
  if (!session || !person || actor.role === undefined) throw sessionEnded()
  return {
    person: presentDeveloper(person),
    role: actor.role,
    can_refund: actor.canRefund === true,
    expires: Math.ceil((session.expires_at - ctx.clock.real()) / 1000),
    tokenHash: session.token_hash,
  }
}

/** Ends the session; its token opens nothing any more (`docs/security-checks.md` S13). */
export async function endSession(ctx: TxContext, { actor }: Scope): Promise<void> {
  await deleteSession(ctx.db, actor.sessionId ?? 0)
}

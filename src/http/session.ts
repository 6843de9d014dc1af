import type { FastifyRequest } from 'fastify'
import type { ReadContext } from '../context.ts'
import { hashToken } from '../lib/credentials.ts'
import { unauthorized } from '../lib/errors.ts'
import type { Credentialed, Guarded } from './authenticate.ts'
import { findSession } from '../access/credential-rows.ts'
import { ownCookie } from './cookie.ts'
import { csrfValue, requireIntent } from './csrf.ts'
import { ownedProduct, scopeFor } from './owned-product.ts'
import type { Scope } from '../access/scope.ts'

/** 401: whoever was logged in is so no more. */
export const sessionEnded = (message = 'This login is over; log in again.') =>
  unauthorized('session_ended', message)

const cookie = ownCookie('keywright_session')
/** Characters that are kept of what a browser says that it is. */
const MOST_OF_AGENT = 300

/** What a login leaves with the caller (`docs/decisions.md` 3.8). */
export interface SessionCredential {
  readonly token: string
  /** A browser sends it by itself, so that a write has to prove that the page meant it. */
  readonly isCookie: boolean
}

/** The session of a request: the header `X-Keywright-Session` for tools, else the cookie; null without either. */
export function sessionOf({ headers }: FastifyRequest, ctx: ReadContext): SessionCredential | null {
  const header = headers['x-keywright-session']
  if (typeof header === 'string' && header !== '') return { token: header, isCookie: false }
  const token = cookie.read(headers.cookie, ctx)
  return token === '' ? null : { token, isCookie: true }
}

/** Whether a browser sends the cookie of a session, over or not. */
export const hasSession = (cookies: string | undefined, ctx: ReadContext): boolean =>
  cookie.read(cookies, ctx) !== ''

/**
 * Whoever is logged in, in an account of its own or of a team it belongs to; nowhere else. Where the path names no
 * account, what concerns the login itself is asked in the person's own.
 */
export async function sessionScope(
  { token, isCookie }: SessionCredential,
  op: Guarded,
  credentialed: Credentialed,
): Promise<Scope> {
  const { frame, request } = credentialed
  const { ctx } = frame
  const named = accountOf(op, credentialed)
  const hash = hashToken(token)
  const [found] = await findSession(ctx.db, { hash, developerId: named ?? 0, now: ctx.clock.real() })
  const developerId = named ?? found?.person_id ?? 0
  const role = found?.person_id === developerId ? 'admin' : found?.role
  if (!found || !role) throw sessionEnded('This login is over, or not of this account; log in again.')
  if (isCookie && op.kind === 'write') requireIntent(request, ctx, 'session', hash)
  const product = await ownedProduct(credentialed, { developerId })
  const { id: sessionId, person_id: id } = found
  const credential = `session:${sessionId}`
  const canRefund = found.can_refund === true
  const agent = agentOf(request)
  const actor = { kind: 'developer', id, credential, role, canRefund, sessionId, agent } as const
  return scopeFor(credentialed, { product, actor })
}

const agentOf = ({ headers }: FastifyRequest): string => headers['user-agent']?.slice(0, MOST_OF_AGENT) ?? ''

/** The account that a path names; null: the caller's own, whichever that is. 401 where no session opens anything. */
function accountOf({ caller }: Guarded, { kind, ids }: Credentialed): number | null {
  if (kind === 'root' && caller === 'session') return null
  if (kind !== 'developer' && kind !== 'account') throw unauthorized()
  return /^[1-9][0-9]{0,15}$/.test(ids.developer_id ?? '') ? Number(ids.developer_id) : 0
}

/** What a login answers beside its body: the cookie, and the value that writes with it need. */
export const loginHeaders = (ctx: ReadContext, token: string, seconds: number): Record<string, string> => ({
  'set-cookie': cookie.set(ctx, token, seconds),
  'x-keywright-csrf': csrfValue(ctx, 'session', hashToken(token)),
})

/** The value of Set-Cookie that has the browser forget the session. */
export const noSessionCookie = (ctx: ReadContext): string => cookie.set(ctx, '', 0)

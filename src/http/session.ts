import type { FastifyRequest } from 'fastify'
import type { ReadContext } from '../context.ts'
import { hashToken, sameText } from '../lib/credentials.ts'
import { unauthorized } from '../lib/errors.ts'
import type { Credentialed, Guarded } from './authenticate.ts'
import { findSession } from '../access/credential-rows.ts'
import { ownedProduct, scopeFor } from './owned-product.ts'
import type { Scope } from '../access/scope.ts'

const NAME = 'keywright_session'
const PURPOSE = 'csrf'

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
  const token = cookieIn(headers.cookie, ctx)
  return token === '' ? null : { token, isCookie: true }
}

/** Whether a browser sends the cookie of a session, over or not. */
export const hasSession = (cookies: string | undefined, ctx: ReadContext): boolean =>
  cookieIn(cookies, ctx) !== ''

function cookieIn(cookies: string | undefined, ctx: ReadContext): string {
  const name = cookieName(ctx)
  const pair = cookies?.split(';').find((text) => text.trimStart().startsWith(`${name}=`))
  return pair?.slice(pair.indexOf('=') + 1).trim() ?? ''
}

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
  if (!found || !role)
    throw unauthorized(undefined, 'This login is over, or not of this account; log in again.')
  if (isCookie && op.kind === 'write') requireIntent(request, ctx, hash)
  const product = await ownedProduct(credentialed, { developerId })
  const { id: sessionId, person_id: id } = found
  const credential = `session:${sessionId}`
  const canRefund = found.can_refund === true
  const actor = { kind: 'developer', id, credential, role, canRefund, sessionId } as const
  return scopeFor(credentialed, { product, actor })
}

/** The account that a path names; null: the caller's own, whichever that is. 401 where no session opens anything. */
function accountOf({ caller }: Guarded, { kind, ids }: Credentialed): number | null {
  if (kind === 'root' && caller === 'session') return null
  if (kind !== 'developer' && kind !== 'account') throw unauthorized()
  return /^[1-9][0-9]{0,15}$/.test(ids.developer_id ?? '') ? Number(ids.developer_id) : 0
}

/**
 * What a page sends back in `X-Keywright-CSRF`; another site cannot read it, nor compute it
 * (`docs/security-checks.md` S14).
 */
export const csrfValue = ({ keys }: ReadContext, tokenHash: string): string =>
  keys.keyedHash(tokenHash, PURPOSE)

function requireIntent(request: FastifyRequest, { keys, ...ctx }: ReadContext, tokenHash: string): void {
  const sent = String(request.headers['x-keywright-csrf'] ?? '')
  const isMeant = keys.keyedHashes(tokenHash, PURPOSE).some((value) => sameText(value, sent))
  if (!isMeant) {
    throw unauthorized('csrf_required', 'A write with the session cookie needs the header X-Keywright-CSRF.')
  }
  refuseOtherOrigin(request, ctx)
}

/** 401 `csrf_required` for a browser that stands on somebody else's page. Tools send no Origin. */
export function refuseOtherOrigin(
  { headers, host }: FastifyRequest,
  { baseUrl, config }: Pick<ReadContext, 'baseUrl' | 'config'>,
): void {
  const { origin } = headers
  if (origin === undefined || origin === new URL(baseUrl).origin || config.corsOrigins.includes(origin))
    return
  if (URL.parse(origin)?.host === host) return
  throw unauthorized('csrf_required', 'This may only be sent from a page of this server.')
}

/** What a login answers beside its body: the cookie, and the value that writes with it need. */
export const loginHeaders = (ctx: ReadContext, token: string, seconds: number): Record<string, string> => ({
  'set-cookie': sessionCookie(ctx, token, seconds),
  'x-keywright-csrf': csrfValue(ctx, hashToken(token)),
})

const sessionCookie = (ctx: ReadContext, token: string, seconds: number): string =>
  `${cookieName(ctx)}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isLocal(ctx) ? '' : '; Secure'}`

/** The value of Set-Cookie that has the browser forget the session. */
export const noSessionCookie = (ctx: ReadContext): string => sessionCookie(ctx, '', 0)

const cookieName = (ctx: ReadContext) => (isLocal(ctx) ? NAME : `__Host-${NAME}`)

/** On the developer's own machine there is no TLS, without which a browser takes no secure cookie. */
const isLocal = ({ baseUrl }: ReadContext) =>
  /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(baseUrl)

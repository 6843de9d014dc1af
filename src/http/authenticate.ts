import type { FastifyRequest } from 'fastify'
import { ApiError, unauthorized } from '../lib/errors.ts'
import { parseAuthorization, type Authorization } from '../lib/signature.ts'
import { accessTokenScope } from './access-token.ts'
import { bearerScope } from './bearer.ts'
import type { Frame } from './frame.ts'
import type { AnyOperation } from './operation.ts'
import type { Scope, ScopeKind } from './scope.ts'
import { signedScope } from './secret-key.ts'

/** The ids of the scope's own prefix, as they stand in the path. */
export interface PathIds {
  readonly product_id?: string
  readonly developer_id?: string
  readonly store_id?: string
  readonly user_id?: string
  readonly install_id?: string
}

export interface Credentialed {
  readonly frame: Frame
  readonly request: FastifyRequest
  readonly kind: ScopeKind
  readonly ids: PathIds
}

/**
 * Who calls, and whose data the request may touch; 401 otherwise. It reads nothing of the body, which a
 * signature covers by the Content-MD5 header and `bodyIsCovered` checks afterwards.
 */
export async function authenticate(
  frame: Frame,
  request: FastifyRequest,
  op: AnyOperation,
  kind: ScopeKind,
): Promise<Scope> {
  const text = authorizationOf(request)
  if (text === null && op.access === 'open') return anonymousScope(request, kind)
  const parsed = text === null ? null : parseAuthorization(text)
  try {
    if (!parsed) throw unauthorized()
    const scope = await scopeOf(parsed, { frame, request, kind, ids: request.params as PathIds })
    if (scope.actor.kind === 'public' && op.access === undefined) throw unauthorized()
    const now = frame.ctx.clock.real()
    frame.limits.authenticated(scope.actor.credential, now)
    frame.authentications.success(scope.actor, scope.productId, request.ip, request.id)
    return scope
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      frame.authentications.failure(error.code, attempted(parsed), request.ip, request.id)
      frame.limits.failed(request.ip, frame.ctx.clock.real())
    }
    throw error
  }
}

function scopeOf(parsed: Authorization, credentialed: Credentialed): Promise<Scope> {
  switch (parsed.scheme) {
    case 'Bearer':
      return bearerScope(parsed.token, credentialed)
    case 'FSA':
      return accessTokenScope(parsed, credentialed)
    case 'FS':
    case 'FSP':
      return signedScope(parsed, credentialed)
    default:
      return parsed satisfies never
  }
}

/** The header, or for GET and HEAD the query (DECISIONS 3.6). */
export function authorizationOf({ method, headers, query }: FastifyRequest): string | null {
  if (headers.authorization !== undefined) return headers.authorization
  if (method !== 'GET' && method !== 'HEAD') return null
  const { authorization } = query as { authorization?: unknown }
  return typeof authorization === 'string' ? authorization : null
}

/** Names what was tried without its value, for the audit log. */
function attempted(parsed: Authorization | null): string {
  if (!parsed) return 'none'
  return parsed.scheme === 'Bearer' ? 'Bearer' : `${parsed.scheme}:${parsed.id}`
}

const anonymousScope = (request: FastifyRequest, kind: ScopeKind): Scope => ({
  kind,
  developerId: 0,
  productId: 0,
  userId: null,
  installId: null,
  actor: { kind: 'anonymous', id: 0, credential: 'none' },
  ip: request.ip,
  requestId: request.id,
})

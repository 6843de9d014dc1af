import type { FastifyRequest } from 'fastify'
import { ApiError, unauthorized } from '../lib/errors.ts'
import { parseAuthorization, type Authorization } from '../lib/signature.ts'
import { goOn, type Soon } from '../lib/soon.ts'
import { accessTokenScope } from './access-token.ts'
import type { Caller } from '../access/counted-callers.ts'
import { bearerScope } from './bearer.ts'
import { refuseOtherOrigin } from './csrf.ts'
import type { Frame } from './frame.ts'
import type { AnyOperation } from './operation.ts'
import { requireRight } from './roles.ts'
import type { Actor, Scope, ScopeKind } from '../access/scope.ts'
import { publicScope, signedScope } from './secret-key.ts'
import { portalScope, portalTokenOf } from './portal-session.ts'
import { sessionOf, sessionScope } from './session.ts'

const FORMS =
  'The Authorization header must be "Bearer {token}", "FS {id}:{public key}:{signature}", "FSP …" like it, or "FSA {id}:{token}".'

const nobody = () =>
  unauthorized(
    'authorization_missing',
    'The request brings no credentials: send a token as "Authorization: Bearer {token}", or sign it.',
  )

/** The ids of the scope's own prefix, as they stand in the path. */
export interface PathIds {
  readonly product_id?: string
  readonly developer_id?: string
  readonly store_id?: string
  readonly user_id?: string
  readonly install_id?: string
}

/** What of an operation says who may call it. */
export type Guarded = Pick<
  AnyOperation,
  'kind' | 'scopes' | 'caller' | 'access' | 'isLogin' | 'ignoresSignatures' | 'isForPages' | 'isForNarrowed'
>

export interface Credentialed {
  readonly frame: Frame
  readonly request: FastifyRequest
  readonly kind: ScopeKind
  readonly op: Guarded
  readonly ids: PathIds
}

/**
 * Who calls, and whose data the request may touch; 401 otherwise. It reads nothing of the body, which a
 * signature covers by the Content-MD5 header and `bodyIsCovered` checks afterwards.
 */
export function authenticate(
  frame: Frame,
  request: FastifyRequest,
  op: Guarded,
  kind: ScopeKind,
): Soon<Scope> {
  const text = authorizationOf(request)
  if (op.isLogin) refuseOtherOrigin(request, frame.ctx)
  if (mayBeAnonymous(text, op, kind))
    return { ...anonymousScope(request, kind), country: frame.countryOf(request) }
  return proven(text, { frame, request, kind, op, ids: request.params as PathIds })
}

function proven(text: string | null, credentialed: Credentialed): Soon<Scope> {
  const { frame, request, op } = credentialed
  let scope: Scope | undefined
  const letIn = (found: Scope): Scope => {
    scope = found
    if (!isEnough(scope.actor, op)) throw unauthorized(undefined, lacking(op))
    requireRight(scope, op)
    frame.limits.authenticated(scope.actor.credential, frame.ctx.clock)
    frame.authentications.success(scope)
    const country = frame.countryOf(request)
    return country === null ? scope : { ...scope, country }
  }
  const refuse = (error: unknown): never => {
    if (error instanceof ApiError && error.status === 401) recordFailure(frame, request, error, scope)
    throw error
  }
  try {
    const found = goOn(scopeBy(text, credentialed), letIn)
    return found instanceof Promise ? found.catch(refuse) : found
  } catch (error) {
    return refuse(error)
  }
}

/**
 * The scope of who opened a request that goes on, as its credential and role are at this moment; null when it may open
 * it no more. It is counted nowhere. A signature ends 15 minutes after its date.
 */
export async function provenAgain(
  frame: Frame,
  request: FastifyRequest,
  op: Guarded,
  kind: ScopeKind,
): Promise<Scope | null> {
  const credentialed = { frame, request, kind, op, ids: request.params as PathIds }
  try {
    const scope = await scopeBy(authorizationOf(request), credentialed)
    requireRight(scope, op)
    return isEnough(scope.actor, op) ? scope : null
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}

function scopeBy(text: string | null, credentialed: Credentialed): Soon<Scope> {
  if (text !== null) return authorized(text, credentialed)
  const publicKey = publicKeyOf(credentialed)
  return publicKey === null ? loggedIn(credentialed.op, credentialed) : publicScope(publicKey, credentialed)
}

/** What a page of any origin has of a product, as it cannot sign; null: it says none. */
function publicKeyOf({ request, op, kind }: Credentialed): string | null {
  if (op.isForPages !== true || op.caller !== 'public' || kind !== 'product') return null
  const { public_key: key } = request.query as { readonly public_key?: unknown }
  return typeof key === 'string' ? key : null
}

/** A path that begins with somebody whose product it is about is for that one, though the product's own is open. */
const OWNED: readonly ScopeKind[] = ['developer', 'store', 'user']

/** A bearer token is looked at everywhere: outside its product it is refused (`docs/interface.md` 2.1). */
const mayBeAnonymous = (
  text: string | null,
  { caller, ignoresSignatures }: Guarded,
  kind: ScopeKind,
): boolean =>
  caller === 'open' &&
  !OWNED.includes(kind) &&
  (text === null || (ignoresSignatures === true && /^FS[PA]? /.test(text)))

function authorized(text: string, credentialed: Credentialed): Soon<Scope> {
  const parsed = parseAuthorization(text)
  if (!parsed) throw unauthorized('authorization_malformed', FORMS)
  return scopeOf(parsed, credentialed)
}

function loggedIn(op: Guarded, credentialed: Credentialed): Promise<Scope> {
  if (credentialed.kind === 'user' || op.caller === 'portal') return entered(op, credentialed)
  const session = sessionOf(credentialed.request, credentialed.frame.ctx)
  if (!session) throw nobody()
  return sessionScope(session, op, credentialed)
}

function entered(op: Guarded, credentialed: Credentialed): Promise<Scope> {
  const token = portalTokenOf(credentialed.request.headers.cookie, credentialed.frame.ctx)
  if (token === null) throw nobody()
  return portalScope(token, op, credentialed)
}

/** A public key proves nothing; what concerns a login is for whoever is logged in; no token renews itself. */
function isEnough(actor: Actor, { caller }: Guarded): boolean {
  if (caller === 'session') return actor.sessionId !== undefined
  if (caller === 'portal') return actor.portalId !== undefined
  if (caller === 'signature') return actor.credential.startsWith('FS:')
  if (caller === 'token') return actor.credential.startsWith('token:')
  return actor.kind !== 'public' || caller !== undefined
}

/** Which right who has proven who it is lacks for an operation. */
function lacking({ caller }: Guarded): string {
  if (caller === 'session') return 'This is for a person who is logged in; a key or token has no right to it.'
  if (caller === 'portal')
    return 'This is for a user who is in the portal; a key or token has no right to it.'
  if (caller === 'token') return 'This is for a bearer token of a product or an account.'
  if (caller === 'signature') return 'This is for who signs with a secret key; a token has no right to it.'
  return 'A public key has no right to this; sign with a secret key, or use a token of the product.'
}

/**
 * Counts a refused caller against its address and for the audit log; `scope` is whose it is when that was
 * proven. Throws 429 when there were too many; what was tried is then no longer told apart, so that nobody
 * fills the log.
 */
export function recordFailure(frame: Frame, request: FastifyRequest, refusal: ApiError, scope?: Scope): void {
  asRecorded(refusal)
  try {
    frame.limits.failed(request.ip, frame.ctx.clock.real())
  } catch (error) {
    if (error instanceof ApiError) frame.authentications.failure(unproven(request, 'any'), error.code)
    throw error
  }
  const text = authorizationOf(request)
  const tried = attempted(text === null ? null : parseAuthorization(text))
  frame.authentications.failure(scope ?? unproven(request, tried), refusal.code)
}

/** Refusals that the audit log has, or will have with the next count. */
const recorded = new WeakSet<ApiError>()

export function asRecorded(refusal: ApiError): ApiError {
  recorded.add(refusal)
  return refusal
}

/** Counts for the audit log that somebody who was let in may not do what was asked for, unless that is done already. */
export function recordLacking({ authentications }: Frame, request: FastifyRequest, refusal: ApiError): void {
  if (refusal.status !== 401 || recorded.has(refusal)) return
  authentications.failure(request.scope ?? unproven(request, 'none'), refusal.code)
}

const unproven = ({ ip, id: requestId }: FastifyRequest, credential: string): Caller => ({
  actor: { kind: 'anonymous', id: 0, credential },
  productId: null,
  ip,
  requestId,
})

function scopeOf(parsed: Authorization, credentialed: Credentialed): Soon<Scope> {
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

/** The header; for GET and HEAD also the query, in which a bearer token has no place (`docs/decisions.md` 3.6). */
function authorizationOf({ method, headers, query }: FastifyRequest): string | null {
  if (headers.authorization !== undefined) return headers.authorization
  if (method !== 'GET') return null
  const { authorization } = query as { authorization?: unknown }
  return typeof authorization === 'string' && !authorization.startsWith('Bearer') ? authorization : null
}

/** Names what was tried without its value, for the audit log. */
function attempted(parsed: Authorization | null): string {
  if (!parsed) return 'none'
  return parsed.scheme === 'Bearer' ? 'Bearer' : `${parsed.scheme}:${parsed.id}`
}

/** The product is the one that the path names, whether there is one or not. */
const anonymousScope = (request: FastifyRequest, kind: ScopeKind): Scope => ({
  kind,
  developerId: 0,
  productId: idIn((request.params as PathIds).product_id),
  userId: null,
  installId: null,
  actor: { kind: 'anonymous', id: 0, credential: 'none' },
  ip: request.ip,
  requestId: request.id,
})

const idIn = (text = '') => (/^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : 0)

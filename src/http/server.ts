import type { IncomingMessage } from 'node:http'
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { randomBytes } from 'node:crypto'
import { DiskFull } from '../db/busy.ts'
import { atWork } from '../lib/at-work.ts'
import { unauthorized, type ApiError } from '../lib/errors.ts'
import { MINUTE, SECOND } from '../lib/time.ts'
import { authenticate, recordFailure, recordLacking } from './authenticate.ts'
import { BODY_LIMIT, SEARCHED_BODY_LIMIT } from './body-arguments.ts'
import { BodyRoom } from './body-room.ts'
import { readBodiesAsBytes } from './body.ts'
import { limitConnections } from './connections.ts'
import { allowAnyOrigin, isForPages, LISTED_BY_NOBODY, mountCors, mountPreflights } from './cors.ts'
import { closing, respondError, toApiError } from './errors.ts'
import { isHead, takeHeadAsGet } from './head.ts'
import { pathOf } from './log.ts'
import type { Frame } from './frame.ts'
import { handle } from './handle.ts'
import { answerKept } from './kept-replies.ts'
import { doubtful } from './linger.ts'
import { BASE_PATH, MountIndex, mountsOf, routeOf, type Mount } from './mounts.ts'
import { boundaryOf } from './multipart.ts'
import { notFoundError } from './not-found.ts'
import { mountOther } from './mount-others.ts'
import { isOfInterface, isOther, type Operation } from './other-replies.ts'
import { endIdle } from './idle.ts'
import { MAX_PARAM_LENGTH, withoutRoutes, type Unserved } from './unserved.ts'
import { inTurn, isBeyondPipeline } from './pipelined.ts'
import { refuseBytes } from './refuse-bytes.ts'
import { refusalOfHead, takeExpectations } from './refuse-head.ts'
import type { Scope } from '../access/scope.ts'
import { secretNamesOf } from './wire.ts'

/** Milliseconds that a client may take before its connection is cut (`docs/security-checks.md` S34). */
export interface Timeouts {
  readonly headers: number
  readonly request: number
  /** Between two requests of a connection. */
  readonly keepAlive: number
  /** Without a byte either way, also while it does not read its reply. */
  readonly idle: number
  /** While it takes less than a kilobyte a second of its replies: long, as what is taken may show late, and in one. */
  readonly taking: number
  /** How often it is looked who is late. */
  readonly check: number
}

export const TIMEOUTS: Timeouts = {
  headers: 10 * SECOND,
  request: 30 * SECOND,
  keepAlive: 75 * SECOND,
  idle: 120 * SECOND,
  taking: 10 * MINUTE,
  check: 2 * SECOND,
}

/** Builds the server over the list of operations; `own` mounts what the frame itself answers. */
export function buildServer(
  frame: Frame,
  operations: readonly Operation[],
  own: (server: FastifyInstance) => void,
  timeouts: Timeouts = TIMEOUTS,
): FastifyInstance {
  const nextId = requestIds()
  const server = Fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    trustProxy: frame.ctx.config.trustProxy.length > 0 ? [...frame.ctx.config.trustProxy] : false,
    genReqId: nextId,
    requestTimeout: timeouts.request,
    keepAliveTimeout: timeouts.keepAlive,
    connectionTimeout: timeouts.idle,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    http: {
      headersTimeout: timeouts.headers,
      connectionsCheckingInterval: timeouts.check,
      maxHeaderSize: 16_384,
      // Asked for by `refusalOfHead`.
      requireHostHeader: false,
      // The life of a stream that ends at once costs as much as routing.
      optimizeEmptyRequests: true,
    },
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    rewriteUrl: (raw) => {
      overrideMethod(raw)
      takeHeadAsGet(raw)
      return withoutAlias(decodable(raw.url ?? '/'))
    },
    frameworkErrors: (error, request, reply) => fail(frame, request, reply, error),
    clientErrorHandler: (error, socket) => refuseBytes(frame, nextId(), error, socket),
  })
  const pages = operations.filter(isOther).filter((op) => op.reply === 'web')
  answerKept(server.server, frame, pages, nextId)
  limitConnections(server.server, frame.ctx.config)
  endIdle(server.server, timeouts)
  takeExpectations(server)
  const room = new BodyRoom()
  decorate(server, frame, room)
  readBodiesAsBytes(server, room)
  mountCors(server, frame.ctx.config)
  const mounts = mountsOf(operations.filter(isOfInterface))
  const index = new MountIndex(mounts)
  const { routed, unserved } = withoutRoutes(mounts)
  for (const mount of routed) mountOperation(server, frame, mount)
  mountPreflights(server, mounts)
  for (const op of operations.filter(isOther)) mountOther(server, frame, op)
  own(server)
  const refuse = async (request: FastifyRequest): Promise<never> => {
    throw await notFoundError(frame, index, request)
  }
  mountUnserved(server, frame, unserved, refuse)
  server.setNotFoundHandler(refuse)
  server.setErrorHandler((error: FastifyError, request, reply) => void fail(frame, request, reply, error))
  return server
}

function mountOperation(server: FastifyInstance, frame: Frame, mount: Mount): void {
  const { method, path, kind, op, served } = mount
  const url = routeOf(BASE_PATH + path)
  if (!served) {
    const refuse = (request: FastifyRequest) => refuseScope(frame, request)
    server.route({ method, url, onRequest: refuse, handler: refuse })
    return
  }
  const secretNames = secretNamesOf(op.query, op.body)
  const forPages = isForPages(mount)
  server.route({
    method,
    url,
    ...(forPages && { config: LISTED_BY_NOBODY }),
    bodyLimit: op.refusesCards ? SEARCHED_BODY_LIMIT : BODY_LIMIT,
    onRequest: (request, reply, done) => {
      request.operationId = op.id
      if (forPages) allowAnyOrigin(reply)
      request.secretNames = secretNames
      const settle = (scope: Scope) => {
        request.scope = scope
        done()
      }
      const scope = authenticate(frame, request, op, kind)
      if (scope instanceof Promise) scope.then(settle, done)
      else settle(scope)
    },
    // Fastify's own way to an answer that is a refusal costs a tenth of it.
    handler(request, reply) {
      const refuse = (error: unknown) => {
        const refusal = fail(frame, request, reply, error)
        if (op.keepsRefusals && !isHead(request)) frame.refusals.note(op.keepsRefusals, request, refusal)
      }
      try {
        const answering = handle(frame, op, request, reply)
        return answering instanceof Promise ? answering.catch(refuse) : undefined
      } catch (error) {
        return refuse(error)
      }
    },
  })
}

/** What has no route is in another scope, or nowhere. */
function mountUnserved(
  server: FastifyInstance,
  frame: Frame,
  unserved: Unserved,
  handler: (request: FastifyRequest) => Promise<never>,
): void {
  const onRequest = async (request: FastifyRequest) => {
    const params = unserved.paramsAt(request.raw)
    if (!params) return
    request.params = params
    await refuseScope(frame, request)
  }
  server.route({ method: [...unserved.methods], url: `${BASE_PATH}/*`, onRequest, handler })
}

/** The path exists in another scope: 401 (`docs/decisions.md` 2.2). */
async function refuseScope(frame: Frame, request: FastifyRequest): Promise<never> {
  const refusal = unauthorized(
    undefined,
    'No credential has a right to this here; it stands in another scope.',
  )
  recordFailure(frame, request, refusal)
  throw refusal
}

/** Answers what was thrown; the refusal that it comes to. */
function fail(frame: Frame, request: FastifyRequest, reply: FastifyReply, error: unknown): ApiError {
  const refusal = toApiError(error)
  if (refusal.status === 500 || error instanceof DiskFull) request.failure = error
  recordLacking(frame, request, refusal)
  // Nobody goes on reading parts that were begun.
  const isCut = request.parts !== null && !request.raw.complete
  respondError(reply, request, isCut ? closing(refusal) : refusal, frame.ctx.clock.real())
  return refusal
}

function decorate(server: FastifyInstance, frame: Frame, room: BodyRoom): void {
  server.decorate('frame', frame)
  server.addHook('onRequest', (request, reply, done) => {
    if (isBeyondPipeline(request.raw, reply.raw)) {
      reply.hijack()
      return
    }
    room.wait(request)
    inTurn(reply.raw, () => {
      request.startedAt = performance.now()
      const { socket } = request.raw
      if (doubtful.has(socket)) return void reply.hijack()
      const refusal = refusalOfHead(request.raw)
      if (!refusal) return atWork(request.id, done)
      doubtful.add(socket)
      done(refusal)
    })
  })
  // A body that had to be waited for has come on behalf of nobody.
  server.addHook('preHandler', (request, _reply, done) => atWork(request.id, done))
  for (const name of [
    'scope',
    'rawBody',
    'parts',
    'received',
    'heldBody',
    'arguments',
    'failure',
    'secretNames',
  ])
    server.decorateRequest(name, null)
  server.decorateRequest('operationId', 'none')
  server.decorateRequest('partsDigest', '')
  server.decorateRequest('ignored', '')
  server.decorateRequest('startedAt', 0)
  server.decorateRequest('isSoon', false)
}

/**
 * `?method=PUT` of a signed multipart POST, as clients send it that cannot send files by PUT; they sign it as
 * PUT (`docs/decisions.md` 1.11). Nothing else overrides a method.
 */
function overrideMethod(raw: IncomingMessage): void {
  const { method, url = '', headers } = raw
  if (method !== 'POST' || !/^FSP? /.test(headers.authorization ?? '')) return
  if (boundaryOf(headers['content-type']) === null) return
  const query = url.includes('?') ? url.slice(url.indexOf('?') + 1) : ''
  if (query.split('&').includes('method=PUT')) raw.method = 'PUT'
}

/**
 * `plugins` is an alias of `products` in every scope (`docs/decisions.md` 1.1), `developer` one of `developers` at the
 * start. A client uploads to `tags.jsonnull` (`docs/interface.md` 12.1).
 */
function withoutAlias(url: string): string {
  if (!url.startsWith(BASE_PATH)) return url
  if (url.endsWith('/tags.jsonnull')) return withoutAlias(url.slice(0, -'null'.length))
  const isSingular = url.startsWith(`${BASE_PATH}/developer/`)
  if (!isSingular && !url.includes('/plugins')) return url
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  const plural = isSingular ? path.replace('/developer/', '/developers/') : path
  return plural.replaceAll(/\/plugins(?=[/.]|$)/g, '/products') + url.slice(path.length)
}

/** A path that is no percent-encoding is taken as it stands, so that it meets the same checks as any other. */
function decodable(url: string): string {
  if (!url.includes('%')) return url
  const path = pathOf(url)
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length)
  }
}

/** Arguments are checked by `decode`; in place of Fastify's own compilers, which cost 3 MB and 50 ms at start. */
function noSchemas(): never {
  throw new Error('Routes have no schemas.')
}

/** Unique across processes and starts: a random beginning and a count. */
function requestIds(): () => string {
  const start = randomBytes(6).toString('hex')
  let count = 0
  return () => `req_${start}${(++count).toString(36)}`
}

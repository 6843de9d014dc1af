import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { randomBytes } from 'node:crypto'
import { unauthorized } from '../lib/errors.ts'
import { SECOND } from '../lib/time.ts'
import { authenticate } from './authenticate.ts'
import { BODY_LIMIT, readBodiesAsBytes } from './body.ts'
import { mountCors } from './cors.ts'
import { respondError, toApiError } from './errors.ts'
import type { Frame } from './frame.ts'
import { handle } from './handle.ts'
import { logResponses } from './log.ts'
import { BASE_PATH, MountIndex, mountsOf, type Mount } from './mounts.ts'
import { notFoundError } from './not-found.ts'
import type { AnyOperation } from './operation.ts'
import { everywhereHeaders } from './respond.ts'

/** A client has this long for its headers, and for the whole request (CHECKS S34). */
const HEADERS_MS = 10 * SECOND
const REQUEST_MS = 30 * SECOND
const KEEP_ALIVE_MS = 75 * SECOND

/** Builds the server over the list of operations; `pages` mounts what is not one. */
export function buildServer(
  frame: Frame,
  operations: readonly AnyOperation[],
  pages: (server: FastifyInstance) => void,
): FastifyInstance {
  const server = Fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    trustProxy: frame.ctx.config.trustProxy.length > 0 ? [...frame.ctx.config.trustProxy] : false,
    genReqId: requestIds(),
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionTimeout: 0,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    http: { headersTimeout: HEADERS_MS, connectionsCheckingInterval: 2 * SECOND, maxHeaderSize: 16_384 },
    routerOptions: { maxParamLength: 200 },
    rewriteUrl: ({ url = '/' }) => withoutAlias(url),
    frameworkErrors: (error, request, reply) => fail(frame, request, reply, error),
    clientErrorHandler: (error, socket) => refuseBytes(error, socket),
  })
  decorate(server)
  logResponses(server, frame)
  readBodiesAsBytes(server)
  mountCors(server, frame.ctx.config)
  const mounts = mountsOf(operations)
  for (const mount of mounts) mountOperation(server, frame, mount)
  pages(server)
  const index = new MountIndex(mounts)
  server.setNotFoundHandler(async (request) => {
    throw await notFoundError(frame, index, request)
  })
  server.setErrorHandler((error: FastifyError, request, reply) => fail(frame, request, reply, error))
  return server
}

function mountOperation(
  server: FastifyInstance,
  frame: Frame,
  { method, path, kind, op, served }: Mount,
): void {
  const url = BASE_PATH + path.replaceAll(/\{(\w+)\}/g, ':$1')
  if (!served) {
    server.route({ method, url, onRequest: refuse, handler: refuse })
    return
  }
  server.route({
    method,
    url,
    onRequest: async (request) => {
      request.operationId = op.id
      request.scope = await authenticate(frame, request, op, kind)
    },
    handler: (request, reply) => handle(frame, op, request, reply),
  })
}

/** The path exists in another scope: 401 (DECISIONS 2.2). */
async function refuse(): Promise<never> {
  throw unauthorized()
}

function fail(frame: Frame, request: FastifyRequest, reply: FastifyReply, error: unknown): void {
  const refusal = toApiError(error)
  if (refusal.status === 500) request.failure = error
  respondError(reply, request, refusal, frame.ctx.clock.real())
}

function decorate(server: FastifyInstance): void {
  for (const name of ['scope', 'rawBody', 'arguments', 'failure']) server.decorateRequest(name, null)
  server.decorateRequest('operationId', 'none')
}

/** `plugins` is an alias of `products` in every scope (DECISIONS 1.1). */
function withoutAlias(url: string): string {
  if (!url.startsWith(BASE_PATH) || !url.includes('/plugins')) return url
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  return path.replaceAll(/\/plugins(?=[/.]|$)/g, '/products') + url.slice(path.length)
}

/** Unique across processes and starts: a random beginning and a count. */
function requestIds(): (request: IncomingMessage) => string {
  const start = randomBytes(6).toString('hex')
  let count = 0
  return () => `req_${start}${(++count).toString(36)}`
}

/** Bytes that are no request: answered without a word about why, and the connection ends (CHECKS S33). */
function refuseBytes(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, code] = BYTES_REFUSED[error.code ?? ''] ?? ['400 Bad Request', 'invalid_request']
  const body = JSON.stringify({ error: { type: 'InvalidRequest', code, message: 'This is not a request.' } })
  socket.end(
    `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n${everywhereHeaders()}\r\n${body}`,
  )
}

const BYTES_REFUSED: Readonly<Record<string, readonly [string, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'request_timeout'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'headers_too_large'],
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import { DatabaseBusy, DiskFull, isNoRoom } from '../db/busy.ts'
import { hasCardNumber } from '../lib/card-number.ts'
import { ApiError } from '../lib/errors.ts'
import { SECOND, toRfc2822 } from '../lib/time.ts'
import { lingerOn } from './linger.ts'
import { BASE_PATH } from './mounts.ts'
import { pathOf } from './log.ts'
import { JSON_TYPE, respond } from './respond.ts'

/** Names of arguments that are never echoed: credentials, codes, card data (`docs/decisions.md` 2.1). */
const SECRET_NAME = /pass|secret|token|key|code|card|cvc|cvv|auth|sign|iban|account/i
/** What a key or a token of ours looks like, wherever somebody put it. */
const SECRET_VALUE = /(?:sk|kw|kwi)_[\w%-]{20,}/
/** Card numbers have 13 digits at least. */
const SHORTEST_SECRET = 13
/** Nobody's argument: the router's name for a path without a route, and what would set a prototype. */
const NO_ARGUMENT = new Set(['*', '__proto__'])
const ECHO_FIELDS = 50
const ECHO_TEXT = 200

/** Where the pages of the codes stand, below the address of the server. */
export const ERRORS_PATH = '/docs/errors'

/** For what leaves a body unread, which nobody goes on reading. */
const CLOSE = { headers: { connection: 'close' } }

/** Fastify's own refusals, by its code. */
const FRAMEWORK: Readonly<Record<string, () => ApiError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new ApiError(413, 'payload_too_large', 'The body is too large.', CLOSE),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => unsupportedMediaType(),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new ApiError(400, 'invalid_request', 'The body has another length than Content-Length says.', CLOSE),
  FST_ERR_BAD_URL: () => new ApiError(400, 'invalid_request', 'The path is not well-formed.'),
  FST_ERR_MAX_PARAM_LENGTH: () => new ApiError(404, 'not_found', 'There is nothing at this path.'),
}

export const unsupportedMediaType = (headers: Record<string, string> = {}) =>
  new ApiError(415, 'unsupported_media_type', 'The body must be application/json.', { headers })

const away = (message: string) =>
  new ApiError(503, 'maintenance_mode', message, { headers: { 'retry-after': '1' } })

/**
 * What the caller is told of anything that was thrown; what is not a refusal tells nothing
 * (`docs/security-checks.md` S37).
 */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof DiskFull || isNoRoom(error))
    return away('There is no room to store anything; try again.')
  if (error instanceof DatabaseBusy) return away('The database is busy; try again.')
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const known = FRAMEWORK[code]
  if (known) return known()
  return new ApiError(500, 'internal_error', 'Something went wrong here; the request id names it in our log.')
}

/** A refusal after which the connection ends: what is left of the body is not read. */
export const closing = ({ status, code, message, details, headers }: ApiError): ApiError =>
  new ApiError(status, code, message, {
    ...(details && { details }),
    headers: { ...headers, connection: 'close' },
  })

/** Answers a request with a refusal. */
export function respondError(
  reply: FastifyReply,
  request: FastifyRequest,
  error: ApiError,
  now: number,
): void {
  if (takesNothing(request, error)) {
    respond(reply, 204, '')
    return
  }
  const path = pathOf(request.originalUrl).replace(BASE_PATH, '').replace(SECRET_VALUE, '…')
  const { baseUrl } = reply.server.frame.ctx
  const body = errorBody(error, { path, request: echo(request), requestId: request.id, now, baseUrl })
  if (error.headers?.['connection'] === 'close') lingerOn(request.raw.socket)
  respond(reply, error.status, body, error.headers ? { ...JSON_TYPE, ...error.headers } : JSON_TYPE)
}

/**
 * Whether what is not there is answered by nothing, as `X-Keywright-If-Any` asks: a browser writes a 404 into its console
 * as a fault, and that something has not been written yet is none. A path that leads nowhere is still refused.
 */
const takesNothing = ({ method, headers, scope }: FastifyRequest, { code }: ApiError): boolean =>
  headers['x-keywright-if-any'] === '1' && code === 'not_found' && method === 'GET' && scope !== null

interface Refused {
  readonly path: string
  /** The arguments that were received, as far as they may be echoed. */
  readonly request: object
  readonly requestId: string
  readonly now: number
  /** The address of this server. */
  readonly baseUrl: string
}

/** The body of an error as clients read it (`docs/decisions.md` 2.1): `{path, error, request}`. */
export const errorBody = (error: ApiError, { path, request, requestId, now, baseUrl }: Refused): string =>
  JSON.stringify({
    path,
    error: {
      type: typeOf(error.code),
      message: error.message,
      code: error.code,
      http: error.status,
      timestamp: timestampOf(now),
      request_id: requestId,
      documentation_url: `${baseUrl}${ERRORS_PATH}/${error.code}`,
      ...(error.details && { details: error.details }),
    },
    request,
  })

let last = { second: 0, text: '' }

/** Many refusals share a second. */
function timestampOf(now: number): string {
  const second = Math.floor(now / SECOND)
  if (second !== last.second) last = { second, text: toRfc2822(now) }
  return last.text
}

const types = new Map<string, string>()

/** The codes are few. */
function typeOf(code: string): string {
  const known = types.get(code)
  if (known !== undefined) return known
  const type = code.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
  types.set(code, type)
  return type
}

/** The plain arguments that were received; nothing secret, nothing nested, and no more than a screenful. */
function echo({ params, query, arguments: body, secretNames }: FastifyRequest): Record<string, unknown> {
  const echoed: Record<string, unknown> = {}
  let count = 0
  for (const part of [params, query, body]) {
    for (const name in asObject(part)) {
      if (count === ECHO_FIELDS) break
      const value = (part as Record<string, unknown>)[name]
      if (secretNames?.includes(name) || !isShown(name, value)) continue
      const shown = name.slice(0, 100)
      if (!Object.hasOwn(echoed, shown)) count++
      echoed[shown] = typeof value === 'string' ? value.slice(0, ECHO_TEXT) : value
    }
  }
  return echoed
}

const asObject = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {})

/** A secret or a card number is none to echo as the name of an argument either. */
const isShown = (name: string, value: unknown) =>
  !SECRET_NAME.test(name) &&
  !NO_ARGUMENT.has(name) &&
  isPlain(value) &&
  !isSecret(name) &&
  !isSecret(String(value))

/** Whether a text is a key, a token or a card number, wherever it stands. */
export const isSecret = (text: string) =>
  text.length >= SHORTEST_SECRET && (SECRET_VALUE.test(text) || hasCardNumber(text))

const isPlain = (value: unknown) => value === null || ['string', 'number', 'boolean'].includes(typeof value)

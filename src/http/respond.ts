import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import { logResponse } from './log.ts'

type Headers = OutgoingHttpHeaders

const NONE: Headers = {}

/** On every response, errors and files too (`docs/decisions.md` 1.5, `docs/security-checks.md` S36). */
export const EVERYWHERE: Readonly<Record<string, string>> = {
  'x-api-server': 'keywright',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
}

const HSTS = 'max-age=31536000'

/**
 * Writes a whole response at once. It goes around Fastify's own sending, which sets header by header and
 * costs a tenth of a small reply.
 */
export function respond(
  reply: FastifyReply,
  status: number,
  body: string | Buffer,
  headers: Headers = NONE,
): void {
  const hasBody = status !== 204 && status !== 304
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
  const raw = writeHead(reply, status, headers, hasBody ? length : null)
  if (!raw) return
  // Text of as many bytes as characters is ASCII, which is sent without a conversion.
  const encoding = length === body.length ? 'latin1' : 'utf8'
  if (hasBody) raw.end(body, encoding)
  else raw.end()
  logResponse(reply.server.frame, reply.request, status)
}

/**
 * Writes the head of a response whose body, of the `content-length` among its headers, is written to what this returns.
 */
export function startResponse(reply: FastifyReply, status: number, headers: Headers): ServerResponse | null {
  const raw = writeHead(reply, status, headers, null)
  if (raw) logResponse(reply.server.frame, reply.request, status)
  return raw
}

/** An address as a header may have it, which is of ASCII. */
const inAscii = (address: string): string =>
  /^[\x21-\x7E]*$/.test(address) ? address : new URL(address).href

/** Null where nobody waits for the response any more. */
function writeHead(
  reply: FastifyReply,
  status: number,
  headers: Headers,
  length: number | null,
): ServerResponse | null {
  reply.hijack()
  const { raw } = reply
  if (raw.headersSent || raw.destroyed) return null
  const { location } = headers
  const sent = typeof location === 'string' ? { ...headers, location: inAscii(location) } : headers
  const more = reply.request.protocol === 'https' ? ['strict-transport-security', HSTS] : []
  // Only what is about origins sets headers on the reply, always with this one; collecting them is not free.
  if (reply.hasHeader('access-control-expose-headers')) more.push(...flat(reply.getHeaders() as Headers))
  const head = headOf(sent, reply.request.id, length)
  raw.writeHead(status, more.length > 0 ? head.concat(more) : head)
  return raw
}

export const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }

const flat = (headers: Headers): string[] =>
  Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [name, String(value)]))

const everything = (headers: Headers): string[] => flat({ ...EVERYWHERE, ...headers, 'x-request-id': '' })

const KEPT = new WeakMap<Headers, string[]>([[JSON_TYPE, everything(JSON_TYPE)]])

/** Headers that many responses have, as one object. */
export function keptHeaders<T extends Headers>(headers: T): T {
  KEPT.set(headers, everything(headers))
  return headers
}

/**
 * What is on a response with these headers, names and values in turn, which are sent sooner than an object. That of
 * most responses is one list: it is read before anything else happens.
 */
function headOf(headers: Headers, requestId: string, length: number | null): string[] {
  const list = KEPT.get(headers) ?? everything(headers)
  const at = list.indexOf('x-request-id') + 1
  list.length = at + 1
  list[at] = requestId
  if (length !== null) list.push('content-length', String(length))
  return list
}

/** For answers to bytes that never became a request. */
export const everywhereHeaders = (): string =>
  Object.entries(EVERYWHERE)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')

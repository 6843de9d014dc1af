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

/** Text that is sent more than once, as a character for each of its bytes: it goes out with the head in one write. */
export class Octets {
  readonly text: string

  constructor(text: string) {
    this.text = Buffer.from(text).toString('latin1')
  }

  get length(): number {
    return this.text.length
  }
}

export type Body = string | Buffer | Octets

/**
 * Writes a whole response at once. It goes around Fastify's own sending, which sets header by header and
 * costs a tenth of a small reply.
 */
export function respond(reply: FastifyReply, status: number, body: Body, headers: Headers = NONE): void {
  const to = receiverOf(reply)
  if (to && send(to, status, body, headers)) logResponse(reply.server.frame, reply.request, status)
}

/** Who is answered, and what goes onto the answer beside its own headers. */
interface Receiver {
  readonly raw: ServerResponse
  /** Of the request. */
  readonly id: string
  /** Names and values in turn. */
  readonly more?: readonly string[]
}

/** Writes a whole response, which nobody logs; false: nobody waits for it any more. */
export function send(to: Receiver, status: number, body: Body, headers: Headers): boolean {
  const hasBody = status !== 204 && status !== 304
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
  const raw = writeHead(to, status, headers, hasBody ? length : null)
  if (!raw) return false
  if (!hasBody) raw.end()
  else if (body instanceof Octets) raw.end(body.text, 'latin1')
  // Text of as many bytes as characters is ASCII, which is sent without a conversion.
  else raw.end(body, length === body.length ? 'latin1' : 'utf8')
  return true
}

/**
 * Writes the head of a response whose body, of the `content-length` among its headers, is written to what this returns.
 */
export function startResponse(reply: FastifyReply, status: number, headers: Headers): ServerResponse | null {
  const to = receiverOf(reply)
  const raw = to && writeHead(to, status, headers, null)
  if (raw) logResponse(reply.server.frame, reply.request, status)
  return raw
}

/** An address as a header may have it, which is of ASCII. */
const inAscii = (address: string): string =>
  /^[\x21-\x7E]*$/.test(address) ? address : new URL(address).href

/** Null where nobody waits for the response any more. */
function receiverOf(reply: FastifyReply): Receiver | null {
  reply.hijack()
  const { raw, request } = reply
  if (raw.headersSent || raw.destroyed) return null
  const more = request.protocol === 'https' ? ['strict-transport-security', HSTS] : []
  if (request.ignored) more.push('keywright-ignored', request.ignored)
  // Only what is about origins sets headers on the reply, always with this one; collecting them is not free.
  if (reply.hasHeader('access-control-expose-headers')) more.push(...flat(reply.getHeaders() as Headers))
  return { raw, id: request.id, more }
}

/** Null where nobody waits for the response any more. */
function writeHead(
  { raw, id, more = [] }: Receiver,
  status: number,
  headers: Headers,
  length: number | null,
): ServerResponse | null {
  if (raw.headersSent || raw.destroyed) return null
  const { location } = headers
  const sent = typeof location === 'string' ? { ...headers, location: inAscii(location) } : headers
  const head = headOf(sent, id, length)
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

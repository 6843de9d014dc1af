import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import { logResponse } from './log.ts'

type Headers = OutgoingHttpHeaders

/** On every response, errors and files too (DECISIONS 1.5, CHECKS S36). */
export const EVERYWHERE: Readonly<Record<string, string>> = {
  'x-api-server': 'keywright',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
}

const HSTS = { 'strict-transport-security': 'max-age=31536000' }

/**
 * Writes a whole response at once. It goes around Fastify's own sending, which sets header by header and
 * costs a tenth of a small reply.
 */
export function respond(
  reply: FastifyReply,
  status: number,
  body: string | Buffer,
  headers: Headers = {},
): void {
  const hasBody = status !== 204 && status !== 304
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
  reply.hijack()
  const { raw } = reply
  if (raw.headersSent || raw.destroyed) return
  raw.writeHead(status, {
    ...EVERYWHERE,
    // Only the CORS plugin sets headers on the reply, always with Vary; collecting them is not free.
    ...(reply.hasHeader('vary') && (reply.getHeaders() as Headers)),
    ...(reply.request.protocol === 'https' && HSTS),
    'x-request-id': reply.request.id,
    ...(hasBody && { 'content-length': length }),
    ...headers,
  })
  raw.end(hasBody && reply.request.method !== 'HEAD' ? body : undefined)
  logResponse(reply.server.frame, reply.request, status)
}

export const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }

/** For answers to bytes that never became a request. */
export const everywhereHeaders = (): string =>
  Object.entries(EVERYWHERE)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')

import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../lib/errors.ts'

/** As Node asks before it says that it goes on. */
const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i

const CLOSE = { headers: { connection: 'close' } }

/** Takes requests that expect what nobody gives as any other: Node would answer them by itself, without a body. */
export function takeExpectations({ server }: Pick<FastifyInstance, 'server'>): void {
  server.on('checkExpectation', (raw, response) => server.emit('request', raw, response))
}

/**
 * Why a request is refused for its head alone, whatever it asks for. What follows on its connection may be a part of
 * it, as another reader takes it (`docs/security-checks.md` S33).
 */
export function refusalOfHead(raw: IncomingMessage): ApiError | null {
  if (isCoded(raw))
    return new ApiError(400, 'invalid_request', 'Transfer-Encoding may only be chunked.', CLOSE)
  const hosts = hostsOf(raw)
  if (hosts > 1 || (hosts === 0 && raw.httpVersion === '1.1'))
    return new ApiError(400, 'invalid_request', 'A request has one Host.', CLOSE)
  if (raw.headers.expect !== undefined && !CONTINUE.test(raw.headers.expect))
    return new ApiError(
      417,
      'expectation_failed',
      'Nothing is expected of the server but 100-continue.',
      CLOSE,
    )
  return null
}

/** Whether the body has a coding that a proxy may have read differently: any but HTTP/1.1's `chunked`. */
const isCoded = ({ headers, httpVersion }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined &&
  (headers['transfer-encoding'].toLowerCase() !== 'chunked' || httpVersion !== '1.1')

/** Node keeps the first of several only (RFC 9112, 3.2). */
function hostsOf({ rawHeaders }: IncomingMessage): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count
}

import type { Socket } from 'node:net'
import { ApiError, type RefusalCode } from '../lib/errors.ts'
import { errorBody } from './errors.ts'
import type { Frame } from './frame.ts'
import { doubtful, LINGER_MS } from './linger.ts'
import { everywhereHeaders, JSON_TYPE } from './respond.ts'
import { isReceiving } from './uploads.ts'

type Told = readonly [status: ApiError['status'], reason: string, code: RefusalCode]

const REFUSALS: Readonly<Record<string, Told>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'request_timeout'],
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'headers_too_large'],
}

/**
 * Bytes that are no request: answered without a word about why, and the connection ends (`docs/security-checks.md` S33,
 * S34).
 */
export function refuseBytes(
  { ctx }: Frame,
  requestId: string,
  error: NodeJS.ErrnoException,
  socket: Socket,
): void {
  if (doubtful.has(socket)) return
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isReceiving(socket)) return
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, reason, code] = REFUSALS[error.code ?? ''] ?? [400, 'Bad Request', 'invalid_request']
  const refusal = new ApiError(status, code, 'This is not a request.')
  const body = errorBody(refusal, {
    path: '',
    request: {},
    requestId,
    now: ctx.clock.real(),
    baseUrl: ctx.baseUrl,
  })
  ctx.log.info({ request_id: requestId, status, code: error.code, ip: socket.remoteAddress }, 'no request')
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nconnection: close\r\ncontent-type: ${JSON_TYPE['content-type']}\r\n` +
      `x-request-id: ${requestId}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${everywhereHeaders()}\r\n${body}`,
  )
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

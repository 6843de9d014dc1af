import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Frame } from './frame.ts'
import { doubtful } from './linger.ts'
import { logResponse } from './log.ts'
import { BASE_PATH } from './mounts.ts'
import type { WebOperation } from './other-replies.ts'
import { refusalOfHead } from './refuse-head.ts'
import { send } from './respond.ts'

type Keeping = WebOperation & Required<Pick<WebOperation, 'kept'>>

/**
 * Answers pages and files that are known by heart before the framework makes anything of a request, which costs as much
 * as the answer. Whatever is not the plainest of requests, and whatever must be looked for, goes its usual way. Behind a
 * proxy, and with a list of origins, everything does, as the framework knows what those say.
 */
export function answerKept(
  http: Server,
  frame: Frame,
  operations: readonly WebOperation[],
  nextId: () => string,
): void {
  const { trustProxy, corsOrigins } = frame.ctx.config
  if (trustProxy.length > 0 || corsOrigins.length > 0) return
  const keeping = operations
    .filter((op): op is Keeping => op.kept !== undefined)
    .flatMap((op) => [...new Set(op.paths.map(segmentOf))].map((segment) => ({ segment, op })))
  const answer = (raw: IncomingMessage, response: ServerResponse): boolean => {
    const { url = '', headers } = raw
    if (url.startsWith(BASE_PATH) || !isPlain(raw, response)) return false
    const startedAt = performance.now()
    for (const { segment, op } of keeping) {
      const found = url.startsWith(segment) ? op.kept(frame.ctx, { url, headers }) : null
      if (!found) continue
      const { status, body } = found
      const id = nextId()
      if (!send({ raw: response, id }, status, body, found.headers)) return true
      const asked = {
        id,
        operationId: op.id,
        method: 'GET',
        originalUrl: url,
        ip: raw.socket.remoteAddress ?? '',
        startedAt,
        raw,
        scope: null,
        failure: null,
      }
      logResponse(frame, asked, status)
      return true
    }
    return false
  }
  const usual = http.listeners('request')
  http.removeAllListeners('request')
  http.on('request', (raw, response) => {
    if (answer(raw, response)) return
    for (const listener of usual) listener.call(http, raw, response)
  })
}

/** It has no body, nothing is wrong with it, and it is its turn. */
const isPlain = (raw: IncomingMessage, response: ServerResponse): boolean =>
  raw.method === 'GET' &&
  raw.readableEnded &&
  response.socket !== null &&
  !doubtful.has(raw.socket) &&
  refusalOfHead(raw) === null

/** What a path begins with. */
function segmentOf(path: string): string {
  const end = path.indexOf('/', 1)
  return end === -1 ? path : path.slice(0, end)
}

import type { Server, ServerResponse, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { SECOND } from '../lib/time.ts'
import type { Timeouts } from './server.ts'

/** Bytes a second that a client takes of what it is answered, at least. */
const SLOWEST = 1_000

interface Taking {
  /** Where its client was when it was last quick enough; null while nothing waits for it. */
  taken: { readonly bytes: number; readonly at: number } | null
}

interface Work extends Taking {
  /** Requests that are not answered. */
  requests: number
  /** When the last of them was, or the connection was made; milliseconds of this process. */
  since: number
}

/**
 * Ends connections on which nothing is asked, and those whose client hardly takes what it is answered: Node's own time
 * for that begins anew with each byte either way, also with line ends that belong to no request
 * (`docs/security-checks.md` S34).
 */
export function endIdle(
  server: Server,
  timeouts: Pick<Timeouts, 'keepAlive' | 'headers' | 'taking' | 'check'>,
): void {
  const open = new Map<Socket, Work>()
  server.on('connection', (socket: Socket) => {
    open.set(socket, { requests: 0, since: performance.now(), taken: null })
    socket.once('close', () => open.delete(socket))
  })
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const work = open.get(socket)
    if (!work) return
    work.requests++
    response.once('close', () => {
      work.requests--
      work.since = performance.now()
    })
  })
  // Who begins a request in time has the time for headers besides.
  const longest = timeouts.keepAlive + timeouts.headers
  const look = setInterval(() => {
    const now = performance.now()
    for (const [socket, work] of open) {
      const isIdle = work.requests === 0 && work.since < now - longest
      if (isIdle || !takes(socket, work, { now, within: timeouts.taking })) socket.destroy()
    }
  }, timeouts.check)
  look.unref()
  server.once('close', () => clearInterval(look))
  endUnasked(server, () => open.keys())
}

/** Whoever closes idle connections closes those too on which nothing has come yet: Node itself waits for them. */
function endUnasked(server: Server, open: () => Iterable<Socket>): void {
  const closeIdle = server.closeIdleConnections.bind(server)
  server.closeIdleConnections = () => {
    closeIdle()
    for (const socket of open()) if (socket.bytesRead === 0) socket.destroy()
  }
}

/** False when bytes have waited for a client all the time `within`, and it took fewer than it must. */
export function takes(
  socket: Pick<Socket, 'bytesWritten' | 'writableLength'>,
  work: Taking,
  { now, within }: { now: number; within: number },
): boolean {
  if (socket.writableLength === 0) {
    work.taken = null
    return true
  }
  const bytes = socket.bytesWritten - socket.writableLength
  const least = (SLOWEST * within) / SECOND
  if (!work.taken || bytes - work.taken.bytes >= least) work.taken = { bytes, at: now }
  return now - work.taken.at < within
}

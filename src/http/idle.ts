import type { Server, ServerResponse, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Timeouts } from './server.ts'

interface Work {
  /** Requests that are not answered. */
  requests: number
  /** When the last of them was, or the connection was made; milliseconds of this process. */
  since: number
}

/**
 * Ends connections on which nothing is asked: Node's own time for that begins anew with each byte, also with line ends
 * that belong to no request (CHECKS S34).
 */
export function endIdle(server: Server, timeouts: Pick<Timeouts, 'keepAlive' | 'headers' | 'check'>): void {
  const open = new Map<Socket, Work>()
  server.on('connection', (socket: Socket) => {
    open.set(socket, { requests: 0, since: performance.now() })
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
    const before = performance.now() - longest
    for (const [socket, { requests, since }] of open) {
      if (requests === 0 && since < before) socket.destroy()
    }
  }, timeouts.check)
  look.unref()
  server.once('close', () => clearInterval(look))
}

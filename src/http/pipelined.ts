import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Answers that a connection may wait for behind the one that it gets. Browsers and most clients ask one by one. */
const MOST_WAITING = 32

/** What Node's parser takes for: what follows is no HTTP. */
const UPGRADE = 2

const waiting = new WeakMap<Socket, number>()

/**
 * Whether a request comes on a connection that waits for more answers than it may, or did before: that is closed at
 * once, and what it has sent beyond is not even read, as one packet holds more than a thousand requests
 * (`docs/security-checks.md` S34).
 */
export function isBeyondPipeline({ socket }: IncomingMessage, response: ServerResponse): boolean {
  if (socket.destroyed) return true
  // A response gets the socket when it is its turn: at once, unless another one is under way.
  if (response.socket !== null) return false
  const before = waiting.get(socket) ?? 0
  if (before >= MOST_WAITING) {
    stopParsing(socket)
    socket.destroy()
    return true
  }
  waiting.set(socket, before + 1)
  response.once('socket', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1))
  return false
}

/**
 * Goes on with a request when it is its turn, which is when those before it on its connection are answered: answers
 * that nobody reads would be held all at once (`docs/security-checks.md` S34). Never, where the connection has ended
 * before.
 */
export function inTurn(response: ServerResponse, goOn: () => void): void {
  if (response.socket === null) response.once('socket', goOn)
  else goOn()
}

/**
 * Node parses a packet to its end even when its connection is closed, unless it is told that another protocol follows.
 */
function stopParsing(socket: Socket & { readonly parser?: { onIncoming?: () => number } | null }): void {
  if (socket.parser) socket.parser.onIncoming = () => UPGRADE
}

import type { Socket } from 'node:net'
import { SECOND } from '../lib/time.ts'

/** A client that was refused has this long to read why. */
export const LINGER_MS = SECOND

/** Connections on which nothing is taken for a request: what follows may be a part of one that was refused. */
export const doubtful = new WeakSet<Socket>()

/**
 * Ends a connection after the response that is written next, and discards what still arrives for a while: closed at
 * once with bytes unread it would be reset, and the client might never read why.
 */
export function lingerOn(socket: Socket): void {
  doubtful.add(socket)
  socket.destroySoon = () => {
    socket.end()
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
  }
}

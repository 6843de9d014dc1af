import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Config } from '../config.ts'
import { networkCheck } from '../lib/networks.ts'
import { addressKey } from '../lib/token-buckets.ts'

/**
 * Bounds what is connected at once: to the process, and from an address (a /64 of IPv6), but for trusted proxies, behind
 * which anybody is. What comes beyond is closed unread (CHECKS S34).
 */
export function limitConnections(
  server: Server,
  { connections: { all, ofAddress }, trustProxy }: Pick<Config, 'connections' | 'trustProxy'>,
): void {
  const isProxy = networkCheck(trustProxy)
  const open = new Map<string, number>()
  server.maxConnections = all
  server.prependListener('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    const key = addressKey(address)
    if (isProxy(address) || isProxy(key)) return
    const count = open.get(key) ?? 0
    if (count >= ofAddress) {
      socket.destroy()
      return
    }
    open.set(key, count + 1)
    socket.once('close', () => {
      const left = (open.get(key) ?? 1) - 1
      if (left > 0) open.set(key, left)
      else open.delete(key)
    })
  })
}

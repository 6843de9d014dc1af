import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Config } from '../config.ts'
import { networkCheck } from '../lib/networks.ts'
import { Ranks } from '../lib/ranks.ts'
import { addressKey, blockKey } from '../lib/token-buckets.ts'

/**
 * Bounds what is connected at once: to the process, and from an address (a /64 of IPv6), but for trusted proxies,
 * behind which anybody is. What comes beyond is closed unread. Where the process is full, a block of addresses (a /24
 * of IPv4, a /48 of IPv6) that has fewer connections than the one with most takes the place of its oldest
 * (`docs/security-checks.md` S34).
 */
export function limitConnections(
  server: Server,
  { connections, trustProxy }: Pick<Config, 'connections' | 'trustProxy'>,
): void {
  const isProxy = networkCheck(trustProxy)
  const places = new Places(connections)
  server.prependListener('connection', (socket: Socket) => {
    const ip = socket.remoteAddress ?? ''
    const address = addressKey(ip)
    const isFree = isProxy(ip) || isProxy(address)
    const isIn = places.enter(socket, isFree ? null : { address, block: blockKey(ip) })
    if (!isIn) socket.destroy()
  })
}

/** Where a connection comes from. */
interface Origin {
  readonly address: string
  readonly block: string
}

class Places {
  readonly #most: Config['connections']
  #count = 0
  readonly #blocks = new Ranks()
  /** By block. */
  readonly #addresses = new Map<string, Ranks>()
  /** By address, the oldest first. */
  readonly #sockets = new Map<string, Set<Socket>>()
  readonly #leaving = new WeakMap<Socket, () => void>()

  constructor(most: Config['connections']) {
    this.#most = most
  }

  /** False when there is no place for it. `origin` null: from a trusted proxy, which counts for all only. */
  enter(socket: Socket, origin: Origin | null): boolean {
    if (origin && (this.#sockets.get(origin.address)?.size ?? 0) >= this.#most.ofAddress) return false
    if (this.#count >= this.#most.all && !this.#makeRoom(origin)) return false
    this.#count++
    if (origin) this.#add(socket, origin)
    const leave = () => {
      if (!this.#leaving.delete(socket)) return
      this.#count--
      if (origin) this.#remove(socket, origin)
    }
    this.#leaving.set(socket, leave)
    socket.once('close', leave)
    return true
  }

  /**
   * Ends the oldest connection of the address with most in the block with most; false where that has no more than its.
   */
  #makeRoom(origin: Origin | null): boolean {
    const block = this.#blocks.first
    const address = block === undefined ? undefined : this.#addresses.get(block)?.first
    const [oldest] = (address !== undefined && this.#sockets.get(address)) || []
    if (block === undefined || !oldest) return false
    const own = origin ? this.#blocks.count(origin.block) : 0
    if (this.#blocks.count(block) < own + 2) return false
    this.#leaving.get(oldest)?.()
    oldest.destroy()
    return true
  }

  #add(socket: Socket, { address, block }: Origin): void {
    const sockets = this.#sockets.get(address) ?? new Set()
    this.#sockets.set(address, sockets.add(socket))
    const addresses = this.#addresses.get(block) ?? new Ranks()
    this.#addresses.set(block, addresses)
    addresses.raise(address)
    this.#blocks.raise(block)
  }

  #remove(socket: Socket, { address, block }: Origin): void {
    const sockets = this.#sockets.get(address)
    sockets?.delete(socket)
    if (sockets?.size === 0) this.#sockets.delete(address)
    this.#addresses.get(block)?.lower(address)
    this.#blocks.lower(block)
    if (this.#blocks.count(block) === 0) this.#addresses.delete(block)
  }
}

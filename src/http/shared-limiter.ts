import type { RateLimit } from '../config.ts'
import { networkKey } from '../lib/token-buckets.ts'
import { Limiter } from './limiter.ts'

/** So much of what all may take together is one network's at most, and as much is for those who have taken nothing. */
const SHARE = 1 / 4

/** What is taken of something that all callers share: how much, and from where. */
interface Taking {
  readonly ip: string
  readonly tokens?: number
}

/**
 * One rate for all callers of a thing together, which none uses up, so that others are let through: a network (an IPv4
 * address, a /48 of IPv6) has a share of it, and the last share is for networks that have taken nothing lately.
 */
export class SharedLimiter {
  readonly #ofNetworks: Limiter
  readonly #ofAll: Limiter
  readonly #spared: number

  constructor(rate: RateLimit, atOnce = 1) {
    const { perSecond, burst } = rate
    const share = { perSecond: perSecond * SHARE, burst: Math.max(1, Math.floor(burst * SHARE)) }
    this.#ofNetworks = new Limiter(share, atOnce)
    this.#ofAll = new Limiter(rate, atOnce)
    this.#spared = Math.floor(burst * SHARE)
  }

  /** Throws 429 when there was too much. */
  take(thing: string, now: number, { ip, tokens = 1 }: Taking): void {
    const network = `${networkKey(ip)} ${thing}`
    const isFirst = !this.#ofNetworks.isInUse(network, now)
    this.#ofNetworks.take(network, now, tokens)
    this.#ofAll.take(thing, now, tokens, { spared: isFirst ? 0 : this.#spared })
  }
}

import type { RateLimit } from '../config.ts'
import { fold } from '../lib/fold.ts'
import { addressKey, networkKey } from '../lib/token-buckets.ts'
import { Limiter } from './limiter.ts'

/** Of what an address takes: so much is one network's at most, and as much is for those who have tried nothing there. */
const SHARE = 1 / 4

/** A try at the past of a buyer, and whose address was typed. */
export interface Guess {
  readonly ip: string
  readonly email: string
}

/**
 * How often may be tried what depends on what a buyer has bought before whose address was only typed (DECISIONS 3.14):
 * of a caller, and to an address, wherever it is tried from. No caller uses up what an address takes, so that its owner
 * is let through: a network has a share of it, and the last share is for networks that have tried nothing lately.
 */
export class BuyerLimits {
  readonly #from: Limiter
  readonly #fromTo: Limiter
  readonly #to: Limiter
  readonly #spared: number

  constructor(rate: RateLimit) {
    const { perSecond, burst } = rate
    this.#from = new Limiter(rate)
    this.#fromTo = new Limiter({
      perSecond: perSecond * SHARE,
      burst: Math.max(1, Math.floor(burst * SHARE)),
    })
    this.#to = new Limiter(rate)
    this.#spared = Math.floor(burst * SHARE)
  }

  /** Throws 429 when there were too many. */
  take({ ip, email }: Guess, now: number): void {
    const to = fold(email)
    const fromTo = `${networkKey(ip)} ${to}`
    const isFirst = !this.#fromTo.isInUse(fromTo, now)
    this.#from.take(addressKey(ip), now)
    this.#fromTo.take(fromTo, now)
    this.#to.take(to, now, 1, isFirst ? 0 : this.#spared)
  }
}

import type { RateLimit } from '../config.ts'
import { fold } from '../lib/fold.ts'
import { addressKey } from '../lib/token-buckets.ts'
import { Limiter } from './limiter.ts'
import { SharedLimiter } from './shared-limiter.ts'

/** A try at the past of a buyer, and whose address was typed. */
export interface Guess {
  readonly ip: string
  readonly email: string
}

/**
 * How often may be tried what depends on what a buyer has bought before whose address was only typed
 * (`docs/decisions.md` 3.14): of a caller, and to an address, wherever it is tried from, so that its owner is let
 * through.
 */
export class BuyerLimits {
  readonly #from: Limiter
  readonly #to: SharedLimiter

  constructor(rate: RateLimit) {
    this.#from = new Limiter(rate)
    this.#to = new SharedLimiter(rate)
  }

  /** Throws 429 when there were too many. */
  take({ ip, email }: Guess, now: number): void {
    this.#from.take(addressKey(ip), now)
    this.#to.take(fold(email), now, { ip })
  }
}

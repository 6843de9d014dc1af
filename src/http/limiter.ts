import type { RateLimit } from '../config.ts'
import { tooManyRequests } from '../lib/errors.ts'
import { type Taken, TokenBuckets } from '../lib/token-buckets.ts'

interface Share {
  readonly spared?: number
  readonly scale?: number
}

/** Token buckets of one rate, which refuse with 429 and say when to come back (`docs/decisions.md` 7.2). */
export class Limiter {
  readonly #buckets: TokenBuckets
  readonly #burst: number
  readonly #atOnce: number
  readonly #fillSeconds: number

  constructor({ perSecond, burst }: RateLimit, atOnce = 1) {
    this.#buckets = new TokenBuckets({ perSecond, burst, atOnce })
    this.#burst = burst
    this.#atOnce = atOnce
    this.#fillSeconds = Math.max(1, Math.ceil(burst / perSecond))
  }

  /**
   * However much one call is, it counts for no more than all that may come at once. `spared` of a full bucket are left
   * to others; a key of a `scale` has so many times as much.
   */
  take(key: string, now: number, tokens = 1, { spared = 0, scale = 1 }: Share = {}): void {
    const most = Math.max(this.#burst * scale, this.#atOnce)
    this.#refuse(this.#buckets.take(key, now, Math.min(tokens, most), { spared, scale }), scale)
  }

  /** Whether a key was used in the time that an empty bucket takes to fill up; at most in twice that time. */
  isInUse(key: string, now: number): boolean {
    return this.#buckets.look(key, now) !== null
  }

  /** How many are left, one at least. */
  look(key: string, now: number): number {
    const taken = this.#buckets.look(key, now)
    if (!taken) return this.#burst
    this.#refuse(taken)
    return taken.remaining
  }

  #refuse({ allowed, remaining, retryAfterMs }: Taken, scale = 1): void {
    if (allowed) return
    const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000))
    throw tooManyRequests(seconds, {
      ratelimit: `"default";r=${Math.floor(remaining)};t=${seconds}`,
      'ratelimit-policy': `"default";q=${Math.floor(this.#burst * scale)};w=${this.#fillSeconds}`,
    })
  }
}

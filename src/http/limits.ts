import type { Config } from '../config.ts'
import type { Clock } from '../lib/clock.ts'
import { addressKey } from '../lib/token-buckets.ts'
import { type Place, Turns } from '../lib/turns.ts'
import { BuyerLimits, type Guess } from './buyer-limits.ts'
import { Limiter } from './limiter.ts'
import { SharedLimiter } from './shared-limiter.ts'

interface Strange {
  readonly ip: string
  readonly productId: number
  /** The id of what is done. */
  readonly what: string
  /** To how many sites; absent: to one. */
  readonly sites?: number
}

/** A license that is put on sites. */
interface Placed {
  readonly id: number
  readonly quota: number | null
  /** Whose sites they are; a license of a bundle has its quota in each product. */
  readonly productId: number
  /** It has no room for them. */
  readonly isFull?: boolean
}

/** So many sites one call may name. */
export const SITES_AT_ONCE = 500

/** So many times as many sites as a small license has one without a quota. */
const UNLIMITED = 10

/** The rate limits of one process (`docs/decisions.md` 7.1). */
export class Limits {
  readonly #failed: Limiter
  readonly #keyed: Limiter
  readonly #authenticated: Limiter | null
  readonly #checkouts: Limiter | null
  readonly #strangers: Limiter | null
  readonly #ofProducts: SharedLimiter | null
  readonly #buyers: BuyerLimits | null
  readonly #installs: Limiter | null
  readonly #pairs: Limiter | null
  readonly #licenses: Limiter | null
  readonly #sitesAtOnce: number
  readonly #lookUps = new Turns()

  constructor(rate: Config['rate']) {
    const { failed, keyed, authenticated, checkouts, strangers, products, buyers } = rate
    this.#failed = new Limiter(failed)
    this.#keyed = new Limiter(keyed, SITES_AT_ONCE)
    this.#authenticated = authenticated && new Limiter(authenticated)
    this.#checkouts = checkouts ? new Limiter(checkouts) : null
    this.#strangers = strangers ? new Limiter(strangers, SITES_AT_ONCE) : null
    this.#ofProducts = products ? new SharedLimiter(products, SITES_AT_ONCE) : null
    this.#buyers = buyers ? new BuyerLimits(buyers) : null
    this.#installs = rate.installs ? new Limiter(rate.installs, SITES_AT_ONCE) : null
    this.#pairs = rate.pairs ? new Limiter(rate.pairs, SITES_AT_ONCE) : null
    this.#licenses = rate.licenses ? new Limiter(rate.licenses, SITES_AT_ONCE) : null
    this.#sitesAtOnce = rate.licenses?.burst ?? 1
  }

  /** Counts a failed authentication or key look-up of an address; throws 429 when there were too many. */
  failed(ip: string, now: number): void {
    this.#failed.take(addressKey(ip), now)
  }

  /**
   * Begins a look-up that may fail, of which an address has no more under way than it has failures left: guesses
   * that come all at once get no further than one after another, and whoever does not fail only waits.
   * `lookedUp` ends it. Throws 429 when the address has none left.
   */
  lookUp(ip: string, clock: Pick<Clock, 'real'>): Place | Promise<Place> {
    const key = addressKey(ip)
    return this.#lookUps.enter(key, () => this.#failed.look(key, clock.real()))
  }

  lookedUp(place: Place): void {
    this.#lookUps.leave(place)
  }

  /** Counts a successful look-up by key without a token, for so many sites; throws 429 when there were too many. */
  keyed(key: string, now: number, sites = 1): void {
    this.#keyed.take(key, now, sites)
  }

  /**
   * Counts what a caller does that proves nothing, each thing and each site for itself, against its address and then
   * against the product that all such callers share, of which no network has more than its share; throws 429 when there
   * was too much.
   */
  stranger({ ip, productId, what, sites = 1 }: Strange, now: number): void {
    this.#strangers?.take(`${what} ${addressKey(ip)}`, now, sites)
    this.#ofProducts?.take(`${what} ${productId}`, now, { ip, tokens: sites })
  }

  /** Counts a checkout that an address opens, changes or pays, each for itself; throws 429 when there were too many. */
  checkout({ ip, what }: { readonly ip: string; readonly what: string }, now: number): void {
    this.#checkouts?.take(`${what} ${addressKey(ip)}`, now)
  }

  /** Whether calls of strangers are counted against a product. */
  get countsProducts(): boolean {
    return this.#ofProducts !== null
  }

  /** Counts the same against the product, of which no network has more than its share; 429 as above. */
  checkoutOf({ ip, productId, what }: Omit<Strange, 'sites'>, now: number): void {
    this.#ofProducts?.take(`${what} ${productId}`, now, { ip })
  }

  /** Counts a try at the past of a buyer whose address was only typed; throws 429 when there were too many. */
  buyer(guess: Guess, now: number): void {
    this.#buyers?.take(guess, now)
  }

  /** Whether writes of installs and own keys are counted. */
  get countsSites(): boolean {
    return this.#installs !== null || this.#pairs !== null
  }

  /** Counts what an install writes; throws 429 when there was too much. */
  install(id: number, now: number, weight: number): void {
    this.#installs?.take(`install ${id}`, now, weight)
  }

  /** Counts what is written with a pair of own keys and the installs made with it, together; 429 as above. */
  pair(name: string, now: number, weight: number): void {
    this.#pairs?.take(name, now, weight)
  }

  /**
   * Counts the sites of a product that a license is put on by its key: twice its quota at once, or as many as of a
   * small one; 429 as above. What is refused as it is full counts for itself, and hinders nobody who moves it.
   */
  sitesOfLicense({ id, quota, productId, isFull }: Placed, now: number, sites: number): void {
    const scale = quota === null ? UNLIMITED : Math.max(1, (2 * quota) / this.#sitesAtOnce)
    const name = `license ${id} in ${productId}`
    this.#licenses?.take(isFull ? `${name}, full` : name, now, sites, { scale })
  }

  /** Counts the installs that are made with keys of a user, as many as of an unlimited license; 429 as above. */
  sitesOfUser(name: string, now: number, sites: number): void {
    this.#licenses?.take(`user ${name}`, now, sites, { scale: UNLIMITED })
  }

  /** Counts sites at work that a license is put on by its key, which no quota bounds; 429 as above. */
  atWork(licenseId: number, now: number, sites: number): void {
    this.#pairs?.take(`license ${licenseId}`, now, sites)
  }

  /** Counts a call of a credential, where that is configured; throws 429 when there were too many. */
  authenticated(credential: string, clock: Pick<Clock, 'real'>): void {
    this.#authenticated?.take(credential, clock.real())
  }
}

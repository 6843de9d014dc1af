import { isIPv4, isIPv6 } from 'node:net'

/** What became of one attempt. */
export interface Taken {
  readonly allowed: boolean
  /** Whole tokens left. */
  readonly remaining: number
  /** Milliseconds until the next token; 0 when allowed. */
  readonly retryAfterMs: number
}

interface Bucket {
  tokens: number
  atMs: number
}

interface Wanted {
  readonly tokens: number
  /** How many must be left. */
  readonly spared: number
  /** How many times as much as others a key has, of what comes at once and of what comes back. */
  readonly scale: number
}

/** Absorbs rounding, so that waiting exactly `retryAfterMs` is enough. */
const EPSILON = 1e-9

/**
 * One token bucket a key: `burst` at once, then `perSecond` (`docs/decisions.md` 7.1). An attempt may take several,
 * `atOnce` at most; one that takes more than `burst` needs a full bucket and leaves it in debt. Keeps at most `maxKeys`
 * (two or more) buckets: those that had the time to fill up are forgotten, which changes nothing; under pressure, the
 * longest unused.
 */
export class TokenBuckets {
  readonly #perSecond: number
  readonly #burst: number
  readonly #maxGeneration: number
  readonly #fillMs: number
  #young = new Map<string, Bucket>()
  #old = new Map<string, Bucket>()
  #youngSinceMs = 0

  constructor({
    perSecond,
    burst,
    atOnce = 1,
    maxKeys = 100_000,
  }: {
    perSecond: number
    burst: number
    atOnce?: number
    maxKeys?: number
  }) {
    this.#perSecond = perSecond
    this.#burst = burst
    this.#maxGeneration = Math.max(1, Math.floor(maxKeys / 2))
    this.#fillMs = (Math.max(burst, atOnce) / perSecond) * 1_000
  }

  /** How many buckets are kept. */
  get size(): number {
    return this.#young.size + this.#old.size
  }

  /**
   * Takes tokens of this key at the given real time (milliseconds since the epoch), while `spared` are left beside
   * them. A key of a `scale` of one or more has so many times `burst` and `perSecond`.
   */
  take(key: string, nowMs: number, tokens = 1, { spared = 0, scale = 1 }: Partial<Wanted> = {}): Taken {
    return this.#taken(this.#bucket(key, nowMs, scale), nowMs, { tokens, spared, scale })
  }

  /** What `take` would answer; null for a key that has no bucket, which has all of `burst` and gets none. */
  look(key: string, nowMs: number): Taken | null {
    this.#turn(nowMs)
    const bucket = this.#young.get(key) ?? this.#old.get(key)
    return bucket ? this.#taken(bucket, nowMs, { tokens: 0, spared: 0, scale: 1 }) : null
  }

  #taken(bucket: Bucket, nowMs: number, { tokens, spared, scale }: Wanted): Taken {
    const [burst, perSecond] = [this.#burst * scale, this.#perSecond * scale]
    const elapsedMs = Math.max(0, nowMs - bucket.atMs)
    bucket.tokens = Math.min(burst, bucket.tokens + (elapsedMs * perSecond) / 1_000)
    bucket.atMs = nowMs
    const needed = Math.min(Math.max(1, tokens) + spared, burst)
    const allowed = bucket.tokens + EPSILON >= needed
    if (allowed) bucket.tokens -= tokens
    const retryAfterMs = allowed ? 0 : Math.ceil(((needed - EPSILON / 2 - bucket.tokens) / perSecond) * 1_000)
    return { allowed, remaining: Math.max(0, Math.floor(bucket.tokens + EPSILON)), retryAfterMs }
  }

  /** Buckets in use move to the young generation, so the old one holds only what nobody has touched since. */
  #bucket(key: string, nowMs: number, scale: number) {
    this.#turn(nowMs)
    const known = this.#young.get(key)
    if (known !== undefined) return known
    const bucket = this.#old.get(key) ?? { tokens: this.#burst * scale, atMs: nowMs }
    this.#old.delete(key)
    this.#young.set(key, bucket)
    return bucket
  }

  #turn(nowMs: number) {
    const isFull = this.#young.size >= this.#maxGeneration
    const passedMs = nowMs - this.#youngSinceMs
    if (!isFull && Math.abs(passedMs) < this.#fillMs) return
    // After twice that time the young ones are old too: a touch of any since would have turned them.
    this.#old = passedMs < 2 * this.#fillMs ? this.#young : new Map()
    this.#young = new Map()
    this.#youngSinceMs = nowMs
  }
}

/**
 * The key under which an address is limited: IPv4 as it is, also when mapped into IPv6; IPv6 cut to its /64 in
 * canonical form, `2001:db8::/64` (`docs/decisions.md` 7.1). Text that is no address has the one key `unknown`.
 */
export const addressKey = (ip: string): string => keyOf(ip, 4)

/** The key of what somebody holds who has many addresses: IPv6 is cut to its /48. */
export const networkKey = (ip: string): string => keyOf(ip, 3)

/**
 * What is held together more often than not: a /24 of IPv4, a /48 of IPv6. To choose by who makes room, never to refuse
 * by: people who do not know one another are in one.
 */
export function blockKey(ip: string): string {
  const key = networkKey(ip)
  return isIPv4(key) ? `${key.slice(0, key.lastIndexOf('.'))}.0/24` : key
}

function keyOf(ip: string, kept: number): string {
  if (isIPv4(ip)) return ip
  if (!isIPv6(ip)) return 'unknown'
  const groups = groupsOf(ip)
  const [high = 0, low = 0] = groups.slice(6)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (isMapped) return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
  return `${canonical(`${groups.slice(0, kept).map(hex).join(':')}::`)}/${16 * kept}`
}

/** An IPv6 address → its eight groups. */
function groupsOf(ip: string) {
  const [address = ''] = ip.split('%')
  const [left = '', right = ''] = canonical(address).split('::')
  const head = numbers(left)
  const tail = numbers(right)
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail]
}

/** The form of RFC 5952, with an embedded IPv4 address in hex; URL writes it so. */
const canonical = (address: string) => new URL(`http://[${address}]/`).hostname.slice(1, -1)

const numbers = (groups: string) =>
  groups === '' ? [] : groups.split(':').map((group) => Number.parseInt(group, 16))

const hex = (group: number) => group.toString(16)

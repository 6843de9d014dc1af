import { TokenBuckets } from '../lib/token-buckets.ts'
import {
  asMany,
  asManyOfNetwork,
  type Entry,
  join,
  keyOf,
  networkOf,
  type Span,
  SPANS,
  spanOf,
} from './counted-callers.ts'
import { Pace } from './pace.ts'

/** More different callers than this that wait to be written are counted together. */
export const MAX_ENTRIES = 10_000
/** Rows that name a caller: of a network (an IPv4 address, a /48 of IPv6), and of all together. */
const OF_NETWORK = { perSecond: 0.5, burst: 100 }
const OF_ALL = { perSecond: 10, burst: 10_000 }

/** Those whose turn has come by their pace, or all of them. */
export type Which = 'due' | 'all'

/**
 * What strangers did and what was refused, until it has rows. Nobody fills the log for ever, however many addresses he
 * has: each caller goes on at the `Pace`, a network and all together have so many rows, and what is beyond is counted
 * in one row of each action for its network, or for all.
 */
export class StrangerRows {
  readonly #waiting: Record<Span, Map<string, Entry>> = {
    caller: new Map(),
    network: new Map(),
    all: new Map(),
  }
  readonly #pace = new Pace()
  readonly #ofNetworks = new TokenBuckets(OF_NETWORK)
  readonly #ofAll = new TokenBuckets(OF_ALL)
  /** Which of those that are waiting have found room already, and could not be written. */
  readonly #granted = new WeakSet<Entry>()

  add(entry: Entry): void {
    const key = keyOf(entry)
    const span = spanOf(entry)
    const waiting = this.#waiting[span]
    const known = waiting.get(key)
    if (known) {
      join(known, entry)
      if (this.#granted.has(entry)) this.#granted.add(known)
    } else if (span === 'all' || this.#size < MAX_ENTRIES) waiting.set(key, entry)
    else this.add(asMany(entry))
  }

  /** What is to be written at this real time; what finds no room for a row of its own is left for a wider one. */
  take(which: Which, now: number): Entry[] {
    return SPANS.flatMap((span) => this.#takeOf(span, which, now))
  }

  written(entries: readonly Entry[], now: number): void {
    for (const entry of entries) this.#pace.written(keyOf(entry), now)
  }

  get #size(): number {
    return this.#waiting.caller.size + this.#waiting.network.size
  }

  #takeOf(span: Span, which: Which, now: number): Entry[] {
    const waiting = this.#waiting[span]
    const taken = [...waiting].filter(([key]) => which === 'all' || this.#pace.isDue(key, now))
    for (const [key] of taken) waiting.delete(key)
    const rows: Entry[] = []
    for (const [, entry] of taken) {
      const wider = this.#granted.has(entry) ? null : this.#widerOf(entry, now)
      if (wider) this.add(wider)
      else {
        this.#granted.add(entry)
        rows.push(entry)
      }
    }
    return rows
  }

  /** Null where there is room for a row of its own. */
  #widerOf(entry: Entry, now: number): Entry | null {
    const span = spanOf(entry)
    if (span === 'all') return null
    const network = span === 'caller' ? networkOf(entry) : null
    if (network !== null && !this.#ofNetworks.take(network, now).allowed) return asManyOfNetwork(entry)
    return this.#ofAll.take('all', now).allowed ? null : asMany(entry)
  }
}

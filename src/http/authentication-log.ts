import { type Context, transaction } from '../context.ts'
import { MINUTE, toUtcTime } from '../lib/time.ts'
import { audit } from './audit.ts'
import { touchApiToken } from './credential-queries.ts'
import type { Metrics } from './metrics.ts'
import type { Actor } from './scope.ts'

const FLUSH_MS = 1_000
/** More different callers than this within a second are counted together by kind. */
const MAX_ENTRIES = 10_000

interface Entry {
  readonly result: 'success' | 'failure'
  readonly actor: Actor
  readonly productId: number | null
  readonly ip: string
  readonly reason: string
  readonly requestId: string
  count: number
}

/**
 * Authentications of requests, counted by caller and address for a second and then written to the audit
 * log together: a row for each would make every read a write. Writes carry their caller in their own row.
 */
export class AuthenticationLog {
  readonly #ctx: Context
  readonly #metrics: Metrics
  #entries = new Map<string, Entry>()
  readonly #touched = new Map<number, number>()
  readonly #timer: NodeJS.Timeout

  constructor(ctx: Context, metrics: Metrics) {
    this.#ctx = ctx
    this.#metrics = metrics
    this.#timer = setInterval(() => void this.flush(), FLUSH_MS).unref()
  }

  success(actor: Actor, productId: number, ip: string, requestId: string): void {
    this.#count('success', `${actor.credential} ${ip}`, { actor, productId, ip, reason: '', requestId })
  }

  failure(code: string, attempted: string, ip: string, requestId: string): void {
    const actor: Actor = { kind: 'anonymous', id: 0, credential: attempted }
    this.#count('failure', `${code} ${attempted} ${ip}`, {
      actor,
      productId: null,
      ip,
      reason: code,
      requestId,
    })
  }

  #count(result: Entry['result'], key: string, entry: Omit<Entry, 'count' | 'result'>): void {
    const known = this.#entries.get(key)
    if (known) {
      known.count++
      return
    }
    if (this.#entries.size < MAX_ENTRIES) {
      this.#entries.set(key, { ...entry, result, count: 1 })
      return
    }
    const rest = this.#entries.get(result)
    if (rest) rest.count++
    else this.#entries.set(result, { ...entry, result, ip: '', count: 1 })
  }

  /** Writes what was counted; what could not be written is kept for the next time. */
  async flush(): Promise<void> {
    if (this.#entries.size === 0) return
    const entries = this.#entries
    this.#entries = new Map()
    const now = this.#ctx.clock.real()
    const touched = this.#tokensToTouch(entries.values(), now)
    try {
      await transaction(this.#ctx, async (tx) => {
        for (const entry of entries.values()) await audit(tx, auditOf(entry))
        for (const id of touched) await touchApiToken(tx.db, id, toUtcTime(now))
      })
    } catch (error) {
      this.#ctx.log.error({ err: error }, 'authentications could not be recorded')
      this.#putBack(entries)
      return
    }
    for (const id of touched) this.#touched.set(id, now)
    for (const { result, count } of entries.values()) this.#metrics.countAuthentications(result, count)
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }

  /** A token's last use is written at most once a minute (DECISIONS 3.3). */
  #tokensToTouch(entries: Iterable<Entry>, now: number): number[] {
    const ids = new Set<number>()
    for (const { actor, result } of entries) {
      if (result === 'success' && actor.kind === 'token') ids.add(actor.id)
    }
    return [...ids].filter((id) => now - (this.#touched.get(id) ?? 0) >= MINUTE)
  }

  #putBack(entries: Map<string, Entry>): void {
    for (const [key, entry] of entries) {
      const later = this.#entries.get(key)
      if (later) later.count += entry.count
      else this.#entries.set(key, entry)
    }
  }
}

const auditOf = ({ result, actor, productId, ip, reason, requestId, count }: Entry) => ({
  action: `authentication.${result}`,
  actor,
  productId,
  ip: ip === '' ? null : ip,
  requestId,
  details: { count, ...(reason !== '' && { reason }) },
})

import { type Context, transaction } from '../context.ts'
import { MINUTE, SECOND, toUtcTime } from '../lib/time.ts'
import { auditAll, type Audited } from './audit.ts'
import { touchApiToken } from './credential-queries.ts'
import type { Metrics } from './metrics.ts'
import type { Scope } from './scope.ts'

const FLUSH_MS = SECOND
/** A refusal waits no longer, so that hardly one is lost with the process. */
const PROMPT_MS = 100
/** More different callers than this that wait to be written are counted together. */
const MAX_ENTRIES = 10_000
/** How many installs share a row of the audit log. */
const FEWEST_SHARING = 10
const MOST_SHARING = 50

type Result = 'success' | 'failure'

/** Who was let in or refused, where, and by which request. */
export type Caller = Pick<Scope, 'actor' | 'ip' | 'requestId'> & { readonly productId: number | null }

interface Entry {
  readonly caller: Caller
  readonly reason: string
  count: number
}

/** Stands for all callers beyond the limit: none of them is named for what others did. */
const MANY: Caller = {
  actor: { kind: 'anonymous', id: 0, credential: 'many' },
  productId: null,
  ip: null,
  requestId: null,
}

/**
 * Authentications of requests, counted by caller, product and address and then written to the audit log
 * together, at most a second later and refusals a tenth of one: a row for each would make every read a
 * write. Writes carry their caller in their own row.
 */
export class AuthenticationLog {
  readonly #ctx: Context
  readonly #metrics: Metrics
  readonly #waiting: Record<Result, Map<string, Entry>> = { success: new Map(), failure: new Map() }
  readonly #touched = new Map<number, number>()
  readonly #timer: NodeJS.Timeout
  #prompt: NodeJS.Timeout | null = null
  #writing = Promise.resolve()

  constructor(ctx: Context, metrics: Metrics) {
    this.#ctx = ctx
    this.#metrics = metrics
    this.#timer = setInterval(() => void this.flush(), FLUSH_MS).unref()
  }

  success(caller: Caller): void {
    this.#count('success', caller, '')
  }

  /** `reason` is the code of the refusal. */
  failure(caller: Caller, reason: string): void {
    this.#count('failure', caller, reason)
    this.#prompt ??= setTimeout(() => {
      this.#prompt = null
      void this.#flush('failure')
    }, PROMPT_MS).unref()
  }

  /** Writes what was counted until now; what could not be written is kept for the next time. */
  async flush(): Promise<void> {
    await this.#flush('failure')
    await this.#flush('success')
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    if (this.#prompt) clearTimeout(this.#prompt)
    await this.flush()
  }

  #count(result: Result, { actor, productId, ip, requestId }: Caller, reason: string): void {
    const key = `${reason} ${actor.credential} ${productId} ${ip}`
    const known = this.#waiting[result].get(key)
    if (known) known.count++
    else this.#add(result, key, { caller: { actor, productId, ip, requestId }, reason, count: 1 })
  }

  #add(result: Result, key: string, entry: Entry): void {
    const waiting = this.#waiting[result]
    const isRoom = waiting.has(key) || waiting.size < MAX_ENTRIES
    const place = isRoom ? key : 'many'
    const known = waiting.get(place)
    if (known) known.count += entry.count
    else waiting.set(place, isRoom ? entry : { caller: MANY, reason: '', count: entry.count })
  }

  /** One after the other, so that whoever waits for a flush waits for the one that is under way too. */
  #flush(result: Result): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write(result))
    return this.#writing
  }

  async #write(result: Result): Promise<void> {
    const entries = this.#waiting[result]
    if (entries.size === 0) return
    this.#waiting[result] = new Map()
    const now = this.#ctx.clock.real()
    const touched = result === 'success' ? this.#tokensToTouch(entries.values(), now) : []
    try {
      await transaction(this.#ctx, async (tx) => {
        await auditAll(tx, rowsOf(result, [...entries.values()]))
        for (const id of touched) await touchApiToken(tx.db, id, toUtcTime(now))
      })
    } catch (error) {
      this.#ctx.log.error({ err: error }, 'authentications could not be recorded')
      for (const [key, entry] of entries) this.#add(result, key, entry)
      return
    }
    for (const id of touched) this.#touched.set(id, now)
    for (const { count } of entries.values()) this.#metrics.countAuthentications(result, count)
  }

  /** A token's last use is written at most once a minute (DECISIONS 3.3). */
  #tokensToTouch(entries: Iterable<Entry>, now: number): number[] {
    const ids = new Set<number>()
    for (const { caller } of entries) if (caller.actor.kind === 'token') ids.add(caller.actor.id)
    return [...ids].filter((id) => now - (this.#touched.get(id) ?? 0) >= MINUTE)
  }
}

const actionOf = (result: Result) => `authentication.${result}`

const auditOf = (result: Result, { caller, reason, count }: Entry): Audited => ({
  action: actionOf(result),
  ...caller,
  details: { count, ...(reason !== '' && { reason }) },
})

/** A row for each; installs that were let in, which come in thousands, share one where they are many of a product. */
function rowsOf(result: Result, entries: readonly Entry[]): Audited[] {
  const isShared = ({ caller }: Entry) => result === 'success' && caller.actor.kind === 'install'
  const rows = entries.filter((entry) => !isShared(entry)).map((entry) => auditOf(result, entry))
  const products = Map.groupBy(entries.filter(isShared), ({ caller }) => caller.productId)
  for (const [productId, installs] of products) {
    for (let at = 0; at < installs.length; at += MOST_SHARING) {
      const page = installs.slice(at, at + MOST_SHARING)
      if (page.length < FEWEST_SHARING) rows.push(...page.map((entry) => auditOf(result, entry)))
      else rows.push(sharedRow(result, productId, page))
    }
  }
  return rows
}

/** Who, from where, by which request and how often stands in its details, for each. */
const sharedRow = (result: Result, productId: number | null, entries: readonly Entry[]): Audited => ({
  action: actionOf(result),
  actor: { kind: 'install', id: 0, credential: 'several' },
  productId,
  ip: null,
  requestId: null,
  details: {
    count: entries.reduce((sum, { count }) => sum + count, 0),
    callers: entries.map(({ caller, count }) => [
      caller.actor.credential,
      caller.ip,
      caller.requestId,
      count,
    ]),
  },
})

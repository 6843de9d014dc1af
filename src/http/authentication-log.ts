import { type Context, quietly } from '../context.ts'
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
  /** Installs that were let in, by their id: they come in thousands, hardly one from two addresses at once. */
  #installs = new Map<number, Entry>()
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
    if (caller.actor.kind !== 'install' || !this.#countInstall(caller)) this.#add('success', entryOf(caller))
  }

  /** `reason` is the code of the refusal. */
  failure(caller: Caller, reason: string): void {
    this.#add('failure', entryOf(caller, reason))
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

  /** False for one that comes from another address too, or in another way, or when there is no more room. */
  #countInstall(caller: Caller): boolean {
    const { actor, ip } = caller
    const known = this.#installs.get(actor.id)
    if (known) {
      const isSame = known.caller.ip === ip && known.caller.actor.credential === actor.credential
      if (isSame) known.count++
      return isSame
    }
    if (!this.#hasRoom('success')) return false
    this.#installs.set(actor.id, entryOf(caller))
    return true
  }

  #add(result: Result, entry: Entry): void {
    const waiting = this.#waiting[result]
    const key = keyOf(entry)
    const known = waiting.get(key)
    if (known) known.count += entry.count
    else if (entry.caller === MANY || this.#hasRoom(result)) waiting.set(key, entry)
    else this.#add(result, { caller: MANY, reason: '', count: entry.count })
  }

  #hasRoom(result: Result): boolean {
    const installs = result === 'success' ? this.#installs.size : 0
    return this.#waiting[result].size + installs < MAX_ENTRIES
  }

  /** One after the other, so that whoever waits for a flush waits for the one that is under way too. */
  #flush(result: Result): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write(result))
    return this.#writing
  }

  async #write(result: Result): Promise<void> {
    const entries = this.#take(result)
    if (entries.length === 0) return
    const now = this.#ctx.clock.real()
    const touched = result === 'success' ? this.#tokensToTouch(entries, now) : []
    try {
      await quietly(this.#ctx, async (tx) => {
        await auditAll(tx, rowsOf(result, entries))
        for (const id of touched) await touchApiToken(tx.db, id, toUtcTime(now))
      })
    } catch (error) {
      this.#ctx.log.error({ err: error }, 'authentications could not be recorded')
      for (const entry of entries) this.#add(result, entry)
      return
    }
    for (const id of touched) this.#touched.set(id, now)
    for (const { count } of entries) this.#metrics.countAuthentications(result, count)
  }

  #take(result: Result): Entry[] {
    const waiting = this.#waiting[result]
    this.#waiting[result] = new Map()
    if (result === 'failure') return [...waiting.values()]
    const installs = this.#installs
    this.#installs = new Map()
    return [...installs.values(), ...waiting.values()]
  }

  /** A token's last use is written at most once a minute (DECISIONS 3.3). */
  #tokensToTouch(entries: readonly Entry[], now: number): number[] {
    const ids = new Set<number>()
    for (const { caller } of entries) if (caller.actor.kind === 'token') ids.add(caller.actor.id)
    return [...ids].filter((id) => now - (this.#touched.get(id) ?? 0) >= MINUTE)
  }
}

const entryOf = ({ actor, productId, ip, requestId }: Caller, reason = ''): Entry => ({
  caller: { actor, productId, ip, requestId },
  reason,
  count: 1,
})

const keyOf = ({ caller: { actor, productId, ip }, reason }: Entry) =>
  `${reason} ${actor.credential} ${productId} ${ip}`

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

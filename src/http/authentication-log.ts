import { type Context, quietly } from '../context.ts'
import { MINUTE, SECOND, toUtcTime } from '../lib/time.ts'
import { auditAll, type Audited } from './audit.ts'
import { touchApiToken } from './credential-queries.ts'
import type { Metrics } from './metrics.ts'
import { Pace } from './pace.ts'
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

/** What is written at the next flush: callers that were let in; refusals, and what strangers did. */
type Queue = 'letIn' | 'strangers'

/** Who was let in or refused, where, and by which request. */
export type Caller = Pick<Scope, 'actor' | 'ip' | 'requestId'> & { readonly productId: number | null }

/** Those whose turn has come by their pace, or all of them. */
type Which = 'due' | 'all'

const LET_IN = 'authentication.success'
const REFUSED = 'authentication.failure'
const NO_DETAILS: object = Object.freeze({})

/** What was done: the id of an operation, or what the log calls it. */
export interface Counted {
  readonly action: string
  readonly details?: object
}

interface Entry {
  readonly action: string
  readonly caller: Caller
  readonly details: object
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
 * Authentications of requests, and what strangers did, counted by caller, product and address and then written to
 * the audit log together: a row for each would make every read a write, and let anybody fill the disk. Callers that
 * were let in are written at most a second later; a refusal or a stranger's write a tenth of one, and at the `Pace` of
 * its caller when it goes on. Any other write carries its caller in its own row.
 */
export class AuthenticationLog {
  readonly #ctx: Context
  readonly #metrics: Metrics
  readonly #waiting: Record<Queue, Map<string, Entry>> = { letIn: new Map(), strangers: new Map() }
  readonly #pace = new Pace()
  /** Installs that were let in, by their id: they come in thousands, hardly one from two addresses at once. */
  #installs = new Map<number, Entry>()
  readonly #touched = new Map<number, number>()
  readonly #timer: NodeJS.Timeout
  #prompt: NodeJS.Timeout | null = null
  #writing = Promise.resolve()

  constructor(ctx: Context, metrics: Metrics) {
    this.#ctx = ctx
    this.#metrics = metrics
    this.#timer = setInterval(() => void this.#flushDue(), FLUSH_MS).unref()
  }

  success(caller: Caller): void {
    if (caller.actor.kind !== 'install' || !this.#countInstall(caller))
      this.#add('letIn', entryOf(LET_IN, caller))
  }

  /** `reason` is the code of the refusal. */
  failure(caller: Caller, reason: string): void {
    this.stranger(caller, { action: REFUSED, ...(reason !== '' && { details: { reason } }) })
  }

  /** What somebody did who proved nothing: `details` are names and ids, never values of what was written. */
  stranger(caller: Caller, { action, details }: Counted): void {
    this.#add('strangers', entryOf(action, caller, details))
    this.#prompt ??= setTimeout(() => {
      this.#prompt = null
      void this.#flush('strangers', 'due')
    }, PROMPT_MS).unref()
  }

  /** Writes what was counted until now; what could not be written is kept for the next time. */
  async flush(): Promise<void> {
    await this.#flush('strangers', 'all')
    await this.#flush('letIn', 'all')
  }

  async #flushDue(): Promise<void> {
    await this.#flush('strangers', 'due')
    await this.#flush('letIn', 'due')
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
    if (!this.#hasRoom('letIn')) return false
    this.#installs.set(actor.id, entryOf(LET_IN, caller))
    return true
  }

  #add(queue: Queue, entry: Entry): void {
    const waiting = this.#waiting[queue]
    const key = keyOf(entry)
    const known = waiting.get(key)
    if (known) known.count += entry.count
    else if (entry.caller === MANY || this.#hasRoom(queue)) waiting.set(key, entry)
    else this.#add(queue, { ...entry, caller: MANY, details: {} })
  }

  #hasRoom(queue: Queue): boolean {
    const installs = queue === 'letIn' ? this.#installs.size : 0
    return this.#waiting[queue].size + installs < MAX_ENTRIES
  }

  /** One after the other, so that whoever waits for a flush waits for the one that is under way too. */
  #flush(queue: Queue, which: Which): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write(queue, which))
    return this.#writing
  }

  async #write(queue: Queue, which: Which): Promise<void> {
    const now = this.#ctx.clock.real()
    const entries = queue === 'letIn' ? this.#takeLetIn() : this.#takeStrangers(which, now)
    if (entries.length === 0) return
    const touched = queue === 'letIn' ? this.#tokensToTouch(entries, now) : []
    try {
      await quietly(this.#ctx, async (tx) => {
        await auditAll(tx, rowsOf(entries))
        for (const id of touched) await touchApiToken(tx.db, id, toUtcTime(now))
      })
    } catch (error) {
      this.#ctx.log.error({ err: error }, 'authentications could not be recorded')
      for (const entry of entries) this.#add(queue, entry)
      return
    }
    for (const id of touched) this.#touched.set(id, now)
    if (queue === 'strangers') for (const entry of entries) this.#pace.written(keyOf(entry), now)
    for (const { action, count } of entries) {
      const result = resultOf(action)
      if (result) this.#metrics.countAuthentications(result, count)
    }
  }

  #takeLetIn(): Entry[] {
    const entries = [...this.#installs.values(), ...this.#waiting.letIn.values()]
    this.#installs = new Map()
    this.#waiting.letIn = new Map()
    return entries
  }

  #takeStrangers(which: Which, now: number): Entry[] {
    const taken = [...this.#waiting.strangers].filter(
      ([key]) => which === 'all' || this.#pace.isDue(key, now),
    )
    for (const [key] of taken) this.#waiting.strangers.delete(key)
    return taken.map(([, entry]) => entry)
  }

  /** A token's last use is written at most once a minute (DECISIONS 3.3). */
  #tokensToTouch(entries: readonly Entry[], now: number): number[] {
    const ids = new Set<number>()
    for (const { caller } of entries) if (caller.actor.kind === 'token') ids.add(caller.actor.id)
    return [...ids].filter((id) => now - (this.#touched.get(id) ?? 0) >= MINUTE)
  }
}

const entryOf = (
  action: string,
  { actor, productId, ip, requestId }: Caller,
  details: object = NO_DETAILS,
): Entry => ({
  action,
  caller: { actor, productId, ip, requestId },
  details,
  count: 1,
})

const keyOf = ({ action, caller: { actor, productId, ip }, details }: Entry) =>
  `${action} ${details === NO_DETAILS ? '' : JSON.stringify(details)} ${actor.credential} ${productId} ${ip}`

/** Null for what is no authentication. */
function resultOf(action: string): Result | null {
  if (action === LET_IN) return 'success'
  return action === REFUSED ? 'failure' : null
}

const auditOf = ({ action, caller, details, count }: Entry): Audited => ({
  action,
  ...caller,
  details: { count, ...details },
})

/** A row for each; installs that were let in, which come in thousands, share one where they are many of a product. */
function rowsOf(entries: readonly Entry[]): Audited[] {
  const isShared = ({ action, caller }: Entry) => action === LET_IN && caller.actor.kind === 'install'
  const rows = entries.filter((entry) => !isShared(entry)).map(auditOf)
  const products = Map.groupBy(entries.filter(isShared), ({ caller }) => caller.productId)
  for (const [productId, installs] of products) {
    for (let at = 0; at < installs.length; at += MOST_SHARING) {
      const page = installs.slice(at, at + MOST_SHARING)
      if (page.length < FEWEST_SHARING) rows.push(...page.map(auditOf))
      else rows.push(sharedRow(productId, page))
    }
  }
  return rows
}

/** Who, from where, by which request and how often stands in its details, for each. */
const sharedRow = (productId: number | null, entries: readonly Entry[]): Audited => ({
  action: LET_IN,
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

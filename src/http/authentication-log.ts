import { type Context, quietly, type TxContext } from '../context.ts'
import { MINUTE, SECOND, toUtcTime } from '../lib/time.ts'
import { auditAll } from '../access/audit.ts'
import {
  asMany,
  type Caller,
  type Counted,
  type Entry,
  entryOf,
  fromFewAddresses,
  isFromSame,
  join,
  keyOf,
  LET_IN,
  rowsOf,
  spanOf,
} from '../access/counted-callers.ts'
import { touchApiToken, touchSession } from '../access/credential-rows.ts'
import type { Metrics } from './metrics.ts'
import { isStranger } from '../access/scope.ts'
import { MAX_ENTRIES, StrangerRows, type Which } from '../access/stranger-rows.ts'

const FLUSH_MS = SECOND
/** A refusal waits no longer, so that hardly one is lost with the process. */
const PROMPT_MS = 100

type Result = 'success' | 'failure'

/** What is written at the next flush: callers that were let in; refusals, and what strangers did. */
type Queue = 'letIn' | 'strangers'

const REFUSED = 'authentication.failure'

/**
 * Authentications of requests, and what strangers did, counted by caller, product and address and then written to
 * the audit log together: a row for each would make every read a write, and let anybody fill the disk. Callers that
 * were let in are written at most a second later; a refusal and what a stranger does a tenth of one, and at the `Pace`
 * of its caller when it goes on. Any other write carries its caller in its own row.
 */
export class AuthenticationLog {
  readonly #ctx: Context
  readonly #metrics: Metrics
  readonly #strangers = new StrangerRows()
  #letIn = new Map<string, Entry>()
  /** Installs that were let in, by their id: they come in thousands, hardly one from two addresses at once. */
  #installs = new Map<number, Entry>()
  /** When the last use of a token or session was written. */
  readonly #touched = new Map<string, number>()
  readonly #timer: NodeJS.Timeout
  #prompt: NodeJS.Timeout | null = null
  #writing = Promise.resolve()

  constructor(ctx: Context, metrics: Metrics) {
    this.#ctx = ctx
    this.#metrics = metrics
    this.#timer = setInterval(() => void this.#flushDue(), FLUSH_MS).unref()
  }

  success(caller: Caller): void {
    if (isStranger(caller)) this.stranger(caller, { action: LET_IN })
    else if (caller.actor.kind !== 'install' || !this.#countInstall(caller))
      this.#letAlsoIn(entryOf(LET_IN, caller))
  }

  /** `reason` is the code of the refusal. */
  failure(caller: Caller, reason: string): void {
    this.stranger(caller, { action: REFUSED, ...(reason !== '' && { details: { reason } }) })
  }

  /** What somebody did who proved nothing: `details` are names and ids, never values of what was written. */
  stranger(caller: Caller, { action, details }: Counted): void {
    this.#strangers.add(entryOf(action, caller, details))
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
      const isSame = known.caller.actor.credential === actor.credential && isFromSame(known, ip)
      if (isSame) join(known, { caller, count: 1 })
      return isSame
    }
    if (!this.#hasRoom()) return false
    this.#installs.set(actor.id, entryOf(LET_IN, caller))
    return true
  }

  #letAlsoIn(entry: Entry): void {
    const key = keyOf(entry)
    const known = this.#letIn.get(key)
    if (known) join(known, entry)
    else if (this.#hasRoom() || spanOf(entry) === 'all') this.#letIn.set(key, entry)
    else this.#letAlsoIn(asMany(entry))
  }

  #hasRoom(): boolean {
    return this.#letIn.size + this.#installs.size < MAX_ENTRIES
  }

  /** One after the other, so that whoever waits for a flush waits for the one that is under way too. */
  #flush(queue: Queue, which: Which): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write(queue, which))
    return this.#writing
  }

  async #write(queue: Queue, which: Which): Promise<void> {
    const now = this.#ctx.clock.real()
    const entries = queue === 'letIn' ? this.#takeLetIn() : this.#strangers.take(which, now)
    if (entries.length === 0) return
    const touched = queue === 'letIn' ? this.#toTouch(entries, now) : []
    try {
      await quietly(this.#ctx, async (tx) => {
        await auditAll(tx, rowsOf(entries))
        for (const caller of touched) await touch(tx, caller, now)
      })
    } catch (error) {
      this.#ctx.log.error({ err: error }, 'authentications could not be recorded')
      for (const entry of entries) {
        if (queue === 'letIn') this.#letAlsoIn(entry)
        else this.#strangers.add(entry)
      }
      return
    }
    for (const { actor } of touched) this.#touched.set(actor.credential, now)
    if (queue === 'strangers') this.#strangers.written(entries, now)
    for (const { action, count } of entries) {
      const result = resultOf(action)
      if (result) this.#metrics.countAuthentications(result, count)
    }
  }

  #takeLetIn(): Entry[] {
    const entries = [...this.#installs.values(), ...fromFewAddresses(this.#letIn.values())]
    this.#installs = new Map()
    this.#letIn = new Map()
    return entries
  }

  /** The last use of a token or session is written at most once a minute (`docs/decisions.md` 3.3). */
  #toTouch(entries: readonly Entry[], now: number): Caller[] {
    for (const [credential, at] of this.#touched) if (now - at >= MINUTE) this.#touched.delete(credential)
    const callers = new Map<string, Caller>()
    for (const { caller } of entries) {
      const { credential } = caller.actor
      if (!this.#touched.has(credential) && /^(token|session):/.test(credential))
        callers.set(credential, caller)
    }
    return [...callers.values()]
  }
}

function touch({ db }: TxContext, { actor: { credential, agent }, ip }: Caller, now: number) {
  const id = Number(credential.slice(credential.indexOf(':') + 1))
  if (credential.startsWith('token:')) return touchApiToken(db, id, toUtcTime(now))
  return touchSession(db, { id, ip, agent: agent ?? null }, now)
}

/** Null for what is no authentication. */
function resultOf(action: string): Result | null {
  if (action === LET_IN) return 'success'
  return action === REFUSED ? 'failure' : null
}

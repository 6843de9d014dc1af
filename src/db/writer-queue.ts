import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { DatabaseBusy, DiskFull } from './busy.ts'
import type { StatementHook } from './database.ts'

/** What SQLite answers when another connection holds the write lock. */
const SQLITE_BUSY = 5
/** What it answers without room: full, and no success in writing, syncing, truncating and mapping a file. */
const NO_ROOM = new Set([13, 10 | (3 << 8), 10 | (4 << 8), 10 | (6 << 8), 10 | (19 << 8)])
const BUSY_LIMIT_MS = 30_000
const GROUP_SIZE = 64
const GROUP_MS = 10
/** After so long within a group what else has arrived is served first. */
const TURN_MS = 3

interface Job {
  readonly work: () => Promise<unknown>
  readonly resolve: (value: never) => void
  readonly reject: (reason: unknown) => void
}

/**
 * Write transactions, first in, first out. Those that wait share one commit, each in its own
 * savepoint, and each is answered after that commit (`docs/decisions.md` 4.2).
 */
export class WriterQueue {
  readonly #connection: DatabaseSync
  readonly #onStatement: StatementHook | undefined
  readonly #waiting: Job[] = []
  #draining: Promise<void> | null = null
  #closed = false
  #isFull = false
  #commits = 0

  constructor(connection: DatabaseSync, onStatement: StatementHook | undefined) {
    this.#connection = connection
    this.#onStatement = onStatement
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new Error('The database is closed.'))
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve, reject })
      this.#draining ??= this.#drain()
    })
  }

  /** How often something was committed so far. */
  get commits(): number {
    return this.#commits
  }

  /** Whether something can be stored; it is tried where that has failed before. */
  async canWrite(): Promise<boolean> {
    if (!this.#isFull) return true
    try {
      await this.run(async () => this.#connection.exec(`pragma user_version = ${this.#userVersion()}`))
    } catch (error) {
      if (error instanceof DatabaseBusy) return false
      throw error
    }
    this.#isFull = false
    return true
  }

  /** Finishes what waits; takes nothing more. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#draining
  }

  async #drain(): Promise<void> {
    // What has arrived with the first one is read before: it shares its commit.
    await nextTurn()
    for (let group = 1; this.#waiting.length > 0; group++) {
      await this.#runGroup()
      // Every tenth group leaves the lock alone for a moment, so that another process gets it.
      if (this.#waiting.length > 0) await (group % 10 === 0 ? sleep(2) : nextTurn())
    }
    this.#draining = null
  }

  async #runGroup(): Promise<void> {
    const done: (() => void)[] = []
    const taken: Job[] = []
    try {
      await this.#begin()
      const start = performance.now()
      for (let turn = start, now = start; taken.length < GROUP_SIZE && now < start + GROUP_MS;) {
        const job = this.#waiting.shift()
        if (!job) break
        taken.push(job)
        await this.#runJob(job, done)
        now = performance.now()
        if (now < turn + TURN_MS) continue
        await nextTurn()
        turn = now
      }
      await this.#exec('commit')
      this.#commits++
    } catch (error) {
      this.#rollBack()
      if (taken.length === 0) taken.push(...this.#waiting.splice(0))
      const reason = this.#named(error)
      for (const job of taken) job.reject(reason)
      return
    }
    for (const resolve of done) resolve()
  }

  /** A refusal undoes this transaction alone; the others of the group go on. */
  async #runJob({ work, resolve, reject }: Job, done: (() => void)[]): Promise<void> {
    await this.#exec('savepoint job')
    try {
      const value = await work()
      await this.#exec('release job')
      done.push(() => resolve(value as never))
    } catch (error) {
      // SQLite itself has rolled everything back (disk full, I/O error): nobody's work is left.
      if (!this.#connection.isOpen || !this.#connection.isTransaction) throw error
      this.#connection.exec('rollback to job; release job')
      reject(this.#named(error))
    }
  }

  /** Says of an error that there is no room, and remembers it. */
  #named(error: unknown): unknown {
    if (!isFull(error)) return error
    this.#isFull = true
    return new DiskFull('The disk is full.', { cause: error })
  }

  #userVersion(): number {
    return Number(this.#connection.prepare('pragma user_version').get()?.['user_version'] ?? 0)
  }

  async #begin(): Promise<void> {
    const giveUp = performance.now() + BUSY_LIMIT_MS
    for (let tries = 0; ; tries++) {
      try {
        return await this.#exec('begin immediate')
      } catch (error) {
        if (!isBusy(error)) throw error
        if (performance.now() > giveUp) throw new DatabaseBusy('The database is busy.', { cause: error })
        await sleep(1 + Math.random() * Math.min(2 + tries, 20))
      }
    }
  }

  async #exec(sql: string): Promise<void> {
    if (this.#onStatement) await this.#onStatement(sql)
    this.#connection.exec(sql)
  }

  #rollBack(): void {
    if (this.#connection.isOpen && this.#connection.isTransaction) this.#connection.exec('rollback')
  }
}

const isFull = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && NO_ROOM.has(error.errcode as number)

export const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && ((error.errcode as number) & 0xff) === SQLITE_BUSY

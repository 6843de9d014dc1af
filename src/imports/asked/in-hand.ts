import type { Context } from '../../context.ts'
import { LeaseLost } from '../../db/claim.ts'
import { SECOND } from '../../lib/time.ts'
import type { PartDone } from '../import-rows.ts'
import { LEASE_MS, updateAsked } from './queries.ts'
import type { ImportRow, KindProgress } from './schema.ts'

/** How often it is noted how far an import is, which also says that somebody works on it. */
const NOTE_MS = SECOND

/** The process ends: another one goes on with what is in hand. */
export class Stopped extends Error {}

/** An import that this process works on: how far it is, and that it is its still. */
export class InHand {
  readonly row: ImportRow
  readonly #ctx: Context
  readonly #stopping: AbortSignal
  readonly #kinds = new Map<string, KindProgress>()
  #reading: string | null = null
  #noted = 0

  constructor(ctx: Context, row: ImportRow, stopping: AbortSignal) {
    this.#ctx = ctx
    this.row = row
    this.#stopping = stopping
  }

  /** What is to be kept of how far it is. */
  get progress() {
    const kinds = [...this.#kinds.values()]
    const sum = (of: 'looked_at' | 'same' | 'bad') => kinds.reduce((total, kind) => total + kind[of], 0)
    return {
      kinds: JSON.stringify(kinds),
      row_count: sum('looked_at'),
      same: sum('same'),
      bad: sum('bad'),
      reading: this.#reading,
    }
  }

  /** Another product is read from another server. */
  read(title: string): void {
    this.#reading = title
  }

  /** Some rows were looked at, or written. */
  async part({ phase, kind, rows, report }: PartDone): Promise<void> {
    this.#reading = null
    const known = this.#kinds.get(kind) ?? { ...NOTHING, kind, file: report?.file ?? null }
    const { add = 0, change = 0, same = 0, kept = 0, bad = 0 } = report ?? {}
    const done = phase === 'check' ? 'looked_at' : 'written'
    this.#kinds.set(kind, { ...known, add, change, same, kept, bad, [done]: known[done] + rows })
    await this.beat()
  }

  /** LeaseLost where another process has it, or it was canceled; Stopped where this one ends. */
  async beat(): Promise<void> {
    if (this.#stopping.aborted) throw new Stopped()
    const now = this.#ctx.clock.real()
    if (now - this.#noted < NOTE_MS) return
    this.#noted = now
    const change = this.row.state === 'undoing' ? {} : this.progress
    const isHeld = await this.#ctx.database.transaction((db) =>
      updateAsked(db, this.row, { ...change, lease_until: now + LEASE_MS }),
    )
    if (!isHeld) throw new LeaseLost('Another process works on this import, or it was canceled.')
  }
}

const NOTHING = { looked_at: 0, written: 0, add: 0, change: 0, same: 0, kept: 0, bad: 0 }

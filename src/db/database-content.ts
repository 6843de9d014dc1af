import { createHash } from 'node:crypto'
import type { Sealed } from './opens-sealed.ts'

/** What a copy of a database holds. */
export interface DatabaseContent {
  /** One hash over every row of every table, whatever order they are stored in. */
  readonly hash: string
  readonly rows: number
  readonly schema: number
  /** Hashes of the archives that versions have. */
  readonly files: readonly string[]
  /** The newest values of the columns that tell whether a secret is that of the database. */
  readonly sealed: readonly Sealed[]
}

/** Sums up the rows of tables, which are given in the order of their names. */
export class ContentSum {
  readonly #hash = createHash('sha256')
  #rows = 0

  get rows(): number {
    return this.#rows
  }

  /** Begins a table; the answer takes its rows as text, and is told when there are no more. */
  table(name: string): { add(row: string): void; end(): void } {
    let sum = 0n
    let count = 0
    return {
      add(row) {
        sum = BigInt.asUintN(256, sum + BigInt(`0x${createHash('sha256').update(row).digest('hex')}`))
        count++
      },
      end: () => {
        this.#hash.update(`${name}:${count}:${sum.toString(16)}\n`)
        this.#rows += count
      },
    }
  }

  /** Hex, of all that was added; once. */
  digest(): string {
    return this.#hash.digest('hex')
  }
}

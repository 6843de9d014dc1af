import { createHash } from 'node:crypto'
import { Bounded } from '../lib/bounded.ts'

/**
 * Under which name each statement is prepared on every connection of a process. A table that changes while it is
 * prepared makes PostgreSQL refuse a statement that selects all of its columns: from then on all have other names, and
 * so are prepared anew.
 */
export class StatementNames {
  #round = 0
  #names = new Bounded<string>(500)

  nameOf(sql: string): string {
    return this.#names.get(sql) ?? this.#names.keep(sql, `${hashed(sql)}${this.#round || ''}`)
  }

  /** Gives all other names, unless that was done since this one was given. */
  renew(sql: string, name: string): void {
    if (this.nameOf(sql) !== name) return
    this.#round++
    this.#names = new Bounded(500)
  }
}

const hashed = (sql: string) => createHash('sha256').update(sql).digest('base64url').slice(0, 22)

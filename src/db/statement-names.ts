import { createHash } from 'node:crypto'
import { StatementCache } from './statement-cache.ts'

/**
 * Under which name each statement is prepared on every connection of a process. A table that changes while it is
 * prepared makes PostgreSQL refuse a statement that selects all of its columns: from then on all have other names, and
 * so are prepared anew.
 */
export class StatementNames {
  #round = 0
  #names = this.#named()

  nameOf(sql: string): string {
    return this.#names.get(sql)
  }

  /** Gives all other names, unless that was done since this one was given. */
  renew(sql: string, name: string): void {
    if (this.#names.get(sql) !== name) return
    this.#round++
    this.#names = this.#named()
  }

  #named(): StatementCache<string> {
    const round = this.#round
    return new StatementCache(500, (sql) => `${hashed(sql)}${round || ''}`)
  }
}

const hashed = (sql: string) => createHash('sha256').update(sql).digest('base64url').slice(0, 22)

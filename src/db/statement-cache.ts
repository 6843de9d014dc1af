/** At most `limit` values by SQL text; the oldest goes first. */
export class StatementCache<T> {
  readonly #limit: number
  readonly #make: (sql: string) => T
  readonly #values = new Map<string, T>()

  constructor(limit: number, make: (sql: string) => T) {
    this.#limit = limit
    this.#make = make
  }

  get(sql: string): T {
    const known = this.#values.get(sql)
    if (known !== undefined) return known
    if (this.#values.size >= this.#limit) {
      const [oldest] = this.#values.keys()
      if (oldest !== undefined) this.#values.delete(oldest)
    }
    const value = this.#make(sql)
    this.#values.set(sql, value)
    return value
  }
}

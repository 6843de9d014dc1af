/** At most `limit` values by name; the one that was kept first goes first. */
export class Bounded<T> {
  readonly #limit: number
  readonly #values = new Map<string, T>()

  constructor(limit: number) {
    this.#limit = limit
  }

  get(name: string): T | undefined {
    return this.#values.get(name)
  }

  /** Keeps a value, and answers it. */
  keep(name: string, value: T): T {
    if (this.#values.size >= this.#limit && !this.#values.has(name)) {
      const [oldest] = this.#values.keys()
      if (oldest !== undefined) this.#values.delete(oldest)
    }
    this.#values.set(name, value)
    return value
  }
}

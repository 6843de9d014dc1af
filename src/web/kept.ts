/** What was made lately, by name: the names that were asked for last, up to a number of them. */
export class Kept<T> {
  readonly #most: number
  readonly #values = new Map<string, T>()

  constructor(most: number) {
    this.#most = most
  }

  async get(name: string, make: () => Promise<T>): Promise<T> {
    const kept = this.#values.get(name)
    const value = kept ?? (await make())
    this.#values.delete(name)
    this.#values.set(name, value)
    const [oldest] = this.#values.keys()
    if (this.#values.size > this.#most && oldest !== undefined) this.#values.delete(oldest)
    return value
  }
}

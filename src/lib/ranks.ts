/** How much each key counts, and which counts most; every change takes the same time, however many keys there are. */
export class Ranks {
  readonly #counts = new Map<string, number>()
  readonly #keysOf = new Map<number, Set<string>>()
  #most = 0

  count(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  /** One of the keys that count most, the one that has longest; undefined: there is none. */
  get first(): string | undefined {
    const [first] = this.#keysOf.get(this.#most) ?? []
    return first
  }

  raise(key: string): void {
    this.#move(key, this.count(key) + 1)
  }

  /** One that counts 0 is forgotten. */
  lower(key: string): void {
    this.#move(key, this.count(key) - 1)
  }

  #move(key: string, to: number): void {
    const from = this.count(key)
    const left = this.#keysOf.get(from)
    left?.delete(key)
    if (left?.size === 0) this.#keysOf.delete(from)
    if (to > 0) {
      this.#counts.set(key, to)
      const keys = this.#keysOf.get(to) ?? new Set()
      this.#keysOf.set(to, keys.add(key))
    } else this.#counts.delete(key)
    // A step of one: where nobody is left at the top, this key is just below it.
    if (to > this.#most || !this.#keysOf.has(this.#most)) this.#most = Math.max(0, to)
  }
}

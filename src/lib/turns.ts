interface Place {
  count: number
  readonly waiting: (() => void)[]
}

/** Lets as many through at once, for each key, as there is room for; the others wait until one of them has ended. */
export class Turns {
  readonly #places = new Map<string, Place>()

  /** Does `work` when its turn is; `room` is asked again each time one ends, and what it throws is thrown. */
  async take<T>(key: string, room: () => number, work: () => Promise<T>): Promise<T> {
    const place = this.#places.get(key) ?? { count: 0, waiting: [] }
    this.#places.set(key, place)
    try {
      while (place.count >= room()) await new Promise<void>((resolve) => void place.waiting.push(resolve))
    } catch (error) {
      this.#next(key, place)
      throw error
    }
    place.count++
    try {
      return await work()
    } finally {
      place.count--
      this.#next(key, place)
    }
  }

  #next(key: string, place: Place): void {
    const wake = place.waiting.shift()
    if (wake) wake()
    else if (place.count === 0) this.#places.delete(key)
  }
}

/** What is under way of one key. */
export interface Place {
  readonly key: string
  count: number
  /** Wakes those that wait, the first first. */
  readonly waiting: (() => void)[]
}

/** Lets as many through at once, for each key, as there is room for; the others wait until one of them has left. */
export class Turns {
  readonly #places = new Map<string, Place>()

  /**
   * Takes a turn, which ends with `leave`; a promise of it when there is no room at once. `room` is asked again each
   * time one leaves; what it throws is thrown, and no turn was taken.
   */
  enter(key: string, room: () => number): Place | Promise<Place> {
    const place = this.#places.get(key) ?? { key, count: 0, waiting: [] }
    this.#places.set(key, place)
    try {
      if (place.count >= room()) return this.#wait(place, room)
    } catch (error) {
      this.#next(place)
      throw error
    }
    place.count++
    return place
  }

  leave(place: Place): void {
    place.count--
    this.#next(place)
  }

  async #wait(place: Place, room: () => number): Promise<Place> {
    try {
      do await new Promise<void>((resolve) => void place.waiting.push(resolve))
      while (place.count >= room())
    } catch (error) {
      this.#next(place)
      throw error
    }
    place.count++
    return place
  }

  #next({ key, count, waiting }: Place): void {
    const wake = waiting.shift()
    if (wake) wake()
    else if (count === 0) this.#places.delete(key)
  }
}

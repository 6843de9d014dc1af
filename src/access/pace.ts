import { MINUTE, SECOND } from '../lib/time.ts'

const MOST_KEYS = 10_000

interface Written {
  readonly at: number
  readonly waitMs: number
}

/**
 * How often one caller gets a row of the audit log: the first at once, the next a second later, and each after that
 * waits twice as long, a minute at most, for as long as it goes on.
 */
export class Pace {
  readonly #written = new Map<string, Written>()

  isDue(key: string, now: number): boolean {
    const last = this.#written.get(key)
    return !last || now >= last.at + last.waitMs
  }

  written(key: string, now: number): void {
    const last = this.#written.get(key)
    const goesOn = last && now < last.at + 2 * MINUTE
    const waitMs = goesOn ? Math.min(2 * last.waitMs, MINUTE) : SECOND
    this.#written.delete(key)
    this.#written.set(key, { at: now, waitMs })
    for (const oldest of this.#written.keys()) {
      if (this.#written.size <= MOST_KEYS) break
      this.#written.delete(oldest)
    }
  }
}

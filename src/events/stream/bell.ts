import { setTimeout as sleep } from 'node:timers/promises'
import { newestPlace } from '../../db/event-sequence.ts'
import type { Frame } from '../../http/frame.ts'
import { SECOND } from '../../lib/time.ts'

const POLL_MS = SECOND / 10
/** How long it rings after a number was given, as what has it may be committed a moment later. */
const RINGS_MS = SECOND

/** Wakes all readers of a process when there may be an event that they have not seen: one short read for all of them. */
export class Bell {
  readonly #frame: Frame
  readonly #waiting = new Set<() => void>()
  #isPolled = false
  #place = -1
  #ringsUntil = 0

  constructor(frame: Frame) {
    this.#frame = frame
  }

  /** Resolves when something may have happened, at the latest after `ms`, or when `closed`. */
  async wait(closed: AbortSignal, ms: number): Promise<void> {
    if (closed.aborted) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const wake = () => resolve()
    const timer = setTimeout(wake, ms)
    closed.addEventListener('abort', wake)
    this.#waiting.add(wake)
    if (!this.#isPolled) void this.#poll()
    await promise
    clearTimeout(timer)
    closed.removeEventListener('abort', wake)
    this.#waiting.delete(wake)
  }

  /** As long as anybody waits. */
  async #poll(): Promise<void> {
    this.#isPolled = true
    while (this.#waiting.size > 0) {
      await sleep(POLL_MS, undefined, { ref: false })
      if (await this.#hasHappened()) for (const wake of this.#waiting) wake()
    }
    this.#isPolled = false
  }

  /** A database that does not answer is for the readers to find, and so is that the server stops. */
  async #hasHappened(): Promise<boolean> {
    const { ctx, stopping } = this.#frame
    if (stopping) return true
    const place = await newestPlace(ctx.database).catch(() => null)
    if (place !== this.#place) this.#ringsUntil = performance.now() + RINGS_MS
    this.#place = place ?? -1
    return performance.now() < this.#ringsUntil
  }
}

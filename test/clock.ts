import { Sandboxes, type Clock, type SandboxTime } from '../src/lib/clock.ts'
import { toUtcTime, type UtcTime } from '../src/lib/time.ts'

/** A clock that moves only when it is told to. */
export class TestClock implements Clock {
  #ms: number
  #sandboxAheadMs = 0
  readonly #sandboxes = new Sandboxes()

  constructor(ms: number) {
    this.#ms = ms
  }

  real(): number {
    return this.#ms
  }

  now(): UtcTime {
    return toUtcTime(this.#ms)
  }

  of(productId = 0, environment: 0 | 1 = 0): number {
    if (environment === 0) return this.#ms
    return this.#sandboxes.of(productId, this.#ms) ?? this.#ms + this.#sandboxAheadMs
  }

  learn(productId: number, time: SandboxTime): void {
    this.#sandboxes.learn(productId, time)
  }

  /** How far the sandbox of every product is ahead of real time that was not learnt of. */
  setSandboxAhead(ms: number): void {
    this.#sandboxAheadMs = ms
  }

  set(ms: number): void {
    this.#ms = ms
  }

  advance(ms: number): void {
    this.#ms += ms
  }
}

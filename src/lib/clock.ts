import { isSandbox } from './environment.ts'
import { toUtcTime, type UtcTime } from './time.ts'

/** The two times of `docs/decisions.md` 5.10, in milliseconds since the epoch. */
export interface Clock {
  /** Real time: signatures, sessions, leases, delivery. */
  real(): number
  /** Real time as columns and replies have it. */
  now(): UtcTime
  /** Business time of a product; sandbox entities (environment 1) live on the product's own clock. */
  of(productId: number, environment: 0 | 1): number
  /** Takes over how a product's sandbox stands to real time, as the database says. */
  learn(productId: number, time: SandboxTime): void
}

/** A sandbox's clock: so far ahead of real time, or held at a moment while it is moved. */
export type SandboxTime = { readonly aheadMs: number } | { readonly atMs: number }

/** The clocks of sandboxes as a process knows them; none ever goes back. */
export class Sandboxes {
  readonly #times = new Map<number, SandboxTime>()
  readonly #told = new Map<number, number>()

  learn(productId: number, time: SandboxTime): void {
    this.#times.set(productId, time)
  }

  /** Undefined for a sandbox that was never moved. */
  of(productId: number, realMs: number): number | undefined {
    const time = this.#times.get(productId)
    if (time === undefined) return undefined
    const now = Math.max(
      'atMs' in time ? time.atMs : realMs + time.aheadMs,
      this.#told.get(productId) ?? Number.MIN_SAFE_INTEGER,
    )
    this.#told.set(productId, now)
    return now
  }
}

/** The machine's time, for every product, and with it the sandboxes that this process has learnt of. */
export class SystemClock implements Clock {
  readonly #sandboxes = new Sandboxes()

  real(): number {
    return Date.now()
  }

  now(): UtcTime {
    return toUtcTime(this.real())
  }

  of(productId: number, environment: 0 | 1): number {
    const real = this.real()
    return isSandbox(environment) ? (this.#sandboxes.of(productId, real) ?? real) : real
  }

  learn(productId: number, time: SandboxTime): void {
    this.#sandboxes.learn(productId, time)
  }
}

/** A clock that stands still at a moment, for every product: milliseconds since the epoch. */
export const stillClock = (ms: number): Clock => ({
  real: () => ms,
  now: () => toUtcTime(ms),
  of: () => ms,
  learn: () => {},
})

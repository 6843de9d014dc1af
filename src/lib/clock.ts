/** The two times of DECISIONS 5.10, in milliseconds since the epoch. */
export interface Clock {
  /** Real time: signatures, sessions, leases, delivery. */
  real(): number
  /** Business time of a product; sandbox entities (environment 1) live on the product's own clock. */
  of(productId: number, environment: 0 | 1): number
}

/** The machine's time, for every product and environment. */
export const systemClock: Clock = { real: () => Date.now(), of: () => Date.now() }

/** A clock that moves only when it is told to. */
export class TestClock implements Clock {
  #ms: number
  #sandboxAheadMs = 0

  constructor(ms: number) {
    this.#ms = ms
  }

  real(): number {
    return this.#ms
  }

  of(_productId = 0, environment: 0 | 1 = 0): number {
    return this.#ms + (environment === 1 ? this.#sandboxAheadMs : 0)
  }

  /** How far the sandbox of every product is ahead of real time. */
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

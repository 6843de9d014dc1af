import type { Scope } from '../../access/scope.ts'
import { tooManyRequests } from '../../lib/errors.ts'

const STREAMS_OF_CREDENTIAL = 20
const STREAMS_OF_DEVELOPER = 50
const STREAMS = 200

/** How many read: in all, of a developer, and by a credential. */
export class Readers {
  readonly #counts = new Map<string, number>()

  async admit({ developerId, actor: { credential } }: Scope, read: () => Promise<void>): Promise<void> {
    const limits = [
      ['all', STREAMS],
      [`developer:${developerId}`, STREAMS_OF_DEVELOPER],
      [`credential:${credential}`, STREAMS_OF_CREDENTIAL],
    ] as const
    if (limits.some(([who, limit]) => this.#of(who) >= limit)) throw tooManyRequests(10)
    for (const [who] of limits) this.#counts.set(who, this.#of(who) + 1)
    try {
      await read()
    } finally {
      for (const [who] of limits) {
        if (this.#of(who) > 1) this.#counts.set(who, this.#of(who) - 1)
        else this.#counts.delete(who)
      }
    }
  }

  #of(who: string): number {
    return this.#counts.get(who) ?? 0
  }
}

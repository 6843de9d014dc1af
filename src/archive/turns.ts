/** How many works there are at once, and how many of one seller are in hand and wait. */
export interface TurnLimits {
  readonly atOnce: number
  readonly ofSeller: number
  readonly waiting: number
}

interface Seller {
  inHand: number
  readonly waiting: (() => void)[]
}

/**
 * Turns at a work: sellers have them one after the other, and what one seller brings is done in its order. The first
 * work begins at once; one beside it when `beginBeside` is called.
 */
export class Turns {
  readonly #limits: TurnLimits
  /** Who was served last is the last one. */
  readonly #sellers = new Map<number, Seller>()
  #inHand = 0

  constructor(limits: TurnLimits) {
    this.#limits = limits
  }

  /** Null where as many of the seller wait as may; otherwise what resolves when the work may begin. */
  take(seller: number): Promise<void> | null {
    const one = this.#sellers.get(seller) ?? { inHand: 0, waiting: [] }
    if (one.waiting.length >= this.#limits.waiting) return null
    this.#sellers.set(seller, one)
    const { promise, resolve } = Promise.withResolvers<void>()
    one.waiting.push(resolve)
    if (this.#inHand === 0) this.#begin()
    return promise
  }

  beginBeside(): void {
    if (this.#inHand < this.#limits.atOnce) this.#begin()
  }

  /** Gives a turn back when the work has ended. */
  end(seller: number): void {
    const one = this.#sellers.get(seller)
    if (!one) throw new Error('The seller has no turn.')
    one.inHand--
    this.#inHand--
    this.#putLast(seller, one)
    this.#begin()
  }

  #begin(): void {
    for (const [id, seller] of this.#sellers) {
      const next = seller.inHand < this.#limits.ofSeller ? seller.waiting.shift() : undefined
      if (!next) continue
      seller.inHand++
      this.#inHand++
      this.#putLast(id, seller)
      next()
      return
    }
  }

  #putLast(id: number, seller: Seller): void {
    this.#sellers.delete(id)
    if (seller.inHand > 0 || seller.waiting.length > 0) this.#sellers.set(id, seller)
  }
}

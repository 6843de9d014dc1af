/** How many works there are at once, and how many of one seller are in hand and wait. */
export interface TurnLimits {
  readonly atOnce: number
  readonly ofSeller: number
  readonly waiting: number
}

interface Seller {
  inHand: number
  readonly waiting: (() => void)[]
  /** How many of them have waited long enough: the first ones. */
  impatient: number
}

/**
 * Turns at a work: sellers have them one after the other, and what one seller brings is done in its order. The first
 * work begins at once; one beside it when it has waited long enough.
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
    const one = this.#sellers.get(seller) ?? { inHand: 0, waiting: [], impatient: 0 }
    if (one.waiting.length >= this.#limits.waiting) return null
    this.#sellers.set(seller, one)
    const { promise, resolve } = Promise.withResolvers<void>()
    one.waiting.push(resolve)
    if (this.#inHand === 0) this.#begin()
    return promise
  }

  /** One more of the seller has waited long enough: its first begins beside what others do, or as soon as it may. */
  beginBeside(seller: number): void {
    const one = this.#sellers.get(seller)
    if (!one) return
    one.impatient++
    this.#beginImpatient()
  }

  /** Gives a turn back when the work has ended. */
  end(seller: number): void {
    const one = this.#sellers.get(seller)
    if (!one) throw new Error('The seller has no turn.')
    one.inHand--
    this.#inHand--
    this.#putLast(seller, one)
    this.#begin()
    this.#beginImpatient()
  }

  #beginImpatient(): void {
    let hasBegun = true
    while (hasBegun && this.#inHand < this.#limits.atOnce) hasBegun = this.#begin((one) => one.impatient > 0)
  }

  /** One of the first of these sellers that may; false where none is. */
  #begin(isMeant: (seller: Seller) => boolean = () => true): boolean {
    for (const [id, seller] of this.#sellers) {
      const may = seller.inHand < this.#limits.ofSeller && isMeant(seller)
      const next = may ? seller.waiting.shift() : undefined
      if (!next) continue
      if (seller.impatient > 0) seller.impatient--
      seller.inHand++
      this.#inHand++
      this.#putLast(id, seller)
      next()
      return true
    }
    return false
  }

  #putLast(id: number, seller: Seller): void {
    this.#sellers.delete(id)
    if (seller.inHand > 0 || seller.waiting.length > 0) this.#sellers.set(id, seller)
  }
}

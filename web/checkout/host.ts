import { frameOf, listen, send, type Frame } from '../shared/frame.ts'
import type { CheckoutResult } from './server.ts'

/** What a purchase was, as shops have it from the overlay (`CheckoutResponse` of its package). */
export interface Bought {
  readonly user: CheckoutResult['user']
  readonly purchase?: NonNullable<CheckoutResult['purchase']>
  readonly trial?: NonNullable<CheckoutResult['trial']>
}

/** What the page around this one may ask. */
export interface Asked {
  /** Close, as its own script says. */
  close(): void
  /** The buyer is about to leave the shop. */
  leaving(): void
}

/** Milliseconds for a dashboard to say which site it is of. */
const PATIENCE = 5_000

/** The page around this one, or nobody. */
export class Host {
  readonly frame: Frame | null
  #hasBought = false
  #heardContext: (data: unknown) => void = () => {}

  constructor(frame: Frame | null = frameOf(location.search, location.hash)) {
    this.frame = frame
  }

  tell(type: string, data: object | null = null): void {
    if (this.frame) send(this.frame, type, data)
  }

  track(event: string, more: object = {}): void {
    this.tell('track', { event, ...more })
  }

  /** Whether an address is one of the page around this one, so that it may be led there. */
  mayForwardTo(url: string): boolean {
    return this.frame?.mode === 'dashboard' && new URL(url).origin === this.frame.origin
  }

  /** Once, however often the result is read. */
  bought(bought: Bought): void {
    if (this.#hasBought) return
    this.#hasBought = true
    this.track('complete')
    this.tell('purchaseCompleted', bought)
  }

  /** The site that a dashboard is of, as the fields of its opt-in form; null: it does not say. */
  context(): Promise<unknown> {
    return new Promise((resolve) => {
      this.#heardContext = resolve
      setTimeout(() => resolve(null), PATIENCE)
      this.tell('get_context')
    })
  }

  hear(asked: Asked): () => void {
    if (!this.frame) return () => {}
    return listen(this.frame, (type, data) => {
      if (type === 'close') asked.close()
      if (type === 'exit_intent') asked.leaving()
      if (type === 'context') this.#heardContext(data)
    })
  }
}

export const boughtIn = ({ user, purchase, trial }: CheckoutResult): Bought => ({
  user,
  ...(purchase !== null && { purchase }),
  ...(purchase === null && trial !== null && { trial }),
})

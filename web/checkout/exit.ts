import { boughtIn } from './host.ts'
import { webAddress } from '../shared/web-address.ts'
import type { Page } from './page.ts'

/** Milliseconds for which a checkout that is to be closed waits for what is being paid. */
const PATIENCE = 10_000

/** How a checkout ends: it is closed, left, or over after it was bought. */
export class Exit {
  readonly #page: Page
  #hasOffered = false
  /** Whether who declines the offer leaves, or only seemed about to. */
  #leavesAfterOffer = false
  #isDeciding = false
  #ending: ReturnType<typeof setTimeout> | undefined

  constructor(page: Page) {
    this.#page = page
  }

  /** Closes, unless a discount is offered first, or it is being paid: nobody is told then that it was not bought. */
  close(by: 'buyer' | 'shop' = 'buyer'): void {
    const { phase } = this.#page.state
    if (phase === 'paid') return this.finish()
    if (phase === 'paying' || phase === 'waiting' || phase === 'confirming') {
      void this.#closeDecided(by)
      return
    }
    this.#leavesAfterOffer = this.offer()
    if (!this.#leavesAfterOffer) this.leave()
  }

  /** Once it is known how the payment stands; a buyer is shown what was bought, a shop gets its page back. */
  async #closeDecided(by: 'buyer' | 'shop'): Promise<void> {
    if (this.#isDeciding) return
    this.#isDeciding = true
    await Promise.race([this.#page.decided(), new Promise((resolve) => setTimeout(resolve, PATIENCE))])
    this.#isDeciding = false
    if (this.#page.state.phase !== 'paid') this.leave()
    else if (by === 'shop') this.finish()
  }

  /** Offers the discount for who leaves, once; whether there is one. */
  offer(): boolean {
    const { state, host, store } = this.#page
    const offer = state.checkout?.exit_intent
    if (this.#hasOffered || state.phase !== 'open' || !offer) return false
    this.#hasOffered = true
    host.track('exit-intent-shown')
    store.set({ isLeaving: true })
    this.#ending = setTimeout(() => this.#endOffer(), offer.seconds * 1000)
    return true
  }

  /** Its time is over, and nobody has decided. */
  #endOffer(): void {
    this.#page.host.track('exit-intent-promotion-ended')
    this.#goOn()
  }

  async takeOffer(): Promise<void> {
    const { state, host, store } = this.#page
    const offer = state.checkout?.exit_intent
    clearTimeout(this.#ending)
    store.set({ isLeaving: false })
    host.track('exit-intent-discount-applied')
    if (offer) await this.#page.useCoupon(offer.code)
  }

  declineOffer(): void {
    const { host } = this.#page
    clearTimeout(this.#ending)
    host.track('exit-intent-canceled')
    host.track('exit-intent-discount-canceled')
    this.#goOn()
  }

  /** With what the offer came in between. */
  #goOn(): void {
    this.#page.store.set({ isLeaving: false })
    if (this.#leavesAfterOffer) this.leave()
  }

  /** Closes without buying. */
  leave(): void {
    this.#page.host.tell('canceled')
    this.#goBack()
  }

  /** Closes after buying. */
  finish(): void {
    const { result } = this.#page.state
    if (result) this.#page.host.tell('upgraded', boughtIn(result))
    this.#goBack()
  }

  /** Whether there is a page to go back to: a link that opened a tab of its own leaves none. */
  get hasWayBack(): boolean {
    const { mode } = this.#page.address
    return mode === 'dialog' || (mode === 'page' && (this.#backTo() !== null || history.length > 1))
  }

  #goBack(): void {
    if (this.#page.address.mode !== 'page') return
    const to = this.#backTo()
    if (to === null) history.back()
    else location.assign(to)
  }

  /** The address that the way back leads to; null: it is the page before this one. */
  #backTo(): string | null {
    const { cancelUrl } = this.#page.address
    return cancelUrl ?? (history.length > 1 ? null : webAddress(document.referrer))
  }
}

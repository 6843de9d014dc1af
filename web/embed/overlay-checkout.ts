import { Checkout, type CheckoutOptions } from '@freemius/checkout'

/** What a shop passes: options of the checkout, and functions to call. */
export type Options = Readonly<Record<string, unknown>>

/** Where the script that runs was loaded from, which is where the checkout is too. */
export const originOf = (script: unknown): string =>
  new URL(script instanceof HTMLScriptElement && script.src !== '' ? script.src : location.href).origin

/** What a page in a frame may do only where the page around it says so: wallets, and the copy button. */
const ALLOWED = 'payment *; clipboard-write *'

let isAnyOpen = false

/** Whether a checkout was opened in this page. */
export const wasOpened = (): boolean => isAnyOpen

/** The overlay: that of the package, in a frame that may use wallets. */
class OverlayCheckout extends Checkout {
  override async open(...given: Parameters<Checkout['open']>): Promise<void> {
    isAnyOpen = true
    const opening = super.open(...given)
    this.#allow()
    await opening
    this.#allow()
  }

  #allow(): void {
    document.getElementById(`fs-checkout-page-${this.getGuid()}`)?.setAttribute('allow', ALLOWED)
  }
}

/** The overlay as shops make it (`new FS.Checkout(options)`), which opens the checkout of this server. */
export const overlayOf = (origin: string) =>
  class extends OverlayCheckout {
    constructor(options: CheckoutOptions, recoversCart = true, baseUrl: string | null = origin) {
      super(options, recoversCart, baseUrl)
    }
  }

export type Overlay = ReturnType<typeof overlayOf>

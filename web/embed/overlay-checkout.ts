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
    if (!document.body) {
      await new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve, { once: true }))
    }
    await allowingFrames(() => super.open(...given))
  }
}

/** What a frame may do is settled as it begins to load, so that it has to be said as the package makes it. */
function allowingFrames<T>(work: () => T): T {
  const { createElement } = document
  document.createElement = (...given: Parameters<typeof createElement>) => {
    const element = createElement.apply(document, given)
    if (element instanceof HTMLIFrameElement) element.allow = ALLOWED
    return element
  }
  try {
    return work()
  } finally {
    Reflect.deleteProperty(document, 'createElement')
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

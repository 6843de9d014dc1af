import { Logger, postman, type CheckoutPopupEvents } from '@freemius/checkout'
import { openButtons } from './buttons.ts'
import { openLinks } from './links.ts'
import { originOf, overlayOf, type Overlay } from './overlay-checkout.ts'

interface Shop {
  Checkout?: Overlay
  postman?: typeof postman
  Logger?: typeof Logger
  /** What a shop wants to hear of a payment that a link asked for. */
  paymentMethodUpdateEvents?: Partial<CheckoutPopupEvents>
}

declare global {
  interface Window {
    FS?: Shop
  }
}

const Checkout = overlayOf(originOf(document.currentScript))
const shop = (window.FS ??= {})
Object.assign(shop, { Checkout, postman, Logger })
openButtons(Checkout)
openLinks(Checkout, () => shop.paymentMethodUpdateEvents)

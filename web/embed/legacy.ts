import type { CheckoutOptions } from '@freemius/checkout'
import { openLinks } from './links.ts'
import { originOf, overlayOf, type Options } from './overlay-checkout.ts'

const origin = originOf(document.currentScript)
const Checkout = overlayOf(origin)
type OpenOptions = Parameters<InstanceType<typeof Checkout>['open']>[0]

/** `FS.Checkout` as shops had it before it was a class: one checkout of the page, configured once. */
class LegacyCheckout {
  #checkout: InstanceType<typeof Checkout> | null = null
  #options: Options = {}

  configure(options: Options, baseUrl: string = origin): this {
    this.#checkout ??= new Checkout(options as CheckoutOptions, true, baseUrl)
    this.#options = options
    return this
  }

  open(options: Options = {}): void {
    if (!this.#checkout) this.configure(options)
    void this.#checkout?.open({ ...this.#options, ...options } as OpenOptions)
  }

  close(): void {
    this.#checkout?.close()
  }

  clearOptions(): void {
    this.#options = {}
  }

  getGuid(): string | undefined {
    return this.#checkout?.getGuid()
  }
}

const global = window as unknown as { FS?: { Checkout?: unknown; paymentMethodUpdateEvents?: object } }
const shop = (global.FS ??= {})
shop.Checkout = new LegacyCheckout()
openLinks(Checkout, () => shop.paymentMethodUpdateEvents)

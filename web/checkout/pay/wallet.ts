import type { PaymentForm } from './form.ts'

/** Wallets whose owners confirm at the wallet's own site, by the codes of their gateways. */
export const WALLETS: Readonly<Record<string, string>> = { paypal: 'PayPal' }

const LOOK = 'popup,width=480,height=720'

/**
 * A payment by a wallet: its owner signs in and confirms in a window of its own. Where that is blocked, the page has a
 * link to the same place.
 */
export class WalletForm implements PaymentForm {
  readonly #gateway: string
  #window: Window | null = null

  constructor(gateway: string) {
    this.#gateway = gateway
  }

  async token() {
    return { payment_token: this.#gateway, gateway: this.#gateway }
  }

  begin(): void {
    this.#window = open('about:blank', 'keywright-wallet', LOOK)
  }

  lead(address: string | null): void {
    const place = this.#window
    if (!place || place.closed) return
    if (address === null) place.close()
    else place.location.href = address
  }
}

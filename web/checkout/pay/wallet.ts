import type { CameBack, Load, PaymentForm } from './form.ts'

/** Wallets whose owners confirm at the wallet's own site, by the codes of their gateways. */
export const WALLETS: Readonly<Record<string, string>> = { paypal: 'PayPal' }

/** Those whose own script can show a button, each loaded when it is shown. */
export const BUTTONS: Readonly<Record<string, () => Promise<{ load: Load }>>> = {
  paypal: () => import('./paypal.ts'),
}

const LOOK = 'popup,width=480,height=720'

/**
 * A payment by a wallet: its owner signs in and confirms in a window of its own. Where that is blocked, the page has a
 * link to the same place.
 */
export class WalletForm implements PaymentForm {
  readonly wallet: string
  #window: Window | null = null

  constructor(gateway: string) {
    this.wallet = gateway
  }

  async token() {
    return { payment_token: this.wallet, gateway: this.wallet }
  }

  begin(): void {
    this.#window = open('about:blank', 'keywright-wallet', LOOK)
  }

  lead(address: string | null): Promise<CameBack> | null {
    const place = this.#window
    if (place && !place.closed) {
      if (address === null) place.close()
      else place.location.href = address
    }
    return null
  }
}

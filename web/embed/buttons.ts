import type { CheckoutOptions } from '@freemius/checkout'
import type { Overlay } from './overlay-checkout.ts'

/** What makes a button of anything: `<a data-keywright-product="12" data-plan-id="34">Buy</a>`. */
const BUTTON = '[data-keywright-product]'

/** Opens the checkout of the button that is pressed, with its `data-` attributes as options. */
export function openButtons(Checkout: Overlay): void {
  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>(BUTTON) : null
    if (!button || event.defaultPrevented) return
    event.preventDefault()
    void new Checkout(optionsOf(button), false).open()
  })
}

/** `data-billing-cycle` is the option `billing_cycle`. */
function optionsOf({ dataset }: HTMLElement): CheckoutOptions {
  const { keywrightProduct = '', ...others } = dataset
  const options = Object.entries(others).map(([name, value]) => [
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ])
  return { ...Object.fromEntries(options), product_id: keywrightProduct }
}

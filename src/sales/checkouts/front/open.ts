/** Opening a checkout. */
export { openCheckout } from '../open-checkout.ts'
export type { CheckoutOpen } from '../schema.ts'
export { sandboxToken } from '../signatures.ts'

/** Addresses that lead to a checkout, for mails and for sellers. */
export { checkoutAddress } from '../address.ts'
export { paymentMethodLink, planLink, renewalLink } from '../license-links.ts'

/** Addresses that lead to a checkout, for mails and for sellers. */
export { cartAddress, checkoutAddress, checkoutBase } from '../address.ts'
export { paymentMethodLink, planLink, renewalLink } from '../license-links.ts'

/** Settling a checkout once, whatever its gateway says of its charge, and when. */
export { boughtSince } from '../bought-since.ts'
export { endPaying, findCheckoutRow, findOffer, payAfterAll } from '../queries.ts'
export { paymentOf } from '../sale.ts'
export { settleCheckout } from '../settle-checkout.ts'
export { boundTo } from '../site-of-checkout.ts'

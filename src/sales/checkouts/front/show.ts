/** What a checkout says of its buyer and its price, and what it keeps for them. */
export type { Asked, Kept, Priced } from '../action.ts'
export { isProvenBuyer, isUnprovenGift } from '../buyer.ts'
export { guard, hasGuard, PAYING_HELD_MS, unguard } from '../guard-queries.ts'
export { appliedCoupon, emailOf, factsOfBuyer } from '../quote.ts'
export type { CheckoutRow } from '../schema.ts'
export { paymentForm, PaymentForm } from '../payment-form.ts'
export { WAIVER } from '../waiver.ts'

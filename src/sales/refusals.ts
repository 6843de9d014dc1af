import type { Refusal } from '../lib/errors.ts'

/** What carts, checkouts, payments and subscriptions are the reason of. */
export const SALES_REFUSALS = {
  already_purchased: {
    status: 400,
    says: 'The same was bought less than a minute ago, or its payment is still under way.',
  },
  cart_changed: { status: 409, says: 'The cart was changed at the same time.' },
  cart_completed: { status: 400, says: 'What was in the cart was bought.' },
  cart_email_taken: { status: 400, says: 'Another open cart with this address was mailed about.' },
  cart_unsubscribed: { status: 400, says: 'The buyer wants no mails about the cart.' },
  checkout_closed: { status: 400, says: 'The checkout is being paid, or was.' },
  checkout_in_progress: { status: 400, says: 'The checkout is being paid at this moment.' },
  checkout_not_paid: { status: 400, says: 'The checkout is not paid.' },
  checkout_repriced: {
    status: 400,
    says: 'What the checkout costs has changed, so that its price must be looked at again.',
  },
  coupon_already_used: { status: 400, says: 'The buyer, or the license, has used the coupon already.' },
  coupon_expired: { status: 400, says: 'The coupon has expired.' },
  coupon_inactive: { status: 400, says: 'The coupon is not active.' },
  coupon_not_applicable: {
    status: 400,
    says: 'The coupon takes nothing off this purchase or these renewals.',
  },
  coupon_not_found: { status: 400, says: 'There is no coupon with this code or id.' },
  coupon_not_started: { status: 400, says: 'The coupon is not valid yet.' },
  coupon_used_up: { status: 400, says: 'The coupon has no redemptions left.' },
  invalid_authorization: {
    status: 400,
    says: 'The authorization for the license is missing, wrong, or older than a day.',
  },
  invalid_cart_token: { status: 400, says: 'The token of the cart is wrong, or too old.' },
  invalid_refund_amount: { status: 400, says: 'The amount of a refund is none that its currency has.' },
  invalid_sandbox_token: {
    status: 400,
    says: 'The token of the sandbox is wrong, its time is over, or the license is not of the sandbox.',
  },
  invalid_user_token: {
    status: 400,
    says: 'The token of the user is wrong, older than a minute, or another checkout was paid with it.',
  },
  license_change_in_progress: { status: 400, says: 'The license is being changed in another checkout.' },
  license_lifetime: { status: 400, says: 'The license is for life, so that nothing renews it.' },
  no_dispute: { status: 400, says: 'The payment is not disputed.', elsewhere: 'what is disputed by command' },
  no_subscription: { status: 400, says: 'The license has no active subscription.' },
  owner_required: { status: 400, says: 'A change that costs nothing is for the owner of the license.' },
  payment_confirmation_failed: {
    status: 400,
    says: 'The buyer did not confirm the payment, or not rightly.',
  },
  payment_confirmation_needed: {
    status: 400,
    says: 'The bank wants the owner of the method of payment to confirm.',
  },
  payment_declined: { status: 400, says: 'The bank declined the payment.' },
  payment_expired: { status: 400, says: 'The card has expired.' },
  payment_external_id_taken: { status: 400, says: 'The product has a payment with this id at the gateway.' },
  payment_insufficient_funds: { status: 400, says: 'There is not enough money for the payment.' },
  payment_invalid_method: { status: 400, says: 'The gateway has no such method of payment.' },
  payment_not_refundable: {
    status: 400,
    says: 'Only a payment can be refunded or disputed, not what undoes one.',
  },
  price_not_sold: { status: 400, says: 'The price is not sold by this cycle any more.' },
  refund_exceeds_payment: { status: 400, says: 'A refund cannot exceed what is left of its payment.' },
  refund_refused: { status: 400, says: 'The payment gateway refused the refund.' },
  payment_under_way: { status: 400, says: 'A payment of the user is under way.' },
  renewal_in_progress: { status: 400, says: 'The license is being renewed at this moment.' },
  subscription_active: {
    status: 400,
    says: 'The license is renewed by a subscription already, or its id at the gateway is taken.',
  },
  subscription_cancelled: { status: 400, says: 'The subscription is cancelled.' },
  subscription_not_resumable: {
    status: 400,
    says: 'The subscription was cancelled, and cannot go on as it was.',
  },
  waiver_required: {
    status: 400,
    says: 'A consumer of the EU has not agreed to be given access at once, and so to lose the right to withdraw.',
  },
} as const satisfies Readonly<Record<string, Refusal>>

type SalesRefusals = typeof SALES_REFUSALS
declare module '../lib/errors.ts' {
  interface Refusals extends SalesRefusals {}
}

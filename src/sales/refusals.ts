import type { Refusal } from '../lib/errors.ts'

/** What carts, checkouts, payments and subscriptions are the reason of. */
export const SALES_REFUSALS = {
  already_purchased: {
    status: 400,
    says: 'The same was bought less than a minute ago, or its payment is still under way.',
    help: 'Look at what was bought; to buy the same once more, wait a minute.',
  },
  cart_changed: { status: 409, says: 'The cart was changed at the same time.', help: 'Send it again.' },
  cart_completed: { status: 400, says: 'What was in the cart was bought.', help: 'Open another checkout.' },
  cart_email_taken: {
    status: 400,
    says: 'Another open cart with this address was mailed about.',
    help: 'Use the cart that is there.',
  },
  cart_unsubscribed: {
    status: 400,
    says: 'The buyer wants no mails about the cart.',
    help: 'Nothing is to be done: only the buyer can change that.',
  },
  checkout_closed: {
    status: 400,
    says: 'The checkout is being paid, or was.',
    help: 'Open another checkout, or ask for the state of this one.',
  },
  checkout_in_progress: {
    status: 400,
    says: 'The checkout is being paid at this moment.',
    help: 'Ask for the state of the checkout until it is decided.',
  },
  checkout_not_paid: { status: 400, says: 'The checkout is not paid.', help: 'Ask again when it is paid.' },
  checkout_repriced: {
    status: 400,
    says: 'What the checkout costs has changed, so that its price must be looked at again.',
    help: 'Show the buyer what it costs now, and pay again with that.',
  },
  coupon_already_used: {
    status: 400,
    says: 'The buyer, or the license, has used the coupon already.',
    help: 'Buy without it, or use another one.',
  },
  coupon_expired: {
    status: 400,
    says: 'The coupon has expired.',
    help: 'Use another one; the seller can let it end later.',
  },
  coupon_inactive: {
    status: 400,
    says: 'The coupon is not active.',
    help: 'Use another one; the seller can switch it on.',
  },
  coupon_not_applicable: {
    status: 400,
    says: 'The coupon takes nothing off this purchase or these renewals.',
    help: 'Look at the plans, cycles, numbers of licenses and currencies that the coupon is for.',
  },
  coupon_not_found: {
    status: 400,
    says: 'There is no coupon with this code or id.',
    help: 'Compare the code letter by letter, and the product that it is for.',
  },
  coupon_not_started: {
    status: 400,
    says: 'The coupon is not valid yet.',
    help: 'Wait for its first day; the seller can let it begin earlier.',
  },
  coupon_used_up: {
    status: 400,
    says: 'The coupon has no redemptions left.',
    help: 'Use another one; the seller can allow more redemptions.',
  },
  invalid_authorization: {
    status: 400,
    says: 'The authorization for the license is missing, wrong, or older than a day.',
    help: 'Ask for another authorization of the license, or send its key.',
  },
  invalid_cart_token: {
    status: 400,
    says: 'The token of the cart is wrong, or too old.',
    help: 'Follow the link of the last mail about the cart, or open another checkout.',
  },
  invalid_refund_amount: {
    status: 400,
    says: 'The amount of a refund is none that its currency has.',
    help: 'Send a whole number of what the currency counts in, above zero.',
  },
  invalid_sandbox_token: {
    status: 400,
    says: 'The token of the sandbox is wrong, its time is over, or the license is not of the sandbox.',
    help: 'Make another token by `keywright sandbox token`, and use a license that was bought in the sandbox.',
  },
  invalid_user_token: {
    status: 400,
    says: 'The token of the user is wrong, older than a minute, or another checkout was paid with it.',
    help: 'Ask for another token right before the checkout is opened.',
  },
  license_change_in_progress: {
    status: 400,
    says: 'The license is being changed in another checkout.',
    help: 'Finish the other checkout, or wait until it is decided.',
  },
  license_lifetime: {
    status: 400,
    says: 'The license is for life, so that nothing renews it.',
    help: 'Nothing is to be done: it does not end.',
  },
  no_dispute: {
    status: 400,
    says: 'The payment is not disputed.',
    help: 'Look at the disputes of the payment.',
    elsewhere: 'what is disputed by command',
  },
  no_subscription: {
    status: 400,
    says: 'The license has no active subscription.',
    help: 'Buy a renewal in the checkout; it begins another subscription.',
  },
  owner_required: {
    status: 400,
    says: 'A change that costs nothing is for the owner of the license.',
    help: 'Let the owner do it, by the key of the license or a link into the portal.',
  },
  payment_confirmation_failed: {
    status: 400,
    says: 'The buyer did not confirm the payment, or not rightly.',
    help: 'Let the buyer confirm again, or pay by another method.',
  },
  payment_confirmation_needed: {
    status: 400,
    says: 'The bank wants the owner of the method of payment to confirm.',
    help: 'Let the owner confirm on the page that the bank shows, or pay by another method.',
  },
  payment_declined: {
    status: 400,
    says: 'The bank declined the payment.',
    help: 'Pay by another method, or ask the bank for the reason.',
  },
  payment_expired: { status: 400, says: 'The card has expired.', help: 'Pay by a card that is valid.' },
  payment_external_id_taken: {
    status: 400,
    says: 'The product has a payment with this id at the gateway.',
    help: 'Look at the payment that is there; it was brought along already.',
  },
  payment_insufficient_funds: {
    status: 400,
    says: 'There is not enough money for the payment.',
    help: 'Pay by another method, or later.',
  },
  payment_invalid_method: {
    status: 400,
    says: 'The gateway has no such method of payment.',
    help: 'Let the buyer enter the method again, and send the token of that.',
  },
  payment_not_refundable: {
    status: 400,
    says: 'Only a payment can be refunded or disputed, not what undoes one.',
    help: 'Refund the payment that it belongs to.',
  },
  price_not_sold: {
    status: 400,
    says: 'The price is not sold by this cycle any more.',
    help: 'Choose a cycle that the price is sold by.',
  },
  refund_exceeds_payment: {
    status: 400,
    says: 'A refund cannot exceed what is left of its payment.',
    help: 'Refund at most what the payment has left.',
  },
  refund_refused: {
    status: 400,
    says: 'The payment gateway refused the refund.',
    help: 'Look at the payment in the dashboard of the gateway; the message has what it said.',
  },
  payment_under_way: {
    status: 400,
    says: 'A payment of the user is under way.',
    help: 'Send it again when the payment is decided.',
  },
  renewal_in_progress: {
    status: 400,
    says: 'The license is being renewed at this moment.',
    help: 'Wait until the renewal is decided.',
  },
  subscription_active: {
    status: 400,
    says: 'The license is renewed by a subscription already, or its id at the gateway is taken.',
    help: 'Cancel the subscription that is there first, or send the id that this one has at the gateway.',
  },
  subscription_cancelled: {
    status: 400,
    says: 'The subscription is cancelled.',
    help: 'Resume it while its license runs, or buy the license again.',
  },
  subscription_not_resumable: {
    status: 400,
    says: 'The subscription was cancelled, and cannot go on as it was.',
    help: 'Buy the license again.',
  },
  waiver_required: {
    status: 400,
    says: 'A consumer of the EU has not agreed to be given access at once, and so to lose the right to withdraw.',
    help: 'Show the consent to the buyer, and send `is_waiver_accepted` when it is given.',
  },
} as const satisfies Readonly<Record<string, Refusal>>

type SalesRefusals = typeof SALES_REFUSALS
declare module '../lib/errors.ts' {
  interface Refusals extends SalesRefusals {}
}

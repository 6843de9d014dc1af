import { OTHER_CURRENCIES, OTHER_CYCLES } from './fit.ts'
import type { NoFit } from './map.ts'

/** What WooCommerce has that does not come, or comes otherwise. */
export const NO_FIT: readonly NoFit[] = [
  {
    what: 'methods of payment other than cards at Stripe and wallets of PayPal Payments',
    why: 'a card is `_stripe_customer_id` with `_stripe_source_id`, where that is `pm_…`, and a wallet the first of the person in `woocommerce_payment_tokens`; sources and cards of before (`src_…`, `card_…`), cards at PayPal, Venmo and what other gateways have come with `--payment-methods`, by the numbers of the subscriptions. A subscription that PayPal charges by itself (`ppcp_subscription`) has no token: it is paid there until its buyer stores a method here',
  },
  {
    what: 'orders of several things',
    why: 'come as one payment of the first one, with what all of it cost',
  },
  { what: 'ends of licenses', why: 'the Software Add-on has none: a license is for life' },
  { what: 'licenses of other add-ons', why: 'bring them as files (`licenses.csv`), after the shop' },
  { what: 'subscriptions on hold', why: 'have no next payment here' },
  OTHER_CYCLES,
  {
    what: 'coupons for some products or above an amount, and those of subscriptions',
    why: '`limited_to_products`, `minimum_amount`, `of_subscriptions`',
  },
  { what: 'coupons of an amount in another currency than US dollars', why: '`other_currency`' },
  { what: 'bodies of products, downloads, reviews, shipping and stock', why: 'have no table here' },
  OTHER_CURRENCIES,
]

import { always, fixed, matching, meta, NONE, via, when, words, type Take } from './map.ts'

export const ordermeta = meta('wc_orders_meta', 'order_id')

/** Of a subscription that the shop charges with a wallet; PayPal charges by itself those that are subscriptions there. */
const ofWallet = (take: Take): Take =>
  when('payment_method', ['ppcp-gateway'], when(ordermeta('ppcp_subscription', 'id'), [''], take, NONE), NONE)

/** Of several wallets of a person the shop charges the first. */
const vaultId = via('woocommerce_payment_tokens', 'user_id', 'customer_id', 'token', {
  where: ['type', 'PayPal'],
})

/** With what the shop renews a subscription: a card at Stripe, or a wallet that PayPal has stored. */
export const METHODS = {
  method_gateway: when('payment_method', ['stripe'], fixed('stripe'), ofWallet(fixed('paypal'))),
  method_kind: when('payment_method', ['stripe'], fixed('card'), ofWallet(fixed('paypal'))),
  method_token: when(
    'payment_method',
    ['stripe'],
    matching(
      words(ordermeta('_stripe_customer_id', 'id'), ordermeta('_stripe_source_id', 'id'), always('card')),
      /^cus_\w+ pm_\w+ card$/,
    ),
    ofWallet(matching(words(always('vault'), vaultId), /^vault [\w-]{1,36}$/)),
  ),
} as const satisfies Readonly<Record<string, Take>>

import type { Gateway, GatewayEvent, Webhook } from '../src/gateways/gateway.ts'
import { guarded } from '../src/gateways/guarded.ts'
import { paypalGateway } from '../src/gateways/paypal/gateway.ts'
import { stripeGateway } from '../src/gateways/stripe/gateway.ts'
import { testGateway } from '../src/gateways/test/gateway.ts'
import { SECOND } from '../src/lib/time.ts'
import { withBuyers } from './paypal/buyers.ts'
import { reportedCapture } from './paypal/reports.ts'
import { startPaypal } from './paypal/server.ts'
import { startStripe } from './stripe/server.ts'
import { testWebhook } from './test-webhook.ts'

/** What a gateway brings to be tested by the suite. */
interface Candidate {
  readonly name: string
  readonly gateway: Gateway
  /** Tokens with which it does these things. */
  readonly tokens: Readonly<
    Record<
      'paid' | 'declined' | 'confirmed' | 'unconfirmed' | 'unreachable' | 'declinedLater' | 'disputed',
      string
    >
  >
  /** Signed as the gateway signs; by somebody else when `isForged`. */
  report(event: GatewayEvent, options: { now: number; isForged?: boolean }): Webhook
}

const secret = 'the secret of the webhooks'

/** Every gateway of the server, as `src/gateways/contract.test.ts` tests it; `close` ends what they speak to. */
export async function startCandidates() {
  const [stripe, paypal] = [await startStripe(), await startPaypal()]
  const bare: readonly Candidate[] = [
    {
      name: 'test',
      gateway: testGateway({ webhookSecret: secret, slowMs: 20 }),
      tokens: {
        paid: 'test_succeeds',
        declined: 'test_declined',
        confirmed: 'test_needs_confirmation',
        unconfirmed: 'test_confirmation_failed',
        unreachable: 'test_unreachable',
        declinedLater: 'test_renewal_declined',
        disputed: 'test_disputed',
      },
      report: (event, { now, isForged }) => testWebhook(isForged ? `not ${secret}` : secret, { event, now }),
    },
    {
      name: 'stripe',
      gateway: stripeGateway(stripe.config, { timeoutMs: 5 * SECOND, retries: 1 }),
      tokens: {
        paid: 'pm_card_visa',
        declined: 'pm_card_chargeDeclined',
        confirmed: 'pm_card_threeDSecure2Required',
        unconfirmed: 'pm_card_threeDSecureFailed',
        unreachable: 'pm_unreachable',
        declinedLater: 'pm_card_chargeCustomerFail',
        disputed: 'pm_card_createDispute',
      },
      report: ({ id, chargeId }, options) =>
        stripe.webhook(
          'payment_intent.succeeded',
          { object: 'payment_intent', id: chargeId },
          { id, ...options },
        ),
    },
    {
      name: 'paypal',
      gateway: withBuyers(
        paypalGateway(paypal.config, { timeoutMs: 5 * SECOND, retries: 1, pauseMs: 5 }),
        paypal.books,
      ),
      tokens: {
        paid: 'wallet_paid',
        declined: 'wallet_declined',
        confirmed: 'wallet_confirmed',
        unconfirmed: 'wallet_unconfirmed',
        unreachable: 'wallet_unreachable',
        declinedLater: 'wallet_declined_later',
        disputed: 'wallet_disputed',
      },
      report: ({ id, at, chargeId }, options) =>
        paypal.signed(reportedCapture(paypal.books, chargeId, { id, at }), options),
    },
  ]
  const candidates = bare.map((one) => ({ ...one, gateway: guarded(one.gateway) }))
  const close = () => [stripe, paypal].forEach((one) => one.close())
  return { candidates, close }
}

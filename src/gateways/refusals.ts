import type { Refusal } from '../lib/errors.ts'

/** What a payment gateway is the reason of. */
export const GATEWAYS_REFUSALS = {
  gateway_not_configured: {
    status: 400,
    says: 'There is no payment gateway for this payment.',
    help: 'Set a payment gateway up for the product, in live or in the sandbox as the payment is.',
  },
  gateway_refused: {
    status: 503,
    says: 'The payment gateway would not listen; nothing was charged.',
    help: 'Try again later; where it stays so, compare the keys of the gateway and read the log of the server.',
  },
  gateway_unreachable: {
    status: 503,
    says: 'The payment gateway does not answer, so it is not known yet whether it was done.',
    help: 'Send the same again after what Retry-After says; nothing is charged twice.',
  },
  invalid_signature: {
    status: 401,
    says: 'What came to the address of a gateway is not signed by it, or was signed too long ago.',
    help: 'Compare the secret that the gateway signs with to the configured one, and the clock of the server.',
    elsewhere: 'the addresses that gateways call',
  },
} as const satisfies Readonly<Record<string, Refusal>>

type GatewaysRefusals = typeof GATEWAYS_REFUSALS
declare module '../lib/errors.ts' {
  interface Refusals extends GatewaysRefusals {}
}

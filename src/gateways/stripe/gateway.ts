import type { StripeConfig } from '../../lib/stripe-settings.ts'
import type { Gateway } from '../gateway.ts'
import { cancel } from './cancel.ts'
import { check } from './check.ts'
import { charge, chargeStored, findCharge, retrieveCharge } from './charges.ts'
import { AT_ONCE, PATIENCE, refusing, stripeClient, type Patience } from './client.ts'
import { findRefund, refund } from './refunds.ts'
import { findSetUp, retrieveSetUp, setUp } from './set-ups.ts'
import { readWebhook } from './webhooks.ts'

/** What Stripe's form needs, as its own documents list it. */
const LOADS = {
  scripts: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  connects: ['https://api.stripe.com'],
  frames: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  styles: [],
} as const

/**
 * Stripe, by its own library: payment intents, setup intents, refunds, disputes. A live key takes live payments,
 * a test key those of the sandbox. Stripe forgets keys after a day; charges and refunds carry theirs as metadata, by
 * which they are found after it.
 */
export function stripeGateway(config: StripeConfig, patience: Patience = PATIENCE): Gateway {
  const stripe = stripeClient(config, patience)
  return {
    code: 'stripe',
    environments: [config.secretKey.includes('_live_') ? 0 : 1],
    offered: config.offered,
    form: {
      publishableKey: config.publishableKey ?? null,
      methods: ['card', 'paypal', 'ideal'],
      loads: LOADS,
      tokens: [],
    },
    charge: (request) => refusing(charge(stripe, request)),
    setUp: (request) => refusing(setUp(stripe, request)),
    chargeStored: (request) => refusing(chargeStored(stripe, request)),
    refund: (request) => refund(stripe, request),
    retrieveCharge: (externalId) => retrieveCharge(stripe, externalId),
    retrieveSetUp: (externalId) => retrieveSetUp(stripe, externalId),
    cancel: (externalId) => cancel(stripe, externalId),
    byKey: {
      charge: (key) => findCharge(stripe, key),
      refund: (request) => findRefund(stripe, request),
      setUp: (key, begun) => findSetUp(stripe, key, begun),
    },
    check: (isOurs) => check(stripeClient(config, AT_ONCE), isOurs),
    readWebhook: (webhook) => readWebhook({ stripe, secret: config.webhookSecret }, webhook),
  }
}

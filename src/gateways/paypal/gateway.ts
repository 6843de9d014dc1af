import type { PaypalConfig } from '../../lib/paypal-settings.ts'
import { DAY, HOUR } from '../../lib/time.ts'
import type { Gateway } from '../gateway.ts'
import { check } from './check.ts'
import { cancelCharge, charge, chargeStored, retrieveCharge } from './charges.ts'
import { AT_ONCE, PATIENCE, paypalClient, refusing, type Patience } from './client.ts'
import { findCharge, shownCharge } from './find-charge.ts'
import { findRefund, refund } from './refunds.ts'
import { cancelSetUp, isSetUp, retrieveSetUp, setUp } from './set-ups.ts'
import { readWebhook } from './webhooks.ts'

/** PayPal keeps the keys of orders for six hours. */
const KEYS_MS = 5 * HOUR

/** It lists what it reported for 30 days. */
const FOUND_FOR_MS = 29 * DAY

/** What PayPal's button needs, as its own documents list it; of what stands in the page its styles alone. */
const LOADS = {
  scripts: ['https://*.paypal.com', 'https://*.paypalobjects.com'],
  connects: ['https://*.paypal.com', 'https://*.paypalobjects.com'],
  frames: ['https://*.paypal.com'],
  styles: ["'unsafe-inline'"],
} as const

/**
 * PayPal: orders that a buyer approves there, its vault for renewals, setup tokens, refunds, disputes. A charge is an
 * order; it is captured when we see that it was approved, and never after it was ended.
 */
export function paypalGateway(config: PaypalConfig, patience: Patience = PATIENCE): Gateway {
  const paypal = paypalClient(config, patience)
  const { webhookId, mode, clientId, hasButton = false } = config
  return {
    code: 'paypal',
    environments: [mode === 'live' ? 0 : 1],
    offered: config.offered,
    isWallet: true,
    form: { publishableKey: hasButton ? clientId : null, methods: ['paypal'], loads: LOADS, tokens: [] },
    keysLastMs: KEYS_MS,
    foundForMs: FOUND_FOR_MS,
    charge: (request) => refusing(charge(paypal, request)),
    setUp: (request) => refusing(setUp(paypal, request)),
    chargeStored: (request) => refusing(chargeStored(paypal, request)),
    refund: (request) => refund(paypal, request),
    retrieveCharge: (externalId) => retrieveCharge(paypal, externalId),
    retrieveSetUp: (externalId) => retrieveSetUp(paypal, externalId),
    cancel: (externalId) =>
      isSetUp(externalId) ? cancelSetUp(paypal, externalId) : cancelCharge(paypal, externalId),
    byKey: {
      charge: (key, begun) => findCharge(paypal, { webhookId, key, begun }),
      shown: (key, shownId) => shownCharge(paypal, key, shownId),
      refund: (request) => findRefund(paypal, request),
    },
    check: (isOurs) => check(paypalClient(config, AT_ONCE), webhookId, isOurs),
    readWebhook: (webhook) => readWebhook({ paypal, webhookId }, webhook),
  }
}

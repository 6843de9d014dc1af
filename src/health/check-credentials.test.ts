import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { startPaypal } from '../../test/paypal/server.ts'
import { startStripe } from '../../test/stripe/server.ts'
import type { Gateway } from '../gateways/gateway.ts'
import { paypalGateway } from '../gateways/paypal/gateway.ts'
import { NEEDED as NEEDED_OF_PAYPAL } from '../gateways/paypal/webhooks.ts'
import { stripeGateway } from '../gateways/stripe/gateway.ts'
import { NEEDED as NEEDED_OF_STRIPE } from '../gateways/stripe/webhooks.ts'
import { testGateway } from '../gateways/test/gateway.ts'
import { checkCredentials } from './check-credentials.ts'

const [stripe, paypal] = [await startStripe(), await startPaypal()]
after(() => [stripe, paypal].forEach((one) => one.close()))

const BASE = 'https://shop.example'
const addressOf = (code: string, base = BASE) => `${base}/v1/gateways/${code}/webhook.json`

interface Reports {
  readonly to?: string
  readonly events?: readonly string[]
  readonly status?: string
}

/** Each gateway, what it is set to report, and the events it must. */
const GATEWAYS = [
  {
    gateway: stripeGateway(stripe.config),
    needed: NEEDED_OF_STRIPE,
    faults: stripe.faults,
    reports({ to: url = addressOf('stripe'), events = ['*'], status = 'enabled' }: Reports) {
      const other = { url: addressOf('stripe', 'https://other.example'), enabled_events: ['*'], status }
      stripe.api.endpoints.splice(0, Infinity, other, { url, enabled_events: events, status })
    },
  },
  {
    gateway: paypalGateway(paypal.config),
    needed: NEEDED_OF_PAYPAL,
    faults: paypal.faults,
    reports({ to = addressOf('paypal'), events = ['*'] }: Reports) {
      Object.assign(paypal.books, { reportsTo: to, reports: events })
    },
  },
]
beforeEach(() => {
  for (const { faults, reports } of GATEWAYS) {
    faults.length = 0
    reports({})
  }
})

async function found(gateway: Gateway, base: string | null = BASE) {
  const [finding, ...more] = await checkCredentials([gateway], base)
  assert.deepEqual(more, [])
  assert.equal(finding?.check, gateway.code)
  return finding
}

for (const { gateway, needed, faults, reports } of GATEWAYS) {
  const { code } = gateway

  test(`${code}: credentials that count and a webhook at our address are in order`, async () => {
    assert.equal((await found(gateway)).status, 'ok')
    reports({ events: needed })
    assert.equal((await found(gateway)).status, 'ok')
    assert.ok(needed.length > 5)
  })

  test(`${code}: an event that is not reported is named`, async () => {
    const [first = '', ...others] = needed
    reports({ events: others })
    const { status, message } = await found(gateway)
    assert.deepEqual([status, message], ['fail', `it does not report ${first}`])
  })

  test(`${code}: a webhook of another address is none of ours; without an address the path tells`, async () => {
    reports({ to: addressOf(code, 'https://old.example') })
    const { status, fix } = await found(gateway)
    assert.deepEqual([status, fix?.includes(addressOf(code))], ['fail', true])
    assert.equal((await found(gateway, null)).status, 'ok')
  })

  test(`${code}: a gateway that does not answer is a warning`, async () => {
    for (const fault of ['reset', 503, 429] as const) {
      // The library of one asks again where a connection breaks.
      faults.splice(0, Infinity, fault, fault)
      const { status, message } = await found(gateway)
      assert.deepEqual([status, message], ['warn', 'it does not answer'])
    }
  })

  test(`${code}: credentials that may not read webhooks count`, async () => {
    faults.push(...(code === 'stripe' ? ['none' as const] : []), 403)
    const { status, message } = await found(gateway)
    assert.deepEqual([status, /may not ask/.test(message)], ['ok', true])
  })
}

test('credentials that are refused are a failure, and are not told', async () => {
  stripe.faults.push(401)
  const secret = 'hunter2-of-somebody'
  for (const gateway of [
    stripeGateway(stripe.config),
    paypalGateway({ ...paypal.config, clientSecret: secret }),
  ]) {
    const { status, message } = await found(gateway)
    assert.deepEqual([status, message.startsWith('it refuses the credentials')], ['fail', true])
    assert.ok(!message.includes(secret) && !message.includes(stripe.config.secretKey))
  }
})

test('an endpoint that is switched off reports nothing', async () => {
  GATEWAYS[0]?.reports({ status: 'disabled' })
  const { status, message } = await found(stripeGateway(stripe.config))
  assert.deepEqual([status, /reports nothing to this server/.test(message)], ['fail', true])
})

test('an app without the webhook that is set reports nothing', async () => {
  const { status } = await found(paypalGateway({ ...paypal.config, webhookId: 'GONE' }))
  assert.equal(status, 'fail')
})

test('a gateway without credentials is not asked', async () => {
  assert.deepEqual(await checkCredentials([testGateway({ webhookSecret: 'x' })], BASE), [])
})

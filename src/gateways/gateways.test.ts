import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Keyring } from '../lib/keyring.ts'
import { gatewayFor, hasWallet } from './choose.ts'
import type { Environment } from './gateway.ts'
import { gatewaysOf } from './gateways.ts'

const keys = Keyring.of('the secret of the tests: 32 characters long')
const withKey = (secretKey: string) =>
  gatewaysOf({ stripe: { secretKey, webhookSecret: 'whsec_x', apiBase: null }, paypal: null }, keys)
const codeFor = (gateways: Awaited<ReturnType<typeof gatewaysOf>>, environment: Environment) =>
  gatewayFor(gateways, { environment }).code

test('without a configured gateway the sandbox has the test gateway, and live payments have none', async () => {
  const gateways = await gatewaysOf({ stripe: null, paypal: null }, keys)
  assert.equal(codeFor(gateways, 1), 'test')
  assert.throws(() => codeFor(gateways, 0), { status: 400, code: 'gateway_not_configured' })
})

test('a live key takes live payments and leaves the sandbox to the test gateway', async () => {
  for (const key of ['sk_live_x', 'rk_live_x']) {
    const gateways = await withKey(key)
    assert.deepEqual([codeFor(gateways, 0), codeFor(gateways, 1)], ['stripe', 'test'])
  }
})

test('a test key takes the payments of the sandbox, and no live one', async () => {
  const gateways = await withKey('sk_test_x')
  assert.equal(codeFor(gateways, 1), 'stripe')
  assert.throws(() => codeFor(gateways, 0), { status: 400, code: 'gateway_not_configured' })
})

test('of several the first is taken unless one is chosen, which must take the payment', async () => {
  const [stripe, ...others] = await withKey('sk_live_x')
  assert.ok(stripe)
  const gateways = [stripe, { ...stripe, code: 'second' }, ...others]
  const chosen = (gateway?: string) => gatewayFor(gateways, { environment: 0, gateway }).code
  assert.deepEqual([chosen(), chosen('second'), chosen('stripe')], ['stripe', 'second', 'stripe'])
  for (const code of ['test', 'third']) {
    assert.throws(() => chosen(code), { status: 400, code: 'gateway_not_configured' })
  }
})

const wallet = { clientId: 'client-of-a-shop', clientSecret: 'x', webhookId: 'W', apiBase: null } as const

test('a wallet beside cards takes a payment where it is named, and is the only one for who takes wallets alone', async () => {
  const stripe = { secretKey: 'sk_live_x', webhookSecret: 'whsec_x', apiBase: null }
  const gateways = await gatewaysOf({ stripe, paypal: { ...wallet, mode: 'live' } }, keys)
  const taking = (more: { gateway?: string; accepted?: 0 | 1 | 2 }) =>
    gatewayFor(gateways, { environment: 0, ...more }).code
  assert.deepEqual(
    [taking({}), taking({ gateway: 'paypal' }), taking({ accepted: 1 }), taking({ accepted: 2 })],
    ['stripe', 'paypal', 'paypal', 'stripe'],
  )
  assert.throws(() => taking({ gateway: 'paypal', accepted: 2 }), { code: 'gateway_not_configured' })
  assert.equal(hasWallet({ gateways }), true)
})

test('a wallet of the sandbox takes the payments of the sandbox, and no live one', async () => {
  const gateways = await gatewaysOf({ stripe: null, paypal: { ...wallet, mode: 'sandbox' } }, keys)
  assert.equal(codeFor(gateways, 1), 'paypal')
  assert.throws(() => codeFor(gateways, 0), { status: 400, code: 'gateway_not_configured' })
})

test('whatever the configuration names is sent no card number and no amount that is none', async () => {
  const stripe = { secretKey: 'sk_test_x', webhookSecret: 'whsec_x', apiBase: null }
  const gateways = await gatewaysOf({ stripe, paypal: { ...wallet, mode: 'sandbox' } }, keys)
  assert.deepEqual(
    gateways.map(({ code }) => code),
    ['stripe', 'paypal', 'test'],
  )
  const request = {
    key: 'k',
    email: 'a@example.com',
    description: '',
    returnUrl: 'https://a.example',
    isKept: false,
  }
  for (const gateway of gateways) {
    const amount = { minor: 0, currency: 'usd' } as const
    const card = { ...request, token: '4242424242424242' }
    await assert.rejects(gateway.setUp(card), { code: 'card_number_refused' })
    await assert.rejects(gateway.charge({ ...card, amount: { ...amount, minor: 1 } }), {
      code: 'card_number_refused',
    })
    await assert.rejects(gateway.charge({ ...request, token: 'x', amount }), RangeError)
    await assert.rejects(gateway.chargeStored({ ...request, method: 'x', amount }), RangeError)
    await assert.rejects(gateway.refund({ key: 'k', chargeId: 'x', amount }), RangeError)
  }
})

// Runs beside others.
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { startStripe, type Fault } from '../../../test/stripe/server.ts'
import { GatewayUnreachable, type ChargeRequest, type DeclineReason } from '../gateway.ts'
import { stripeGateway } from './gateway.ts'

const stripe = await startStripe()
after(() => stripe.close())
beforeEach(() => {
  stripe.faults.length = 0
  stripe.asked.length = 0
})

const gateway = stripeGateway(stripe.config, { timeoutMs: 400, retries: 1 })

const asked = (token: string, more: Partial<ChargeRequest> = {}): ChargeRequest => ({
  key: `purchase:${crypto.randomUUID()}`,
  amount: { minor: 11_880, currency: 'eur' },
  token,
  email: 'buyer@example.com',
  description: 'Example Pro',
  returnUrl: 'https://shop.example/back',
  isKept: false,
  ...more,
})

async function paid(token = 'pm_card_visa', more: Partial<ChargeRequest> = {}) {
  const first = await gateway.charge(asked(token, more))
  const last = first.outcome === 'pending' ? (await gateway.retrieveCharge(first.externalId))?.charge : first
  if (last?.outcome !== 'paid') return assert.fail(`${last?.outcome}`)
  return last
}

const stored = async (token: string) => (await paid(token, { isKept: true })).method

const later = (method: string) =>
  gateway.chargeStored({
    key: `renewal:${crypto.randomUUID()}`,
    method,
    amount: { minor: 900, currency: 'eur' },
    description: 'Example Pro',
  })

const times = (count: number, fault: Fault) => stripe.faults.push(...Array<Fault>(count).fill(fault))

test('without an answer in time, with too many calls or a fault at Stripe: unreachable', async () => {
  for (const [fault, retries] of [
    ['silent', 2],
    ['reset', 3],
    [429, 1],
    [500, 2],
    [503, 2],
    [409, 2],
  ] as const) {
    times(retries, fault)
    await assert.rejects(gateway.charge(asked('pm_card_visa')), GatewayUnreachable, String(fault))
    stripe.faults.length = 0
  }
})

test('a fault of the settings is neither an answer nor unreachable', async () => {
  times(2, 401)
  await assert.rejects(gateway.charge(asked('pm_card_visa')), {
    name: 'GatewayRefused',
    code: 'gateway_refused',
    isForGood: false,
  })
})

test('one lost connection is made up for, and charged once', async () => {
  const before = stripe.api.intents.size
  stripe.faults.push('lost')
  assert.equal((await paid()).outcome, 'paid')
  assert.equal(stripe.api.intents.size, before + 1)
})

test('a charge whose answers were all lost is the same charge when it is asked for again', async () => {
  const before = stripe.api.intents.size
  const request = asked('pm_card_visa')
  times(2, 'lost')
  times(1, 'lost')
  await assert.rejects(gateway.charge(request), GatewayUnreachable)
  const [made] = [...stripe.api.intents.keys()].slice(before)
  const again = await gateway.charge(request)
  assert.equal(again.externalId, made)
  assert.equal(stripe.api.intents.size, before + 1)
})

test('a key that was used for another request is a fault', async () => {
  const request = asked('pm_card_visa')
  await gateway.charge(request)
  await assert.rejects(gateway.charge({ ...request, amount: { minor: 1, currency: 'eur' } }), {
    type: 'StripeIdempotencyError',
  })
})

test('the reason of a decline is told, by the intent that failed', async () => {
  const expected: readonly (readonly [string, DeclineReason])[] = [
    ['pm_card_chargeDeclined', 'declined'],
    ['pm_card_chargeDeclinedInsufficientFunds', 'insufficient_funds'],
    ['pm_card_chargeDeclinedExpiredCard', 'expired'],
  ]
  for (const [token, reason] of expected) {
    const answer = await gateway.charge(asked(token))
    assert.equal(answer.outcome, 'declined')
    assert.equal(answer.outcome === 'declined' && answer.reason, reason)
    assert.ok(stripe.api.intents.has(answer.externalId ?? ''))
  }
})

test('a stored method whose owner would have to confirm is declined, for that reason', async () => {
  const method = await stored('pm_card_authenticationRequired')
  const answer = await later(method?.token ?? '')
  assert.equal(answer.outcome === 'declined' && answer.reason, 'confirmation_needed')
})

test('a bank that takes its time is pending, with nothing to do but wait', async () => {
  const answer = await gateway.charge(asked('pm_slowBank'))
  assert.equal(answer.outcome === 'pending' && answer.confirmationUrl, null)
})

test('the fee is that of the balance transaction, in the currency of the charge', async () => {
  assert.equal((await paid()).fee, 375)
  assert.equal((await paid('pm_card_paidOutInDollars')).fee, 375)
})

test('a card, PayPal and iDEAL, which becomes a direct debit, are stored and charged as what they are', async () => {
  const card = await stored('pm_card_visa')
  assert.deepEqual(
    [card?.kind, card?.card],
    ['card', { brand: 'visa', last4: '4242', expiryMonth: 8, expiryYear: 2030 }],
  )
  for (const [token, kind, type] of [
    ['pm_paypal', 'paypal', 'paypal'],
    ['pm_ideal', 'ideal', 'sepa_debit'],
  ] as const) {
    const method = await stored(token)
    assert.deepEqual([method?.kind, method?.card], [kind, null])
    assert.equal((await later(method?.token ?? '')).outcome, 'paid')
    assert.equal(stripe.asked.at(-1)?.form.get('allowed_payment_method_types[0]'), type)
  }
})

test('a buyer who is there confirms, one who is away is charged off session, each under its key', async () => {
  const request = asked('pm_card_visa', { isKept: true })
  const answer = await gateway.charge(request)
  const [customer, intent] = stripe.asked
  assert.equal(customer?.path, '/v1/customers')
  assert.equal(customer?.form.get('email'), 'buyer@example.com')
  assert.equal(intent?.key, request.key)
  assert.deepEqual(
    ['amount', 'currency', 'confirm', 'return_url', 'setup_future_usage', 'off_session'].map((name) =>
      intent?.form.get(name),
    ),
    ['11880', 'eur', 'true', 'https://shop.example/back', 'off_session', null],
  )
  await later((answer.outcome === 'paid' && answer.method?.token) || '')
  assert.equal(stripe.asked.at(-1)?.form.get('off_session'), 'true')
  assert.equal(stripe.asked.at(-1)?.form.get('customer'), intent?.form.get('customer'))
})

test('a method that is not kept gets no customer', async () => {
  await paid()
  assert.deepEqual(
    stripe.asked.map(({ path }) => path),
    ['/v1/payment_intents'],
  )
  assert.equal(stripe.asked[0]?.form.has('setup_future_usage'), false)
})

test('what was asked for is found by its key after Stripe has forgotten it, the paid one first', async () => {
  const request = asked('pm_card_chargeDeclined', { key: `it's\\:${crypto.randomUUID()}` })
  await gateway.charge(request)
  assert.equal((await gateway.byKey?.charge(request.key, 0))?.charge.outcome, 'declined')
  stripe.forgetKeys()
  const made = await gateway.charge({ ...request, token: 'pm_card_visa' })
  stripe.forgetKeys()
  await gateway.charge(request)
  assert.deepEqual((await gateway.byKey?.charge(request.key, 0))?.charge, made)
  assert.equal(await gateway.byKey?.charge('purchase:unknown', 0), null)

  const { externalId: chargeId } = await paid()
  const part = { key: crypto.randomUUID(), chargeId, amount: { minor: 880, currency: 'eur' } as const }
  assert.equal(await gateway.byKey?.refund(part), null)
  assert.deepEqual(await gateway.refund(part), await gateway.byKey?.refund(part))
})

test('a confirmation token pays and is stored as a method of payment is, by its prefix', async () => {
  const last = await paid('ctoken_card_visa', { isKept: true })
  const ask = stripe.asked.findLast(({ path }) => path === '/v1/payment_intents')
  assert.deepEqual(
    [ask?.form.get('confirmation_token'), ask?.form.get('payment_method')],
    ['ctoken_card_visa', null],
  )
  assert.equal((await later(last.method?.token ?? '')).outcome, 'paid')
  const { key, email, returnUrl } = asked('')
  const ready = await gateway.setUp({ key: `${key}:set-up`, email, returnUrl, token: 'ctoken_card_visa' })
  assert.equal(ready.outcome, 'ready')
})

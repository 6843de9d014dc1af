import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Stripe } from 'stripe'
import { startStripe } from '../../../test/stripe/server.ts'
import { GatewayUnreachable, type ChargeRequest } from '../gateway.ts'
import { stripeGateway } from './gateway.ts'

const stripe = await startStripe()
after(() => stripe.close())

const gateway = stripeGateway(stripe.config, { timeoutMs: 400, retries: 0 })
const now = Date.UTC(2026, 0, 31, 10)

const request = (token: string): ChargeRequest => ({
  key: crypto.randomUUID(),
  amount: { minor: 11_880, currency: 'eur' },
  token,
  email: 'buyer@example.com',
  description: 'Example Pro',
  returnUrl: 'https://shop.example/back',
  isKept: false,
})

async function intentOf(token: string) {
  const { externalId } = await gateway.charge(request(token))
  return stripe.api.intents.get(externalId ?? '')
}

let count = 0
const sent = (type: string, object: object) => {
  count += 1
  return stripe.webhook(type, object, { id: `evt_${count}`, now })
}
/** Type and what is told by the event that comes of it. */
const read = async (type: string, object: object) =>
  (await gateway.readWebhook(sent(type, object)))?.[0] ?? null

test('an event that comes late tells how the charge stands now, however often it comes', async () => {
  const intent = await intentOf('pm_card_threeDSecure2Required')
  const failed = structuredClone({ ...intent, status: 'requires_payment_method' })
  await gateway.retrieveCharge(intent.id)
  const webhook = sent('payment_intent.payment_failed', failed)
  const first = await gateway.readWebhook(webhook)
  assert.equal(first?.[0]?.type === 'charge' && first[0].charge.outcome, 'paid')
  assert.deepEqual(await gateway.readWebhook(webhook), first)
})

test('a charge that failed or was canceled is told as declined', async () => {
  const intent = await intentOf('pm_card_threeDSecureFailed')
  const told = await read('payment_intent.payment_failed', intent)
  assert.equal(told?.type === 'charge' && told.charge.outcome, 'declined')
  assert.deepEqual([told?.chargeId, told?.at], [intent.id, now])
  intent.status = 'canceled'
  const canceled = await read('payment_intent.canceled', intent)
  assert.equal(canceled?.type === 'charge' && canceled.charge.outcome, 'declined')
})

test('a refund is told when it is decided, and when it failed after all', async () => {
  const intent = await intentOf('pm_card_visa')
  await gateway.refund({ key: 'r1', chargeId: intent.id, amount: { minor: 880, currency: 'eur' } })
  const refund = [...stripe.api.refunds.values()].at(-1)
  const expected = { type: 'refund', chargeId: intent.id, refundId: refund.id, minor: 880, state: 'refunded' }
  assert.partialDeepStrictEqual(await read('refund.created', refund), expected)
  refund.status = 'pending'
  assert.equal(await read('refund.updated', refund), null)
  refund.status = 'failed'
  assert.partialDeepStrictEqual(await read('refund.failed', refund), { ...expected, state: 'failed' })
})

test('a dispute is told with its fee when it is opened, won and lost; an inquiry takes nothing', async () => {
  const intent = await intentOf('pm_card_visa')
  const dispute = stripe.api.dispute(intent)
  const expected = { type: 'dispute', chargeId: intent.id, minor: 11_880, fee: 1500 }
  for (const [type, status, state] of [
    ['charge.dispute.created', 'needs_response', 'open'],
    ['charge.dispute.updated', 'under_review', 'open'],
    ['charge.dispute.closed', 'won', 'won'],
    ['charge.dispute.closed', 'lost', 'lost'],
  ] as const) {
    dispute.status = status
    assert.partialDeepStrictEqual(await read(type, dispute), { ...expected, state })
    const state2 = await gateway.retrieveCharge(intent.id)
    assert.equal(state2?.dispute, state)
  }
  dispute.status = 'warning_needs_response'
  assert.equal(await read('charge.dispute.created', dispute), null)
})

test('what tells nothing that is kept, and what belongs to no charge of ours, is read as nothing', async () => {
  assert.deepEqual(await gateway.readWebhook(sent('plan.created', { id: 'price_1', object: 'plan' })), [])
  assert.deepEqual(await gateway.readWebhook(sent('payment_intent.succeeded', { id: 'pi_of_another' })), [])
})

test('what is signed and is no event is refused as 400', async () => {
  for (const body of [
    'no JSON',
    '',
    'null',
    '[]',
    '{"type":"plan.created"}',
    '{"type":1,"data":{"object":{}}}',
  ]) {
    const header = Stripe.webhooks.generateTestHeaderString({
      payload: body,
      secret: stripe.config.webhookSecret,
      timestamp: now / 1000,
    })
    const webhook = { headers: { 'stripe-signature': header }, body: Buffer.from(body), now }
    await assert.rejects(gateway.readWebhook(webhook), { status: 400 }, body)
  }
})

test('while Stripe cannot be asked what stands, a webhook is not read', async () => {
  const intent = await intentOf('pm_card_visa')
  stripe.faults.push(503)
  await assert.rejects(gateway.readWebhook(sent('payment_intent.succeeded', intent)), GatewayUnreachable)
})

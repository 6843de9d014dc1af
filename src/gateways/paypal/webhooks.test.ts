import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { approve, openDispute } from '../../../test/paypal/orders.ts'
import { refundInDashboard } from '../../../test/paypal/payments.ts'
import { eventText } from '../../../test/paypal/reports.ts'
import { startPaypal } from '../../../test/paypal/server.ts'
import { GatewayUnreachable } from '../gateway.ts'
import { paypalGateway } from './gateway.ts'

const paypal = await startPaypal()
const { books } = paypal
after(() => paypal.close())

const gateway = paypalGateway(paypal.config, { timeoutMs: 10_000, retries: 0, pauseMs: 1 })
const now = Date.UTC(2026, 0, 31, 10)

let count = 0
const sent = (type: string, resource: object) => {
  count += 1
  return paypal.signed(eventText(type, resource, { id: `WH-${count}`, at: now }), { now })
}
/** What is told by the event that comes of it. */
const read = async (type: string, resource: object) =>
  (await gateway.readWebhook(sent(type, resource)))?.[0] ?? null

async function ordered(isApproved = true) {
  const key = `checkout:${crypto.randomUUID()}`
  const { externalId } = await gateway.charge({
    key,
    amount: { minor: 11_880, currency: 'eur' },
    token: 'paypal',
    email: 'buyer@example.com',
    description: 'Example Pro',
    returnUrl: 'https://shop.example/back',
    isKept: false,
  })
  const id = externalId ?? ''
  if (isApproved) approve(books, id)
  return { id, key, order: books.orders.get(id) }
}

async function captured() {
  const { id, key, order } = await ordered()
  assert.equal((await gateway.retrieveCharge(id))?.charge.outcome, 'paid')
  const [{ id: captureId }] = order.purchase_units[0].payments.captures
  return { id, key, captureId, capture: books.captures.get(captureId).kept }
}

test('a buyer who approved and did not come back has bought, once, however often it is told', async () => {
  const { id, key, order } = await ordered()
  const before = books.captures.size
  const webhook = sent('CHECKOUT.ORDER.APPROVED', order)
  const first = await gateway.readWebhook(webhook)
  assert.partialDeepStrictEqual(first, [
    { type: 'charge', chargeId: id, key, at: now, charge: { outcome: 'paid' } },
  ])
  assert.deepEqual(await gateway.readWebhook(webhook), first)
  assert.equal(books.captures.size, before + 1)
})

test('an order of another system at the account is neither captured nor told', async () => {
  const { order } = await ordered()
  order.purchase_units[0].reference_id = 'default'
  const before = books.captures.size
  assert.equal(await read('CHECKOUT.ORDER.APPROVED', order), null)
  assert.equal(books.captures.size, before)
})

test('an event that comes late tells how the charge stands now', async () => {
  const { id, captureId } = await captured()
  const old = { id: captureId, status: 'PENDING' }
  const told = await read('PAYMENT.CAPTURE.PENDING', old)
  assert.deepEqual([told?.chargeId, told?.type === 'charge' && told.charge.outcome], [id, 'paid'])
})

test('a refund is told when it was made, and when it failed after all', async () => {
  const { id, captureId } = await captured()
  const refund = refundInDashboard(books, captureId, { currency_code: 'EUR', value: '8.80' })
  const expected = { type: 'refund', chargeId: id, refundId: refund.id, minor: 880, state: 'refunded' }
  assert.partialDeepStrictEqual(await read('PAYMENT.CAPTURE.REFUNDED', refund), expected)
  const kept = books.refunds.get(refund.id).refund
  kept.status = 'PENDING'
  assert.equal(await read('PAYMENT.CAPTURE.REFUNDED', refund), null)
  kept.status = 'FAILED'
  assert.partialDeepStrictEqual(await read('PAYMENT.REFUND.FAILED', refund), { ...expected, state: 'failed' })
})

test('what PayPal takes back is a refund, unless it is disputed, which tells it', async () => {
  const { id, captureId, capture } = await captured()
  const refund = refundInDashboard(books, captureId, capture.amount)
  const told = await read('PAYMENT.CAPTURE.REVERSED', refund)
  assert.partialDeepStrictEqual(told, { type: 'refund', chargeId: id, minor: 11_880 })
  openDispute(books, capture)
  assert.equal(await read('PAYMENT.CAPTURE.REVERSED', refund), null)
})

test('a dispute is told with its fee when it is opened, won and lost; an inquiry takes nothing', async () => {
  const { id, capture } = await captured()
  const dispute = openDispute(books, capture, { stage: 'INQUIRY' })
  assert.equal(await read('CUSTOMER.DISPUTE.CREATED', dispute), null)
  assert.equal((await gateway.retrieveCharge(id))?.dispute, null)
  dispute.dispute_life_cycle_stage = 'CHARGEBACK'
  const expected = { type: 'dispute', chargeId: id, minor: 11_880, fee: 1_500 }
  for (const [type, status, outcome_code, state] of [
    ['CUSTOMER.DISPUTE.UPDATED', 'WAITING_FOR_SELLER_RESPONSE', 'NONE', 'open'],
    ['CUSTOMER.DISPUTE.UPDATED', 'UNDER_REVIEW', 'NONE', 'open'],
    ['CUSTOMER.DISPUTE.RESOLVED', 'RESOLVED', 'RESOLVED_SELLER_FAVOUR', 'won'],
    ['CUSTOMER.DISPUTE.RESOLVED', 'RESOLVED', 'CANCELED_BY_BUYER', 'won'],
    ['CUSTOMER.DISPUTE.RESOLVED', 'RESOLVED', 'RESOLVED_WITH_PAYOUT', 'won'],
    ['CUSTOMER.DISPUTE.RESOLVED', 'RESOLVED', 'RESOLVED_BUYER_FAVOUR', 'lost'],
    ['CUSTOMER.DISPUTE.RESOLVED', 'RESOLVED', 'ACCEPTED', 'lost'],
  ] as const) {
    Object.assign(dispute, { status, dispute_outcome: { outcome_code } })
    assert.partialDeepStrictEqual(await read(type, dispute), { ...expected, state })
    assert.equal((await gateway.retrieveCharge(id))?.dispute, state)
  }
})

test('of a dispute only a part may be disputed, and its fee is given back or in the currency that is paid out', async () => {
  const { capture } = await captured()
  const dispute = openDispute(books, capture)
  dispute.dispute_amount = { currency_code: 'EUR', value: '18.80' }
  const fee = (value: string, type = 'DEBIT', currency_code = 'EUR') => ({
    affected_party: 'SELLER',
    type,
    reason: 'DISPUTE_FEE',
    amount: { currency_code, value },
  })
  dispute.money_movements = [fee('15.00'), fee('5.00', 'CREDIT')]
  assert.partialDeepStrictEqual(await read('CUSTOMER.DISPUTE.CREATED', dispute), { minor: 1_880, fee: 1_000 })
  dispute.money_movements = [fee('15.00', 'DEBIT', 'USD')]
  assert.partialDeepStrictEqual(await read('CUSTOMER.DISPUTE.CREATED', dispute), { fee: 0 })
  const [own] = books.orders.get(capture.supplementary_data.related_ids.order_id).purchase_units[0].payments
    .captures
  own.seller_receivable_breakdown.exchange_rate = { target_currency: 'USD', value: '1.25' }
  assert.partialDeepStrictEqual(await read('CUSTOMER.DISPUTE.CREATED', dispute), { fee: 1_200 })
})

test('what tells nothing that is kept, and what belongs to nothing of ours, is read as nothing', async () => {
  assert.deepEqual(await gateway.readWebhook(sent('CATALOG.PRODUCT.CREATED', { id: 'P1' })), [])
  for (const type of ['PAYMENT.CAPTURE.COMPLETED', 'PAYMENT.CAPTURE.REFUNDED', 'CHECKOUT.ORDER.APPROVED'])
    assert.deepEqual(await gateway.readWebhook(sent(type, { id: 'OFANOTHER' })), [], type)
  assert.deepEqual(await gateway.readWebhook(sent('PAYMENT.CAPTURE.COMPLETED', { id: '../../x' })), [])
})

test('what is signed and is no event is refused as 400; what is no object is not taken for signed', async () => {
  for (const body of ['{}', '{"id":"1"}', '{"id":"1","event_type":"X","create_time":"soon","resource":{}}']) {
    await assert.rejects(gateway.readWebhook(paypal.signed(body, { now })), { status: 400 }, body)
  }
  for (const body of ['no JSON', '', 'null', '[]', '1', '{},"webhook_id":"8PT597110X687430L"'])
    assert.equal(await gateway.readWebhook(paypal.signed(body, { now })), null, body)
})

test('without each of its headers nothing is asked of PayPal', async () => {
  const webhook = sent('CATALOG.PRODUCT.CREATED', { id: 'P1' })
  const before = paypal.asked.length
  for (const header of Object.keys(webhook.headers)) {
    const headers = { ...webhook.headers, [header]: undefined }
    assert.equal(await gateway.readWebhook({ ...webhook, headers }), null, header)
  }
  assert.equal(paypal.asked.length, before)
})

test('while PayPal cannot be asked who signed it or what stands, a webhook is not read', async () => {
  const { capture } = await captured()
  for (const faults of [[503], ['none', 503], ['none', 'none', 'reset']] as const) {
    paypal.faults.push(...faults)
    await assert.rejects(gateway.readWebhook(sent('PAYMENT.CAPTURE.COMPLETED', capture)), GatewayUnreachable)
    paypal.faults.length = 0
  }
})

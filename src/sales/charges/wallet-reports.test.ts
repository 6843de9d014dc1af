import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { START, type TestApp } from '../../../test/app.ts'
import { boughtBy, buy, leftOfPayment, payCheckout, send, undoneOf } from '../../../test/reports.ts'
import { ledgerFaults } from '../../../test/sales.ts'
import { written, type Resource } from '../../../test/paypal/books.ts'
import { decide, openDispute } from '../../../test/paypal/orders.ts'
import { refundInDashboard } from '../../../test/paypal/payments.ts'
import { walletShop, type WalletShop } from '../../../test/paypal/shop.ts'
import { HOUR } from '../../lib/time.ts'
import { settlePurchases } from '../checkouts/settle-purchases-job.ts'

let shop: WalletShop
let app: TestApp
let paypal: WalletShop['paypal']
before(async () => {
  shop = await walletShop('wallet_reports')
  ;({ app, paypal } = shop)
})
beforeEach(() => app.ctx.clock.set(START))
after(() => shop.close())

const report = (...of: Parameters<WalletShop['webhook']>) => send(app, 'paypal', shop.webhook(...of))

async function sold(wallet = 'wallet_paid') {
  const bought = await boughtBy(app, (await buy(app, shop.pricingId, wallet)).reply)
  const order = paypal.books.orders.get(bought.payment.external_id ?? '')
  const [{ id }] = order.purchase_units[0].payments.captures
  const capture: Resource = paypal.books.captures.get(id).kept
  return { ...bought, capture, total: bought.payment.gross + bought.payment.tax }
}

const isCancelled = async (id: number) =>
  (
    await app.ctx.db
      .selectFrom('licenses')
      .select('is_cancelled')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).is_cancelled

test('what PayPal has in work for hours is waited for, and bought once it is paid, also when nobody comes back', async () => {
  const { token, reply } = await buy(app, shop.pricingId, 'wallet_pending')
  assert.deepEqual([reply.json.state, reply.json.confirmation_url ?? null], ['pending', null])
  const [id = ''] = [...paypal.books.orders.keys()].slice(-1)
  app.ctx.clock.advance(3 * HOUR)
  await shop.settle(settlePurchases)
  decide(paypal.books, id, 'COMPLETED')
  const { captures } = paypal.books.orders.get(id).purchase_units[0].payments
  assert.equal((await report('PAYMENT.CAPTURE.COMPLETED', captures[0])).status, 200)
  const { payment } = await boughtBy(app, await payCheckout(app, token, 'wallet_paid'))
  assert.equal(payment.external_id, id)
  assert.deepEqual(await ledgerFaults(app), [])
})

test('a purchase that PayPal denies after hours can be paid anew', async () => {
  const { token } = await buy(app, shop.pricingId, 'wallet_pending')
  const [id = ''] = [...paypal.books.orders.keys()].slice(-1)
  decide(paypal.books, id, 'DECLINED')
  const { captures } = paypal.books.orders.get(id).purchase_units[0].payments
  assert.equal((await report('PAYMENT.CAPTURE.DECLINED', captures[0])).status, 200)
  const { payment } = await boughtBy(app, await payCheckout(app, token, 'wallet_paid'))
  assert.notEqual(payment.external_id, id)
})

test('a refund that is made at PayPal itself is written down once, and all of it cancels', async () => {
  const { capture, payment, licenseId, total } = await sold()
  const currency = capture.amount.currency_code
  const part = refundInDashboard(paypal.books, capture.id, written(1_000, currency))
  const answers = await Promise.all([1, 2, 3].map(() => report('PAYMENT.CAPTURE.REFUNDED', part)))
  for (const { status, text } of answers) assert.equal(status, 200, text)
  assert.deepEqual(await undoneOf(app, payment), [['refund', -1_000]])
  assert.equal(await isCancelled(licenseId), false)
  const rest = refundInDashboard(paypal.books, capture.id, written(total - 1_000, currency))
  await report('PAYMENT.CAPTURE.REFUNDED', rest)
  assert.deepEqual([await leftOfPayment(app, payment), await isCancelled(licenseId)], [0, true])
  assert.deepEqual(await ledgerFaults(app), [])
})

test('a dispute that is lost ends license and subscription, whatever order its events come in and how often', async () => {
  const { capture, payment, licenseId, total } = await sold()
  const dispute = openDispute(paypal.books, capture)
  Object.assign(dispute, { status: 'RESOLVED', dispute_outcome: { outcome_code: 'RESOLVED_BUYER_FAVOUR' } })
  const types = ['RESOLVED', 'CREATED', 'UPDATED'].map((type) => `CUSTOMER.DISPUTE.${type}`)
  for (const type of types) assert.equal((await report(type, dispute)).status, 200)
  await Promise.all(types.map((type) => report(type, dispute)))
  assert.deepEqual(await undoneOf(app, payment), [
    ['disputed', -total],
    ['lost_dispute', 0],
  ])
  assert.equal(await isCancelled(licenseId), true)
  assert.deepEqual(await ledgerFaults(app), [])
})

test('a dispute that is won gives the money back to the seller, and its fee stays', async () => {
  const { capture, payment, licenseId, total } = await sold()
  const dispute = openDispute(paypal.books, capture)
  await report('CUSTOMER.DISPUTE.CREATED', dispute)
  assert.equal(await leftOfPayment(app, payment), 0)
  Object.assign(dispute, { status: 'RESOLVED', dispute_outcome: { outcome_code: 'RESOLVED_SELLER_FAVOUR' } })
  await report('CUSTOMER.DISPUTE.RESOLVED', dispute)
  assert.deepEqual([await leftOfPayment(app, payment), await isCancelled(licenseId)], [total, false])
  const { gateway_fee: fee } = await app.ctx.db
    .selectFrom('payments')
    .select('gateway_fee')
    .where('bound_payment_id', '=', payment.id)
    .where('type', '=', 'disputed')
    .executeTakeFirstOrThrow()
  assert.equal(fee, 1_500)
  assert.deepEqual(await ledgerFaults(app), [])
})

test('an inquiry, in which buyer and seller talk, changes nothing', async () => {
  const { capture, payment } = await sold()
  assert.equal(
    (await report('CUSTOMER.DISPUTE.CREATED', openDispute(paypal.books, capture, { stage: 'INQUIRY' })))
      .status,
    200,
  )
  assert.deepEqual(await undoneOf(app, payment), [])
})

test('what PayPal did not sign, or signed too long ago, is refused with 401', async () => {
  const { capture } = await sold()
  const right = shop.webhook('PAYMENT.CAPTURE.COMPLETED', capture)
  const forged = paypal.signed(right.body.toString(), { now: START, isForged: true })
  const old = paypal.signed(right.body.toString(), { now: START - 6 * 60_000 })
  const changed = { ...right, body: Buffer.from(right.body.toString().replace(capture.id, 'ANOTHER')) }
  for (const wrong of [forged, old, changed, { ...right, headers: {} }]) {
    const { status, json } = await send(app, 'paypal', wrong)
    assert.deepEqual([status, json.error.code], [401, 'invalid_signature'])
  }
  assert.equal((await send(app, 'paypal', right)).status, 200)
})

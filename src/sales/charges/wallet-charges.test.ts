import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { asDeveloper } from '../../../test/callers.ts'
import { newestCharge } from '../../../test/charges.ts'
import { START, type TestApp } from '../../../test/app.ts'
import { openSandboxCheckout } from '../../../test/checkouts.ts'
import { dyingProcess } from '../../../test/dying.ts'
import { boughtBy, buy, payCheckout, send, undoneOf } from '../../../test/reports.ts'
import { ledgerFaults, scopeOf } from '../../../test/sales.ts'
import { approve } from '../../../test/paypal/orders.ts'
import { walletShop, type WalletShop } from '../../../test/paypal/shop.ts'
import { transaction } from '../../context.ts'
import { hashToken } from '../../lib/credentials.ts'
import { DAY, fromUtcTime, HOUR, MINUTE } from '../../lib/time.ts'
import { askForPurchase } from '../checkouts/pay-checkout.ts'
import { settleCheckout } from '../checkouts/settle-checkout.ts'
import { settlePurchases } from '../checkouts/settle-purchases-job.ts'
import { settleRefunds } from '../refunds/settle-refunds-job.ts'
import { settleRenewals } from '../renewals/settle-renewals-job.ts'

let shop: WalletShop
let app: TestApp
let paypal: WalletShop['paypal']
before(async () => {
  shop = await walletShop('wallet_charges')
  ;({ app, paypal } = shop)
  // As accounts are unless they are set otherwise.
  paypal.books.isInvoiceOnce = false
})
beforeEach(() => {
  app.ctx.clock.set(START)
  paypal.faults.length = 0
})
after(() => shop.close())

/** More than PayPal remembers keys for. */
function muchLater(): void {
  paypal.forgetKeys()
  app.ctx.clock.advance(6 * HOUR)
}

let buyers = 0
const opened = () =>
  app.write((tx) =>
    openSandboxCheckout(tx, scopeOf(app), {
      pricingId: shop.pricingId,
      email: `wallet${++buyers}@example.com`,
    }),
  )

const lastOrder = () => [...paypal.books.orders.values()].at(-1)

const subscriptionOf = (id: number) =>
  app.ctx.db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** A subscription that was bought now and is due in a cycle; no other is due. */
async function sold(wallet = 'wallet_paid') {
  await app.write(({ db }) => db.updateTable('subscriptions').set({ due_at: null }).execute())
  const bought = await boughtBy(app, (await buy(app, shop.pricingId, wallet)).reply)
  const { next_payment: next } = await subscriptionOf(bought.subscriptionId)
  return { ...bought, next: next ?? assert.fail() }
}

test('a purchase whose buyer is led to PayPal is paid when they are back, and not before they approve', async () => {
  const before = shop.paid().length
  const { token, reply } = await buy(app, shop.pricingId, 'wallet_confirmed')
  assert.equal(reply.json.state, 'pending')
  assert.match(reply.json.confirmation_url, /^https:\/\/www\.sandbox\.paypal\.com\/checkoutnow\?token=/)
  assert.equal(shop.paid().length, before)
  const { payment } = await boughtBy(app, await payCheckout(app, token, 'wallet_confirmed'))
  assert.deepEqual([payment.gateway, payment.external_id], ['paypal', lastOrder().id])
  const [{ kept }] = shop.paid().slice(before)
  const fee = Number(kept.seller_receivable_breakdown.paypal_fee.value)
  assert.deepEqual([payment.gateway_fee, shop.paid().length], [Math.round(fee * 100), before + 1])
  assert.deepEqual(await ledgerFaults(app), [])
})

test('R02: a purchase that is reported, asked for and looked for by a job, all at once, is paid once', async () => {
  const before = shop.paid().length
  for (let round = 0; round < 5; round++) {
    const { token, reply } = await buy(app, shop.pricingId, 'wallet_confirmed')
    assert.equal(reply.json.state, 'pending', reply.text)
    app.ctx.clock.advance(10 * MINUTE)
    const order = lastOrder()
    approve(paypal.books, order.id)
    const same = shop.webhook('CHECKOUT.ORDER.APPROVED', order)
    const answers = await Promise.all([
      send(app, 'paypal', same),
      payCheckout(app, token, 'wallet_confirmed'),
      send(app, 'paypal', same),
      send(app, 'paypal', shop.webhook('CHECKOUT.ORDER.APPROVED', order)),
      payCheckout(app, token, 'wallet_confirmed'),
      shop.settle(settlePurchases),
    ])
    for (const answer of answers) assert.ok(!answer || answer.status === 200, answer?.text)
    assert.equal(shop.paid().length, before + round + 1)
    const { payment } = await boughtBy(app, await payCheckout(app, token, 'wallet_confirmed'))
    assert.equal(payment.external_id, order.id)
  }
  assert.deepEqual(await ledgerFaults(app), [])
})

test('a purchase that is paid ten times at once is one order, paid once', async () => {
  const before = [paypal.books.orders.size, shop.paid().length]
  const token = await opened()
  await Promise.all(Array.from({ length: 10 }, () => payCheckout(app, token, 'wallet_paid')))
  await boughtBy(app, await payCheckout(app, token, 'wallet_paid'))
  assert.deepEqual(
    [paypal.books.orders.size, shop.paid().length],
    before.map((count) => count + 1),
  )
})

test('R04: a purchase that is cut before any statement is paid once with its license, or not at all', async () => {
  const from = scopeOf(app)
  let isWhole = false
  for (let n = 1; !isWhole; n++) {
    app.ctx.clock.set(START + n * HOUR)
    const token = await opened()
    const before = shop.paid().length
    const dying = dyingProcess(app, n)
    const ctx = { ...dying.ctx, gateways: app.ctx.gateways }
    try {
      const asked = await askForPurchase(ctx, from, token, { payment_token: 'wallet_paid' })
      if (asked) await transaction(ctx, (tx) => settleCheckout(tx, asked))
    } catch {
      assert.ok(dying.isDead(), `statement ${n}`)
    } finally {
      isWhole = !dying.isDead()
      await dying.close()
    }
    app.ctx.clock.advance(10 * MINUTE)
    await shop.settle(settlePurchases)
    const { state, license_id: license } = await app.ctx.db
      .selectFrom('checkouts')
      .select(['state', 'license_id'])
      .where('token_hash', '=', hashToken(token))
      .executeTakeFirstOrThrow()
    const paid = shop.paid().length - before
    const expected = paid === 1 ? ['paid', true] : ['open', false]
    assert.deepEqual([state, license !== null, paid <= 1], [...expected, true], `statement ${n}`)
  }
  assert.deepEqual(await ledgerFaults(app), [])
})

test('a buyer who leaves PayPal for an hour is not charged for what they approve after that', async () => {
  const { token, reply } = await buy(app, shop.pricingId, 'wallet_confirmed')
  assert.equal(reply.json.state, 'pending')
  const order = lastOrder()
  const before = shop.paid().length
  app.ctx.clock.advance(61 * MINUTE)
  const bare = { ...shop.gateway, retrieveCharge: shop.retrieveBare }
  Object.assign(app.ctx, { gateways: [bare] })
  await shop.settle(settlePurchases)
  Object.assign(app.ctx, { gateways: [shop.gateway] })
  assert.equal((await newestCharge(app)).state, 'declined')
  approve(paypal.books, order.id)
  assert.equal((await send(app, 'paypal', shop.webhook('CHECKOUT.ORDER.APPROVED', order))).status, 200)
  assert.equal(shop.paid().length, before)
  await boughtBy(app, await payCheckout(app, token, 'wallet_paid'))
  assert.equal(shop.paid().length, before + 1)
})

test('a renewal whose answer was lost, and whose key PayPal has forgotten, is found and not charged again', async () => {
  const { subscriptionId, next } = await sold()
  app.ctx.clock.set(fromUtcTime(next))
  const before = shop.paid().length
  paypal.faults.push('lost')
  await shop.renew(fromUtcTime(next))
  assert.deepEqual(
    [shop.paid().length, (await subscriptionOf(subscriptionId)).next_payment],
    [before + 1, next],
  )
  muchLater()
  await shop.settle(settleRenewals)
  assert.notEqual((await subscriptionOf(subscriptionId)).next_payment, next)
  assert.equal(shop.paid().length, before + 1)
  assert.deepEqual(await ledgerFaults(app), [])
})

test('a renewal is never charged again while PayPal does not tell whether it was', async () => {
  const { subscriptionId, next } = await sold()
  app.ctx.clock.set(fromUtcTime(next))
  const before = shop.paid().length
  paypal.faults.push('lost')
  await shop.renew(fromUtcTime(next))
  paypal.books.reports = ['CUSTOMER.DISPUTE.CREATED']
  muchLater()
  for (let n = 0; n < 5; n++) {
    await shop.settle(settleRenewals)
    app.ctx.clock.advance(6 * HOUR)
  }
  assert.equal(shop.paid().length, before + 1)
  paypal.books.reports = ['*']
  await shop.settle(settleRenewals)
  assert.notEqual((await subscriptionOf(subscriptionId)).next_payment, next)
  assert.equal(shop.paid().length, before + 1)
})

test('a renewal whose answer was lost is settled when PayPal reports it, by its key', async () => {
  const { subscriptionId, next } = await sold()
  app.ctx.clock.set(fromUtcTime(next))
  paypal.faults.push('lost')
  await shop.renew(fromUtcTime(next))
  const [{ kept }] = shop.paid().slice(-1)
  assert.equal((await send(app, 'paypal', shop.webhook('PAYMENT.CAPTURE.COMPLETED', kept))).status, 200)
  assert.notEqual((await subscriptionOf(subscriptionId)).next_payment, next)
})

test('ten workers renew a subscription at once, and it is charged once', async () => {
  const { subscriptionId, next } = await sold()
  const now = fromUtcTime(next)
  app.ctx.clock.set(now)
  const before = shop.paid().length
  await Promise.all(Array.from({ length: 10 }, () => shop.renew(now)))
  assert.equal(shop.paid().length, before + 1)
  assert.notEqual((await subscriptionOf(subscriptionId)).next_payment, next)
})

test('a refund whose answer was lost, and whose key PayPal has forgotten, is found and not given back again', async () => {
  const { payment } = await sold()
  const developer = await asDeveloper(app)
  const path = `/products/${app.seller.product.id}/payments/${payment.id}/refunds.json`
  const before = paypal.books.refunds.size
  paypal.faults.push('none', 'lost')
  assert.equal((await developer('POST', path, { amount: 1 })).status, 503)
  muchLater()
  app.ctx.clock.advance(DAY)
  await shop.settle(settleRefunds)
  assert.equal(paypal.books.refunds.size, before + 1)
  assert.deepEqual(await undoneOf(app, payment), [['refund', -100]])
  assert.deepEqual(await ledgerFaults(app), [])
})

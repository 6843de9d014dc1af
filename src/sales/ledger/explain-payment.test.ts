import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, type CallAs } from '../../../test/callers.ts'
import { expectOk } from '../../../test/installs.ts'
import { paymentRow, scopeOf, sell } from '../../../test/sales.ts'
import { recordPayment } from '../payments/record-payment.ts'
import { openDispute, settleDispute } from '../refunds/disputes.ts'
import type { PaymentMoney } from './schema.ts'

let app: TestApp
let call: CallAs
before(async () => {
  app = await startTestApp('explain_payment')
  call = await asDeveloper(app)
})
after(() => app.close())

const path = (id: number | string, rest = '/money.json') =>
  `/products/${app.seller.product.id}/payments/${id}${rest}`
const moneyOf = async (id: number): Promise<PaymentMoney> => expectOk(await call('GET', path(id))).json

/** What the postings of each row come to, in minor units. */
function sumsOf({ postings }: PaymentMoney): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { payment_id: of, amount } of postings) sums[of] = (sums[of] ?? 0) + Math.round(amount * 100)
  return sums
}

const shown = ({ postings }: PaymentMoney, type: string) =>
  postings.filter((one) => one.type === type).map(({ account, amount }) => [account, amount])

test('a payment is told by its lines, its tax and its postings, which come to 0', async () => {
  const { payment } = await sell(app)
  const money = await moneyOf(payment.id)
  assert.deepEqual(
    money.lines.map(({ amount }) => amount),
    [49.99],
  )
  assert.deepEqual([money.tax, money.currency, money.payment_id], [10, 'usd', String(payment.id)])
  assert.deepEqual(shown(money, 'payment'), [
    ['gateway:stripe', 58.24],
    ['gateway_fees', 1.75],
    ['revenue', -49.99],
    ['tax', -10],
  ])
  assert.deepEqual(sumsOf(money), { [payment.id]: 0 })
})

test('what takes a payment back is told with it, and comes to 0 by itself', async () => {
  const { payment } = await sell(app, { payment: { gateway: null } })
  await app.write((tx) => openDispute(tx, scopeOf(app), { paymentId: payment.id, minor: 5999, fee: 1500 }))
  await app.write((tx) => settleDispute(tx, scopeOf(app), { paymentId: payment.id, isWon: true }))
  const refund = expectOk(await call('POST', path(payment.id, '/refunds.json'), { amount: 9.5 })).json
  const money = await moneyOf(payment.id)
  assert.deepEqual(
    new Set(money.postings.map(({ type }) => type)),
    new Set(['payment', 'disputed', 'won_dispute', 'refund']),
  )
  assert.deepEqual(Object.values(sumsOf(money)), [0, 0, 0, 0])
  assert.deepEqual(
    shown(money, 'disputed').find(([account]) => account === 'gateway_fees'),
    ['gateway_fees', 15],
  )
  const own = await moneyOf(Number(refund.id))
  assert.deepEqual(sumsOf(own), { [refund.id]: 0 })
  assert.equal(
    own.lines.reduce((sum, { amount }) => sum + amount, own.tax),
    9.5,
  )
})

test('what is left of a payment is what can be given back of it, whatever was disputed, won or refunded', async () => {
  const { payment } = await sell(app, { payment: { gateway: null } })
  const refund = (amount: number) => call('POST', path(payment.id, '/refunds.json'), { amount })
  const told = async () => {
    const { left, bound } = await moneyOf(payment.id)
    return [left, bound.map(({ type, amount }) => [type, amount])]
  }
  assert.deepEqual(await told(), [59.99, []])
  await app.write((tx) => openDispute(tx, scopeOf(app), { paymentId: payment.id, minor: 5999, fee: 1500 }))
  const disputed = ['disputed', -59.99]
  assert.deepEqual(await told(), [0, [disputed]])
  assert.equal((await refund(0.01)).status, 400)
  await app.write((tx) => settleDispute(tx, scopeOf(app), { paymentId: payment.id, isWon: true }))
  const won = ['won_dispute', 59.99]
  assert.deepEqual(await told(), [59.99, [disputed, won]])
  expectOk(await refund(9.5))
  assert.deepEqual(await told(), [50.49, [disputed, won, ['refund', -9.5]]])
  assert.equal((await refund(50.5)).status, 400)
  const rest = expectOk(await refund(50.49)).json
  assert.equal((await told())[0], 0)
  assert.equal((await moneyOf(Number(rest.id))).left, 0)
})

test('each discount is a line of its own, and the rate of the tax is told in per cent', async () => {
  const { bought } = await sell(app)
  const row = paymentRow(bought, app.ctx.clock.real(), {
    discounts: [{ type: 'prorate', discount: 500, coupon_id: null }],
    tax_rate: 190_000,
  })
  const { id, gross } = await app.write((tx) => recordPayment(tx, scopeOf(app), row))
  const money = await moneyOf(id)
  assert.deepEqual(
    money.lines.map(({ amount }) => Math.round(amount * 100)),
    [gross + 500, -500],
  )
  assert.equal(money.tax_rate, 19)
})

test('of a payment of nothing there are no postings, and of that of somebody else nothing is told', async () => {
  const { bought } = await sell(app)
  const free = paymentRow(bought, app.ctx.clock.real(), { gross: 0, tax: 0, gateway_fee: 0, gateway: null })
  const { id } = await app.write((tx) => recordPayment(tx, scopeOf(app), free))
  assert.deepEqual((await moneyOf(id)).postings, [])
  const { other } = app.seller
  const elsewhere = `/products/${other.id}/payments/${id}/money.json`
  assert.equal((await app.call('GET', elsewhere, { token: other.token })).status, 404)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testContext } from '../../test/app.ts'
import { systemScope } from '../access/scope.ts'
import { checkLedger } from '../sales/ledger/check-ledger.ts'
import { fillDemo, openDemo } from './demo.ts'
import { invoiceOfPayment } from '../sales/invoices/of-payment.ts'

test('the demo has sold in its sandbox: a subscription, a redeemed coupon, a refund, an invoice and a cart', async (t) => {
  const { ctx, drop } = await testContext('demo_sales')
  t.after(drop)
  const demos = await Promise.all([fillDemo(ctx), fillDemo(ctx)])
  const [demo] = demos
  assert.ok(demo)
  assert.deepEqual(demos[1], demo)
  const { examples } = await openDemo(ctx, demo)
  const id = (name: string) => Number(examples[name])
  const payments = await ctx.db
    .selectFrom('payments')
    .select([
      'id',
      'type',
      'environment',
      'gateway',
      'coupon_id',
      'refunded_gross',
      'gross',
      'subscription_id',
    ])
    .where('environment', '=', 1)
    .orderBy('id')
    .execute()
  assert.deepEqual(
    payments.map(({ type, environment, gateway }) => `${type} ${environment} ${gateway}`).toSorted(),
    ['payment 1 test', 'payment 1 test', 'payment 1 test', 'refund 1 test'],
    'two that start at once sell once',
  )
  const of = (name: string) => payments.find((one) => one.id === id(name))
  assert.equal(of('payment_id')?.type, 'payment')
  assert.ok(payments.some(({ subscription_id: on }) => on === id('subscription_id')))
  assert.ok(payments.some(({ coupon_id: coupon }) => coupon === id('redeemed_coupon_id')))
  assert.equal(of('refund_id')?.type, 'refund')
  assert.ok(payments.some(({ refunded_gross: refunded, gross }) => refunded === gross))
  const cart = await ctx.db.selectFrom('carts').selectAll().where('id', '=', id('cart_id')).executeTakeFirst()
  assert.deepEqual([cart?.status, cart?.environment], ['visit', 1])
  const scope = systemScope(demo)
  const invoice = await invoiceOfPayment(ctx, scope, { paymentId: id('payment_id') })
  assert.match(JSON.stringify(invoice), /Demo Software GmbH/)
  assert.equal((await checkLedger(ctx)).ok, true)

  const events = () => ctx.db.selectFrom('events').select('id').execute()
  const before = (await events()).length
  await fillDemo(ctx)
  assert.equal((await events()).length, before, 'a second run adds nothing')
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { visit } from '../../../test/carts.ts'
import { expectOk } from '../../../test/installs.ts'
import { mailsTo } from '../../../test/mails.ts'
import { scopeOf, sell } from '../../../test/sales.ts'
import { countSales } from './count-sales-job.ts'
import { recoverCarts } from '../carts/recover-carts-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { DAY, HOUR } from '../../lib/time.ts'
import { recordPayment, type NewPayment } from './record-payment.ts'
import { takeOwed } from '../refunds/refund-payment.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('unbought_payments')
  await runDue(app.ctx, [countSales])
})
after(() => app.close())

const path = (rest: string) => `/products/${app.seller.product.id}${rest}`

type Sold = Awaited<ReturnType<typeof sell>>

/** What a purchase is paid with once more, now. */
function again({ payment }: Sold, more: Partial<NewPayment>): NewPayment {
  const {
    id,
    created: _c,
    updated: _u,
    refunded_gross: _g,
    refunded_tax: _t,
    product_id: _p,
    ...row
  } = payment
  const external_id = `again_${id}_${more.is_renewal ?? 0}`
  return { ...row, external_id, processed_at: app.ctx.clock.now(), ...more }
}

/** What was charged once more for a purchase, and is given back as it can pay for nothing. */
const chargedTwice = (sold: Sold, more: Partial<NewPayment> = {}) =>
  app.write(async (tx) => {
    const { id } = await recordPayment(tx, scopeOf(app), again(sold, more))
    await takeOwed(tx, scopeOf(app), id, { reason: 'It was charged twice.' })
  })

test('a product counts no purchase and no renewal that was charged for nothing, and its amount until that is given back', async () => {
  const sold = await sell(app)
  await sell(app, { offer: sold.offer, payment: { gross: 0, tax: 0, gateway: null } })
  await chargedTwice(sold)
  await chargedTwice(sold, { is_renewal: true })
  app.ctx.clock.advance(HOUR)
  await runDue(app.ctx, [countSales])
  const { json } = await app.call('GET', path('.json'))
  assert.deepEqual([json.total_purchases, json.total_renewals, json.earnings], [2, 0, 3 * 49.99])
})

test('a cart is recovered though its buyer was charged for nothing meanwhile, and not when something was bought', async () => {
  const [unbought, free] = [await sell(app), await sell(app)]
  app.ctx.clock.advance(10 * DAY)
  for (const { owner } of [unbought, free]) await visit(app, { email: owner.email })
  await chargedTwice(unbought)
  const nothing = { gross: 0, tax: 0, gateway: null, external_id: null }
  await app.write((tx) => recordPayment(tx, scopeOf(app), again(free, nothing)))
  app.ctx.clock.advance(2 * HOUR)
  await runDue(app.ctx, [recoverCarts])
  const mailed = async ({ owner }: Sold) =>
    (await mailsTo(app, owner.email)).filter(({ kind }) => kind === 'cart_recovery').length
  assert.deepEqual([await mailed(unbought), await mailed(free)], [1, 0])
})

test('the receipt that is mailed again is that of what was bought, not of what was charged for nothing', async () => {
  const [one, other] = [await sell(app), await sell(app)]
  await chargedTwice(one)
  expectOk(await app.call('POST', path(`/licenses/${one.license.id}/resend.json`)))
  const receipts = (await mailsTo(app, one.owner.email)).filter(({ invoiceOf }) => invoiceOf !== undefined)
  assert.deepEqual(
    receipts.map(({ invoiceOf }) => invoiceOf),
    [one.payment.id],
  )
  assert.ok((await mailsTo(app, other.owner.email)).every(({ invoiceOf }) => invoiceOf === undefined))
})

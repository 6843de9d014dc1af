import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { TestApp } from '../../../test/app.ts'
import { anotherProcess } from '../../../test/dying.ts'
import { provisionalShop } from '../../../test/provisional-taxes.ts'
import { leftOfPayment, reportOfTest, send, undoneOf } from '../../../test/reports.ts'
import { ledgerFaults } from '../../../test/sales.ts'
import { settleRefunds } from './settle-refunds-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { MAX_CHECKS } from '../taxes/tax-checks.ts'
import { DAY, HOUR } from '../../lib/time.ts'
import type { PaymentRow } from '../payments/schema.ts'

let shop: Awaited<ReturnType<typeof provisionalShop>>
let app: TestApp
before(async () => {
  shop = await provisionalShop('owed_tax')
  app = shop.app
})
beforeEach(() => shop.reset())
after(() => app.close())

test('a tax that its gateway refuses to give back is given back when it is asked again the next day', async () => {
  const { payment } = await shop.sold()
  shop.others.office = true
  shop.others.isRefused = true
  await shop.runAfter(2 * HOUR)
  assert.deepEqual([shop.others.given.length, await undoneOf(app, payment)], [1, []])
  await shop.runAfter(2 * HOUR)
  assert.equal(shop.others.given.length, 1)
  shop.others.isRefused = false
  for (let times = 0; times < 3; times++) await shop.runAfter(DAY)
  assert.deepEqual(shop.others.given, [`tax:${payment.id}`, `tax:${payment.id}-2`])
  assert.deepEqual(await undoneOf(app, payment), [['refund', -payment.tax]])
  assert.equal((await shop.taxOf(payment)).state, 'credited')
  assert.deepEqual(await ledgerFaults(app), [])
})

/** The gateway reports that what it gave back of a tax could not be paid out. */
async function fail({ id, external_id: chargeId, tax }: PaymentRow): Promise<number> {
  const { external_id: refundId } = await app.ctx.db
    .selectFrom('payments')
    .select('external_id')
    .where('bound_payment_id', '=', id)
    .where('external_id', 'not like', '%:failed')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const about = { at: app.ctx.clock.real(), chargeId: chargeId ?? '', refundId: refundId ?? '' }
  const event = { type: 'refund', id: `failed_${refundId}`, state: 'failed', minor: tax, ...about } as const
  return (await send(app, 'test', reportOfTest(app, event))).status
}

test('a tax whose refund fails later is owed again: it is given back in a day, though nobody can check the id then', async () => {
  const other = (await shop.sold()).payment
  const { payment } = await shop.sold()
  shop.others.office = true
  await shop.runAfter(2 * HOUR)
  shop.others.office = null
  shop.others.given = []
  assert.deepEqual([await fail(payment), await fail(payment)], [200, 200])
  const back = [
    ['refund', -payment.tax],
    ['refund', payment.tax],
  ]
  assert.deepEqual(await undoneOf(app, payment), back)
  await shop.runAfter(23 * HOUR)
  assert.deepEqual([shop.others.given, (await shop.taxOf(payment)).state], [[], 'owed'])
  await shop.runAfter(2 * HOUR)
  assert.deepEqual(shop.others.given, [`tax:${payment.id}-2`])
  assert.deepEqual(await undoneOf(app, payment), [...back, ['refund', -payment.tax]])
  assert.deepEqual(
    [(await shop.taxOf(payment)).state, await leftOfPayment(app, payment)],
    ['credited', payment.gross],
  )
  assert.deepEqual(await undoneOf(app, other), [['refund', -other.tax]])
  assert.deepEqual(await ledgerFaults(app), [])
})

test('a tax that its gateway refuses for longer than ids are checked stays owed, and is given back when it takes it', async () => {
  const { payment } = await shop.sold()
  shop.others.office = true
  shop.others.isRefused = true
  for (let times = 0; times < MAX_CHECKS + 2; times++) await shop.runAfter(DAY)
  assert.equal((await shop.taxOf(payment)).state, 'owed')
  shop.others.isRefused = false
  await shop.runAfter(DAY)
  assert.deepEqual(await undoneOf(app, payment), [['refund', -payment.tax]])
})

test('a refund that its seller asks for is made beside that of a tax of the same amount', async () => {
  const { payment } = await shop.sold()
  shop.others.office = true
  shop.others.isLost = true
  await shop.runAfter(2 * HOUR)
  shop.others.isLost = false
  const path = `/products/${app.seller.product.id}/payments/${payment.id}/refunds.json`
  assert.equal((await shop.developer('POST', path, { amount: payment.tax / 100 })).status, 201)
  app.ctx.clock.advance(DAY)
  await runDue(app.ctx, [settleRefunds])
  assert.deepEqual(await undoneOf(app, payment), [
    ['refund', -payment.tax],
    ['refund', -payment.tax],
  ])
  assert.equal(await leftOfPayment(app, payment), payment.gross - payment.tax)
})

test('a tax that is owed stays so, however often a fault of ours keeps it from being given back', async () => {
  const { payment } = await shop.sold()
  shop.others.office = true
  shop.others.isRefused = true
  await shop.runAfter(2 * HOUR)
  await app.write(({ db }) =>
    db
      .updateTable('provisional_taxes')
      .set({ attempts: MAX_CHECKS })
      .where('payment_id', '=', payment.id)
      .execute(),
  )
  const onStatement = (sql: string) => {
    if (sql.startsWith('insert into "charges"')) throw new Error('It is broken.')
  }
  const faulty = anotherProcess(app, { onStatement })
  try {
    await shop.runAfter(2 * DAY, faulty.ctx)
  } finally {
    await faulty.close()
  }
  assert.equal((await shop.taxOf(payment)).state, 'owed')
  shop.others.isRefused = false
  await shop.runAfter(2 * DAY)
  assert.deepEqual(await undoneOf(app, payment), [['refund', -payment.tax]])
})

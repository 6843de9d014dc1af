import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { TestApp } from '../../test/app.ts'
import { provisionalShop } from '../../test/provisional-taxes.ts'
import { leftOfPayment, reportOfTest, send, undoneOf } from '../../test/reports.ts'
import { ledgerFaults } from '../../test/sales.ts'
import { MAX_CHECKS } from '../lib/tax-checks.ts'
import { DAY, HOUR } from '../lib/time.ts'
import type { PaymentRow } from '../resources/payments/schema.ts'

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

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { buy, leftOfPayment, undoneOf } from '../../test/reports.ts'
import { ledgerFaults } from '../../test/sales.ts'
import { owingTo } from '../../test/stripe/owed.ts'
import { stripeShop } from '../../test/stripe/renewals.ts'
import type { Resource } from '../../test/stripe/api.ts'
import { offerFor } from '../../test/licenses.ts'
import type { PaymentRow } from '../resources/payments/schema.ts'
import { checkLedger } from './check-ledger.ts'

let shop: Awaited<ReturnType<typeof stripeShop>>
let owing: ReturnType<typeof owingTo>
const owed = () => owing.owed()
before(async () => {
  shop = await stripeShop('owed_refunds')
  owing = owingTo(shop)
})
after(() => shop.close())

/** Nothing is open or wrong, and who has paid for the license has it. */
async function assertSettled({ licenseId, subscriptionId }: Awaited<ReturnType<typeof owed>>): Promise<void> {
  const { is_cancelled: isCancelled } = await shop.app.ctx.db
    .selectFrom('licenses')
    .select('is_cancelled')
    .where('id', '=', licenseId)
    .executeTakeFirstOrThrow()
  assert.deepEqual([isCancelled, (await shop.subscriptionOf(subscriptionId)).canceled_at], [0, null])
  const waiting = await shop.app.ctx.db
    .selectFrom('gateway_events')
    .select('event_id')
    .where('due_at', 'is not', null)
    .execute()
  assert.deepEqual(waiting, [])
  assert.deepEqual(await ledgerFaults(shop.app), [])
  assert.deepEqual((await checkLedger(shop.app.ctx)).open_charges, [])
}

const undone = (payment: PaymentRow) => undoneOf(shop.app, payment)

for (const status of ['lost', 'won'] as const) {
  test(`what is owed and is disputed before it is given back is disputed, and is ${status === 'won' ? 'owed again' : 'gone'} when that is ${status}`, async () => {
    const one = await owed()
    const dispute = shop.stripe.api.dispute(one.intent)
    await owing.pass(2)
    assert.deepEqual(await undone(one.renewal), [])
    await owing.report('charge.dispute.created', dispute)
    await owing.pass(3)
    assert.deepEqual(await undone(one.renewal), [['disputed', -one.total]])
    dispute.status = status
    await owing.report('charge.dispute.closed', dispute)
    await owing.pass(2)
    const ends =
      status === 'won'
        ? [
            ['won_dispute', one.total],
            ['refund', -one.total],
          ]
        : [['lost_dispute', 0]]
    assert.deepEqual(await undone(one.renewal), [['disputed', -one.total], ...ends])
    assert.equal(owing.refundsAt(one.intent.id).length, status === 'won' ? 1 : 0)
    await assertSettled(one)
  })
}

test('what is owed and is given back by hand is written down once, and not given back again', async () => {
  const one = await owed()
  const form = new URLSearchParams({ payment_intent: one.intent.id, amount: String(one.total) })
  await owing.report('refund.created', shop.stripe.api.answer('POST', '/v1/refunds', form))
  await owing.pass(30)
  assert.deepEqual(await undone(one.renewal), [['refund', -one.total]])
  assert.equal(owing.refundsAt(one.intent.id).length, 1)
  await assertSettled(one)
})

test('what is owed and is refused rests for a day, however often a report of it is looked at again', async () => {
  const one = await owed()
  one.intent.latest_charge.amount_refunded = one.intent.amount
  const asked = shop.stripe.asked.length
  await owing.pass(20)
  one.intent.latest_charge.amount_refunded = 0
  shop.stripe.forgetKeys()
  assert.ok(shop.stripe.asked.length - asked < 10, 'asked in a tight loop')
  await owing.pass(6)
  assert.deepEqual(await undone(one.renewal), [['refund', -one.total]])
  await assertSettled(one)
})

/** The bank of the buyer sends a refund back. */
async function fail(refund: Resource, intent: Resource): Promise<void> {
  refund.status = 'failed'
  intent.latest_charge.amount_refunded = 0
  await owing.report('refund.failed', refund)
}

test('a refund of what is owed that fails after all is asked for again in a day, under another key', async () => {
  const one = await owed()
  await owing.pass(1)
  const [first] = owing.refundsAt(one.intent.id)
  await fail(first, one.intent)
  await fail(first, one.intent)
  assert.equal(await leftOfPayment(shop.app, one.renewal), 0)
  await owing.pass(2)
  assert.equal(owing.refundsAt(one.intent.id).length, 1)
  await owing.pass(24)
  assert.deepEqual(await undone(one.renewal), [
    ['refund', -one.total],
    ['refund', one.total],
    ['refund', -one.total],
  ])
  await assertSettled(one)
})

/** What was paid under the key of a charge that was declined before, and became no payment. */
async function unbought() {
  const { pricingId } = await offerFor(shop.app, 1)
  const { reply } = await buy(shop.app, pricingId, 'pm_card_chargeDeclined')
  assert.equal(reply.status, 400, reply.text)
  const asked = shop.stripe.asked.findLast(
    ({ path, form }) => path.endsWith('/payment_intents') && form.has('amount'),
  )
  const form = new URLSearchParams(asked?.form)
  form.set('payment_method', 'pm_card_visa')
  form.delete('customer')
  const intent = shop.stripe.api.answer('POST', '/v1/payment_intents', form)
  await owing.report('payment_intent.succeeded', intent)
  return intent
}

const isSettled = async (): Promise<boolean> => {
  const { open_charges: open, unbooked_charges: none, ok } = await checkLedger(shop.app.ctx)
  return open.length === 0 && none.length === 0 && ok
}

test('a refund of what became no payment that fails after all is asked for again in a day', async () => {
  const intent = await unbought()
  await unbought()
  await owing.pass(1)
  const [first] = owing.refundsAt(intent.id)
  await fail(first, intent)
  await fail(first, intent)
  await owing.pass(26)
  assert.deepEqual(
    owing.refundsAt(intent.id).map(({ status, amount }) => [status, amount]),
    [
      ['failed', intent.amount],
      ['succeeded', intent.amount],
    ],
  )
  assert.ok(await isSettled())
})

test('what became no payment and is disputed before it is given back is so by a dispute that is lost, else asked for again', async () => {
  for (const status of ['lost', 'won']) {
    const intent = await unbought()
    const dispute = shop.stripe.api.dispute(intent)
    await owing.pass(2)
    assert.equal(await isSettled(), false)
    await owing.report('charge.dispute.created', dispute)
    dispute.status = status
    await owing.report('charge.dispute.closed', dispute)
    shop.stripe.forgetKeys()
    await owing.pass(26)
    assert.equal(owing.refundsAt(intent.id).length, status === 'won' ? 1 : 0)
    assert.ok(await isSettled(), status)
  }
})

test('what became no payment and is not given back is named by the check of the ledger, beside what is', async () => {
  await unbought()
  const { id } = await unbought()
  const { id: chargeId, key } = await shop.app.ctx.db
    .selectFrom('charges')
    .select(['id', 'key'])
    .where('external_id', '=', id)
    .executeTakeFirstOrThrow()
  const setRefund = (of_charge_id: number | null) =>
    shop.app.write(({ db }) =>
      db
        .updateTable('charges')
        .set({ of_charge_id })
        .where('key', '=', `refund:charge:${chargeId}`)
        .execute(),
    )
  await setRefund(null)
  const { ok, unbooked_charges: unbooked } = await checkLedger(shop.app.ctx)
  assert.deepEqual([ok, unbooked.map((one) => one.key)], [false, [key]])
  await setRefund(chargeId)
  await owing.pass(1)
  assert.ok(await isSettled())
})

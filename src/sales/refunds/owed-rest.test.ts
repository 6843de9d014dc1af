import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { leftOfPayment, undoneOf } from '../../../test/reports.ts'
import { ledgerFaults } from '../../../test/sales.ts'
import type { Resource } from '../../../test/stripe/api.ts'
import { owingTo } from '../../../test/stripe/owed.ts'
import { stripeShop } from '../../../test/stripe/renewals.ts'
import { DAY, HOUR } from '../../lib/time.ts'
import type { PaymentRow } from '../payments/schema.ts'
import { checkLedger } from '../ledger/check-ledger.ts'

let shop: Awaited<ReturnType<typeof stripeShop>>
let owing: ReturnType<typeof owingTo>
before(async () => {
  shop = await stripeShop('owed_rest')
  owing = owingTo(shop)
})
after(() => shop.close())

const quarterOf = (total: number): number => Math.floor(total / 4)

/** What the buyer has is so much, at the gateway and in the books, and nothing is open or wrong. */
async function assertGiven(intent: Resource, payment: PaymentRow | null, minor: number): Promise<void> {
  assert.equal(owing.givenOf(intent), minor)
  if (payment) {
    const amounts = (await undoneOf(shop.app, payment)).map(([, amount]) => Number(amount))
    assert.equal(
      amounts.reduce((sum, amount) => sum - amount, 0),
      minor,
    )
  }
  assert.deepEqual(await ledgerFaults(shop.app), [])
  const { ok, open_charges: open } = await checkLedger(shop.app.ctx)
  assert.deepEqual([ok, open], [true, []])
}

/** Reports the end of a dispute. */
async function close(dispute: Resource, status: 'won' | 'lost'): Promise<void> {
  dispute.status = status
  await owing.report('charge.dispute.closed', dispute)
  shop.stripe.forgetKeys()
}

test('a part that was given back by hand and fails is owed, though the rest was given back by itself', async () => {
  const { intent, renewal, total } = await owing.owed()
  const hand = owing.byHand(intent, quarterOf(total))
  await owing.report('refund.created', hand)
  await owing.pass(30)
  await assertGiven(intent, renewal, total)
  await owing.fail(hand)
  assert.equal(owing.givenOf(intent), total - quarterOf(total))
  await owing.pass(30)
  await assertGiven(intent, renewal, total)
})

test('what a dispute returns that is won is owed, though the rest was given back meanwhile', async () => {
  const { intent, renewal, total } = await owing.owed()
  const dispute = shop.stripe.api.dispute(intent, { amount: quarterOf(total) })
  await owing.pass(2)
  await owing.report('charge.dispute.created', dispute)
  await owing.pass(30)
  assert.equal(owing.givenOf(intent), total - quarterOf(total))
  await close(dispute, 'won')
  await owing.pass(30)
  await assertGiven(intent, renewal, total)
})

const PART = 200

test('a part that is owed and given back by hand is owed again when that fails', async () => {
  const { intent, payment } = await owing.partOwed(PART)
  await owing.refusing(intent, () => owing.pass(1))
  const hand = owing.byHand(intent, PART)
  await owing.report('refund.created', hand)
  await owing.pass(30)
  await assertGiven(intent, payment, PART)
  await owing.fail(hand)
  assert.equal(owing.givenOf(intent), 0)
  await owing.pass(30)
  await assertGiven(intent, payment, PART)
})

test('a part that is owed is given back whole in the end, when a dispute that leaves less is won', async () => {
  const { intent, payment, total } = await owing.partOwed(PART)
  await owing.refusing(intent, () => owing.pass(1))
  const dispute = shop.stripe.api.dispute(intent, { amount: total - 50 })
  await owing.report('charge.dispute.created', dispute)
  await owing.pass(3)
  assert.equal(owing.givenOf(intent), 50)
  await close(dispute, 'won')
  await owing.pass(30)
  await assertGiven(intent, payment, PART)
})

for (const isWon of [true, false]) {
  test(`what is owed, was given back and is disputed whole is not given again when that fails, ${isWon ? 'until the dispute is won' : 'and the dispute is lost'}`, async () => {
    const { intent, renewal, total } = await owing.owed()
    await owing.pass(2)
    const dispute = shop.stripe.api.dispute(intent)
    await owing.report('charge.dispute.created', dispute)
    for (const made of owing.refundsAt(intent.id)) await owing.fail(made)
    await owing.pass(3, DAY + HOUR)
    assert.deepEqual([owing.givenOf(intent), await leftOfPayment(shop.app, renewal)], [0, 0])
    assert.deepEqual((await checkLedger(shop.app.ctx)).open_charges, [])
    await close(dispute, isWon ? 'won' : 'lost')
    await owing.pass(3, DAY + HOUR)
    if (isWon) return assertGiven(intent, renewal, total)
    assert.deepEqual([owing.givenOf(intent), await leftOfPayment(shop.app, renewal)], [0, 0])
    assert.deepEqual(await ledgerFaults(shop.app), [])
  })
}

test('a part that is owed and whose rest was refused while it was disputed is given back whole when that is won', async () => {
  const { intent, payment, total } = await owing.partOwed(PART)
  await owing.refusing(intent, () => owing.pass(1))
  const dispute = shop.stripe.api.dispute(intent, { amount: total - 50 })
  await owing.report('charge.dispute.created', dispute)
  await owing.refusing(intent, () => owing.pass(3))
  await close(dispute, 'won')
  await owing.pass(30)
  await assertGiven(intent, payment, PART)
})

test('what a seller gives back by hand beside a part that was given back is not taken off it when it fails', async () => {
  const { intent, payment } = await owing.partOwed(PART)
  await owing.pass(1)
  const hand = owing.byHand(intent, PART)
  await owing.report('refund.created', hand)
  await assertGiven(intent, payment, 2 * PART)
  await owing.fail(hand)
  await owing.pass(30)
  await assertGiven(intent, payment, PART)
})

test('what has failed and is given back by hand while it rests is not given twice', async () => {
  const { intent, payment } = await owing.partOwed(PART)
  await owing.pass(1)
  await owing.fail(owing.refundsAt(intent.id)[0])
  await owing.report('refund.created', owing.byHand(intent, PART))
  await owing.pass(30)
  await assertGiven(intent, payment, PART)
})

test('what has failed and was given back by hand is not given twice, though the failure is told last', async () => {
  const part = await owing.partOwed(PART)
  await owing.pass(1)
  const [ours] = owing.refundsAt(part.intent.id)
  shop.stripe.api.failRefund(ours)
  await owing.report('refund.created', owing.byHand(part.intent, PART))
  await owing.report('refund.failed', ours)
  await owing.pass(30)
  await assertGiven(part.intent, part.payment, PART)
})

test('what was given back by hand and is more than the books have left waits until the failure is told that left it', async () => {
  const { intent, renewal, total } = await owing.owed()
  await owing.pass(1)
  const [ours] = owing.refundsAt(intent.id)
  shop.stripe.api.failRefund(ours)
  await owing.report('refund.created', owing.byHand(intent, total))
  await owing.pass(5)
  assert.deepEqual(await undoneOf(shop.app, renewal), [['refund', -total]])
  const asked = shop.stripe.asked.length
  await owing.report('refund.failed', ours)
  await owing.pass(50)
  assert.ok(shop.stripe.asked.length - asked < 5, 'asked for what the buyer has')
  assert.deepEqual(await undoneOf(shop.app, renewal), [
    ['refund', -total],
    ['refund', total],
    ['refund', -total],
  ])
  await assertGiven(intent, renewal, total)
})

test('of what was given back by hand and stays more than the books have left, that is written down after three days', async () => {
  const { intent, payment } = await owing.partOwed(PART)
  const { licenseId, total } = { licenseId: payment.license_id, total: payment.gross + payment.tax }
  assert.ok(licenseId)
  await owing.pass(1)
  const [ours] = owing.refundsAt(intent.id)
  shop.stripe.api.failRefund(ours)
  await owing.report('refund.created', owing.byHand(intent, total))
  await owing.pass(70)
  assert.deepEqual(await undoneOf(shop.app, payment), [['refund', -PART]])
  await owing.pass(10)
  assert.deepEqual(await undoneOf(shop.app, payment), [
    ['refund', -PART],
    ['refund', PART - total],
  ])
})

/** What was given back of a charge that became no payment, as the audit log tells it, in order. */
async function toldOf(since: number): Promise<string[]> {
  const rows = await shop.app.ctx.db
    .selectFrom('audit_log')
    .select('action')
    .where('id', '>', since)
    .where('action', 'like', 'charges/%')
    .orderBy('id')
    .execute()
  return rows.map(({ action }) => action)
}
const lastTold = async (): Promise<number> => {
  const { id } = await shop.app.ctx.db
    .selectFrom('audit_log')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirstOrThrow()
  return Number(id)
}

test('the rest of what became no payment is given back where a part was by hand, and the part when that fails', async () => {
  const since = await lastTold()
  const intent = await owing.unbought()
  const hand = owing.byHand(intent, quarterOf(intent.amount))
  await owing.pass(1)
  for (let times = 0; times < 2; times++) await owing.report('refund.created', hand)
  await owing.pass(30)
  await assertGiven(intent, null, intent.amount)
  await owing.fail(hand)
  await owing.report('refund.failed', hand)
  await owing.pass(2)
  assert.equal(owing.givenOf(intent), intent.amount - hand.amount)
  await owing.pass(30)
  await assertGiven(intent, null, intent.amount)
  assert.deepEqual(await toldOf(since), [
    'charges/given-back',
    'charges/given-back-otherwise',
    'charges/refund-failed',
  ])
})

test('the rest of what became no payment is given back where a part was lost in a dispute, however often it is told', async () => {
  const intent = await owing.unbought()
  const dispute = shop.stripe.api.dispute(intent, { amount: quarterOf(intent.amount) })
  await owing.pass(1)
  await close(dispute, 'lost')
  await owing.report('charge.dispute.updated', dispute)
  await owing.pass(30)
  await assertGiven(intent, null, intent.amount - dispute.amount)
  await owing.fail(owing.refundsAt(intent.id)[0])
  await owing.pass(30)
  await assertGiven(intent, null, intent.amount - dispute.amount)
})

test('what was given back by hand of what became no payment waits while nobody knows whether the rest was given back', async () => {
  const intent = await owing.unbought()
  const [first, second] = [1, 2].map(() => quarterOf(intent.amount))
  const hand = owing.byHand(intent, first ?? 0)
  await owing.pass(1)
  await owing.report('refund.created', hand)
  shop.stripe.faults.push('none', 'lost', 'lost')
  await owing.pass(1)
  assert.equal(owing.givenOf(intent), intent.amount)
  shop.stripe.api.failRefund(hand)
  await owing.report('refund.created', owing.byHand(intent, second ?? 0))
  await owing.pass(3)
  await owing.report('refund.failed', hand)
  await owing.pass(30)
  await assertGiven(intent, null, intent.amount)
})

test('what became no payment, has failed and was given back by hand is not given twice, in whatever order it is told', async () => {
  for (const isToldFirst of [true, false]) {
    const intent = await owing.unbought()
    await owing.pass(1)
    const [ours] = owing.refundsAt(intent.id)
    shop.stripe.api.failRefund(ours)
    if (isToldFirst) await owing.report('refund.failed', ours)
    await owing.report('refund.created', owing.byHand(intent, intent.amount))
    if (!isToldFirst) await owing.report('refund.failed', ours)
    const asked = shop.stripe.asked.length
    await owing.pass(30)
    assert.equal(shop.stripe.asked.length, asked)
    await assertGiven(intent, null, intent.amount)
  }
})

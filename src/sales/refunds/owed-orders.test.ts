import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { anotherProcess } from '../../../test/dying.ts'
import { leftOfPayment } from '../../../test/reports.ts'
import { ledgerFaults } from '../../../test/sales.ts'
import type { Resource } from '../../../test/stripe/api.ts'
import { OwedPlay, type Owed } from '../../../test/stripe/owed-play.ts'
import { owingTo } from '../../../test/stripe/owed.ts'
import { stripeShop } from '../../../test/stripe/renewals.ts'
import { DAY, HOUR } from '../../lib/time.ts'
import { checkLedger } from '../ledger/check-ledger.ts'
import { takeReports } from '../charges/gateway-reports.ts'

let shop: Awaited<ReturnType<typeof stripeShop>>
let owing: ReturnType<typeof owingTo>
before(async () => {
  shop = await stripeShop('owed_orders')
  owing = owingTo(shop)
})
after(() => shop.close())

const PLAYS = 4
const MOVES = 12

const KINDS: Readonly<Record<string, () => Promise<Owed>>> = {
  async 'a payment that has bought nothing'() {
    const { intent, renewal } = await owing.owed()
    return { intent, payment: renewal, part: null }
  },
  async 'a part of a payment'() {
    const { intent, payment } = await owing.partOwed(300)
    return { intent, payment, part: 300 }
  },
  'a charge that became no payment': async () => ({
    intent: await owing.unbought(),
    payment: null,
    part: null,
  }),
}

for (const [what, begin] of Object.entries(KINDS)) {
  test(`R10: ${what} that is owed is given back once, whatever happens to it and in whatever order that is told`, async () => {
    for (let seed = 1; seed <= PLAYS; seed++) {
      const play = new OwedPlay(shop, owing, await begin(), seed)
      await play.play(MOVES)
      await play.assertSettled()
      const { ok, open_charges: open } = await checkLedger(shop.app.ctx)
      assert.deepEqual([ok, open], [true, []], `seed ${seed}: ${play.told.join('; ')}`)
    }
    assert.deepEqual(await ledgerFaults(shop.app), [])
  })
}

/** Money that is owed, of which a part was given back by hand and is to fail, and another is disputed. */
async function torn({ intent, payment }: Owed) {
  const quarter = Math.floor(intent.amount / 4)
  const hand = owing.byHand(intent, quarter)
  await owing.report('refund.created', hand)
  const dispute = shop.stripe.api.dispute(intent, { amount: quarter })
  await owing.pass(2)
  await owing.report('charge.dispute.created', dispute)
  await owing.pass(3)
  assert.equal(owing.givenOf(intent), intent.amount - quarter)
  if (payment) assert.equal(await leftOfPayment(shop.app, payment), 0)
  return { intent, hand, dispute }
}

test('R04: of what fails and what is won, told at once and repeatedly by two processes, all is owed again, once', async () => {
  const other = anotherProcess(shop.app)
  try {
    for (let round = 0; round < 4; round++) {
      const { renewal: payment, ...one } = await owing.owed()
      const { intent, hand, dispute } = await torn({ ...one, payment, part: null })
      shop.stripe.api.failRefund(hand)
      dispute.status = 'won'
      const reports = ['refund.failed', 'refund.updated', 'refund.failed'].map((type) =>
        owing.reportOf(type, hand),
      )
      reports.push(...[1, 2, 3].map(() => owing.reportOf('charge.dispute.closed', dispute)))
      const taken = await Promise.all(reports.map((one) => shop.gateway.readWebhook(one)))
      await Promise.all(
        taken.map((events, n) => takeReports(n % 2 ? other.ctx : shop.app.ctx, 'stripe', events ?? [])),
      )
      assert.equal(await leftOfPayment(shop.app, payment), 0)
      await owing.pass(3)
      await owing.pass(3, DAY + HOUR)
      assert.equal(owing.givenOf(intent), one.total)
    }
  } finally {
    await other.close()
  }
  const { ok, open_charges: open } = await checkLedger(shop.app.ctx)
  assert.deepEqual([ok, open], [true, []])
})

/** What of a charge that became no payment is given back or under way, as it is written, minor units. */
async function begunOf({ id }: Resource): Promise<number> {
  const rows = await shop.app.ctx.db
    .selectFrom('charges')
    .innerJoin('charges as paid', 'paid.id', 'charges.of_charge_id')
    .select('charges.amount')
    .where('paid.external_id', '=', id)
    .where('charges.state', '<>', 'declined')
    .execute()
  return rows.reduce((sum, { amount }) => sum + amount, 0)
}

test('R04: of refunds by hand of what became no payment that are told at once by two processes, the rest alone is owed', async () => {
  const other = anotherProcess(shop.app)
  try {
    for (let round = 0; round < 4; round++) {
      const intent = await owing.unbought()
      const hands = [1, 2, 3, 4].map(() => owing.byHand(intent, Math.floor(intent.amount / 5)))
      await owing.pass(1)
      const reports = hands.map((hand) => shop.gateway.readWebhook(owing.reportOf('refund.created', hand)))
      const taken = await Promise.all(reports)
      await Promise.all(
        taken.map((events, n) => takeReports(n % 2 ? other.ctx : shop.app.ctx, 'stripe', events ?? [])),
      )
      assert.equal(await begunOf(intent), intent.amount)
      await owing.pass(3)
      await owing.pass(3, DAY + HOUR)
      assert.deepEqual([owing.givenOf(intent), await begunOf(intent)], [intent.amount, intent.amount])
    }
  } finally {
    await other.close()
  }
})

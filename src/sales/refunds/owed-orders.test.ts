import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { anotherProcess } from '../../../test/dying.ts'
import { leftOfPayment } from '../../../test/reports.ts'
import { ledgerFaults } from '../../../test/sales.ts'
import { OwedPlay, type Owed } from '../../../test/owed-play.ts'
import { owingTo, type Owing } from '../../../test/owing.ts'
import { moverShop, MOVERS_ONCE, type MoverShop } from '../../../test/movers.ts'
import { DAY, HOUR } from '../../lib/time.ts'
import { checkLedger } from '../ledger/check-ledger.ts'
import { takeReports } from '../charges/gateway-reports.ts'

for (const kind of MOVERS_ONCE) {
  describe(kind, () => {
    let shop: MoverShop
    let owing: Owing
    before(async () => {
      shop = await moverShop('owed_orders', kind)
      owing = owingTo(shop)
    })
    after(() => shop.close())

    const PLAYS = 4
    const MOVES = 12

    const KINDS: Readonly<Record<string, () => Promise<Owed>>> = {
      async 'a payment that has bought nothing'() {
        const { charge, renewal, total } = await owing.owed()
        return { charge, total, payment: renewal, part: null }
      },
      async 'a part of a payment'() {
        const { charge, payment, total } = await owing.partOwed(300)
        return { charge, total, payment, part: 300 }
      },
      'a charge that became no payment': async () => ({
        ...(await owing.unbought()),
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
    async function torn({ charge, total, payment }: Owed) {
      const quarter = Math.floor(total / 4)
      const hand = shop.mover.byHand(charge, quarter)
      await owing.report(shop.mover.reportOfRefund(hand))
      const dispute = shop.mover.disputed(charge, quarter)
      await shop.pass(2)
      await owing.report(dispute.opened())
      await shop.pass(3)
      assert.equal(owing.givenOf(charge), shop.mover.refundsBesideDispute ? total - quarter : quarter)
      if (payment) assert.equal(await leftOfPayment(shop.app, payment), 0)
      return { charge, hand, dispute }
    }

    test('R04: of what fails and what is won, told at once and repeatedly by two processes, all is owed again, once', async () => {
      const other = anotherProcess(shop.app)
      try {
        for (let round = 0; round < 4; round++) {
          const { renewal: payment, ...one } = await owing.owed()
          const { charge, hand, dispute } = await torn({ ...one, payment, part: null })
          shop.mover.fail(hand)
          const reports = [1, 2, 3].flatMap(() => [shop.mover.reportOfFailed(hand), dispute.won()])
          const taken = await Promise.all(reports.map((one) => shop.mover.gateway.readWebhook(one)))
          await Promise.all(
            taken.map((events, n) =>
              takeReports(n % 2 ? other.ctx : shop.app.ctx, shop.mover.code, events ?? []),
            ),
          )
          assert.equal(await leftOfPayment(shop.app, payment), 0)
          await shop.pass(3)
          await shop.pass(3, DAY + HOUR)
          assert.equal(owing.givenOf(charge), one.total)
        }
      } finally {
        await other.close()
      }
      const { ok, open_charges: open } = await checkLedger(shop.app.ctx)
      assert.deepEqual([ok, open], [true, []])
    })

    /** What of a charge that became no payment is given back or under way, as it is written, minor units. */
    async function begunOf(charge: string): Promise<number> {
      const rows = await shop.app.ctx.db
        .selectFrom('charges')
        .innerJoin('charges as paid', 'paid.id', 'charges.of_charge_id')
        .select('charges.amount')
        .where('paid.external_id', '=', charge)
        .where('charges.state', '<>', 'declined')
        .execute()
      return rows.reduce((sum, { amount }) => sum + amount, 0)
    }

    test('R04: of refunds by hand of what became no payment that are told at once by two processes, the rest alone is owed', async () => {
      const other = anotherProcess(shop.app)
      try {
        for (let round = 0; round < 4; round++) {
          const { charge, total } = await owing.unbought()
          const hands = [1, 2, 3, 4].map(() => shop.mover.byHand(charge, Math.floor(total / 5)))
          await shop.pass(1)
          const reports = hands.map((hand) => shop.mover.gateway.readWebhook(shop.mover.reportOfRefund(hand)))
          const taken = await Promise.all(reports)
          await Promise.all(
            taken.map((events, n) =>
              takeReports(n % 2 ? other.ctx : shop.app.ctx, shop.mover.code, events ?? []),
            ),
          )
          assert.equal(await begunOf(charge), total)
          await shop.pass(3)
          await shop.pass(3, DAY + HOUR)
          assert.deepEqual([owing.givenOf(charge), await begunOf(charge)], [total, total])
        }
      } finally {
        await other.close()
      }
    })
  })
}

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { leftOfPayment, undoneOf } from '../../../test/reports.ts'
import { ledgerFaults } from '../../../test/sales.ts'
import type { Disputed } from '../../../test/mover.ts'
import { owingTo, type Owing } from '../../../test/owing.ts'
import { moverShop, MOVERS_ONCE, type MoverShop } from '../../../test/movers.ts'
import { DAY, HOUR } from '../../lib/time.ts'
import type { PaymentRow } from '../payments/schema.ts'
import { checkLedger } from '../ledger/check-ledger.ts'

for (const kind of MOVERS_ONCE) {
  describe(kind, () => {
    let shop: MoverShop
    let owing: Owing
    before(async () => {
      shop = await moverShop('owed_rest', kind)
      owing = owingTo(shop)
    })
    after(() => shop.close())

    const quarterOf = (total: number): number => Math.floor(total / 4)

    /** What the buyer has is so much, at the gateway and in the books, and nothing is open or wrong. */
    async function assertGiven(charge: string, payment: PaymentRow | null, minor: number): Promise<void> {
      assert.equal(owing.givenOf(charge), minor)
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

    /** What of so much is given back while the rest is disputed. */
    const besideDispute = (minor: number): number => (shop.mover.refundsBesideDispute ? minor : 0)

    /** Reports the end of a dispute. */
    async function close(dispute: Disputed, status: 'won' | 'lost'): Promise<void> {
      await owing.report(dispute[status]())
      shop.mover.forgetKeys()
    }

    test('a part that was given back by hand and fails is owed, though the rest was given back by itself', async () => {
      const { charge, renewal, total } = await owing.owed()
      const hand = shop.mover.byHand(charge, quarterOf(total))
      await owing.report(shop.mover.reportOfRefund(hand))
      await shop.pass(30)
      await assertGiven(charge, renewal, total)
      await owing.fail(hand)
      assert.equal(owing.givenOf(charge), total - quarterOf(total))
      await shop.pass(30)
      await assertGiven(charge, renewal, total)
    })

    test('what a dispute returns that is won is owed, though the rest was given back meanwhile', async () => {
      const { charge, renewal, total } = await owing.owed()
      const dispute = shop.mover.disputed(charge, quarterOf(total))
      await shop.pass(2)
      await owing.report(dispute.opened())
      await shop.pass(30)
      assert.equal(owing.givenOf(charge), besideDispute(total - quarterOf(total)))
      await close(dispute, 'won')
      await shop.pass(30)
      await assertGiven(charge, renewal, total)
    })

    const PART = 200

    test('a part that is owed and given back by hand is owed again when that fails', async () => {
      const { charge, payment } = await owing.partOwed(PART)
      await owing.refusing(charge, () => shop.pass(1))
      const hand = shop.mover.byHand(charge, PART)
      await owing.report(shop.mover.reportOfRefund(hand))
      await shop.pass(30)
      await assertGiven(charge, payment, PART)
      await owing.fail(hand)
      assert.equal(owing.givenOf(charge), 0)
      await shop.pass(30)
      await assertGiven(charge, payment, PART)
    })

    test('a part that is owed is given back whole in the end, when a dispute that leaves less is won', async () => {
      const { charge, payment, total } = await owing.partOwed(PART)
      await owing.refusing(charge, () => shop.pass(1))
      const dispute = shop.mover.disputed(charge, total - 50)
      await owing.report(dispute.opened())
      await shop.pass(3)
      assert.equal(owing.givenOf(charge), besideDispute(50))
      await close(dispute, 'won')
      await shop.pass(30)
      await assertGiven(charge, payment, PART)
    })

    for (const isWon of [true, false]) {
      test(`what is owed, was given back and is disputed whole is not given again when that fails, ${isWon ? 'until the dispute is won' : 'and the dispute is lost'}`, async () => {
        const { charge, renewal, total } = await owing.owed()
        await shop.pass(2)
        const dispute = shop.mover.disputed(charge)
        await owing.report(dispute.opened())
        for (const made of shop.mover.refundsAt(charge)) await owing.fail(made)
        await shop.pass(3, DAY + HOUR)
        assert.deepEqual([owing.givenOf(charge), await leftOfPayment(shop.app, renewal)], [0, 0])
        assert.deepEqual((await checkLedger(shop.app.ctx)).open_charges, [])
        await close(dispute, isWon ? 'won' : 'lost')
        await shop.pass(3, DAY + HOUR)
        if (isWon) return assertGiven(charge, renewal, total)
        assert.deepEqual([owing.givenOf(charge), await leftOfPayment(shop.app, renewal)], [0, 0])
        assert.deepEqual(await ledgerFaults(shop.app), [])
      })
    }

    test('a part that is owed and whose rest was refused while it was disputed is given back whole when that is won', async () => {
      const { charge, payment, total } = await owing.partOwed(PART)
      await owing.refusing(charge, () => shop.pass(1))
      const dispute = shop.mover.disputed(charge, total - 50)
      await owing.report(dispute.opened())
      await owing.refusing(charge, () => shop.pass(3))
      await close(dispute, 'won')
      await shop.pass(30)
      await assertGiven(charge, payment, PART)
    })

    test('what a seller gives back by hand beside a part that was given back is not taken off it when it fails', async () => {
      const { charge, payment } = await owing.partOwed(PART)
      await shop.pass(1)
      const hand = shop.mover.byHand(charge, PART)
      await owing.report(shop.mover.reportOfRefund(hand))
      await assertGiven(charge, payment, 2 * PART)
      await owing.fail(hand)
      await shop.pass(30)
      await assertGiven(charge, payment, PART)
    })

    test('what has failed and is given back by hand while it rests is not given twice', async () => {
      const { charge, payment } = await owing.partOwed(PART)
      await shop.pass(1)
      await owing.fail(owing.onlyRefund(charge))
      await owing.report(shop.mover.reportOfRefund(shop.mover.byHand(charge, PART)))
      await shop.pass(30)
      await assertGiven(charge, payment, PART)
    })

    test('what has failed and was given back by hand is not given twice, though the failure is told last', async () => {
      const part = await owing.partOwed(PART)
      await shop.pass(1)
      const ours = owing.onlyRefund(part.charge)
      shop.mover.fail(ours)
      await owing.report(shop.mover.reportOfRefund(shop.mover.byHand(part.charge, PART)))
      await owing.report(shop.mover.reportOfFailed(ours))
      await shop.pass(30)
      await assertGiven(part.charge, part.payment, PART)
    })

    test('what was given back by hand and is more than the books have left waits until the failure is told that left it', async () => {
      const { charge, renewal, total } = await owing.owed()
      await shop.pass(1)
      const ours = owing.onlyRefund(charge)
      shop.mover.fail(ours)
      await owing.report(shop.mover.reportOfRefund(shop.mover.byHand(charge, total)))
      await shop.pass(5)
      assert.deepEqual(await undoneOf(shop.app, renewal), [['refund', -total]])
      const asked = shop.mover.asked()
      await owing.report(shop.mover.reportOfFailed(ours))
      await shop.pass(50)
      assert.ok(shop.mover.asked() - asked < 5, 'asked for what the buyer has')
      assert.deepEqual(await undoneOf(shop.app, renewal), [
        ['refund', -total],
        ['refund', total],
        ['refund', -total],
      ])
      await assertGiven(charge, renewal, total)
    })

    test('of what was given back by hand and stays more than the books have left, that is written down after three days', async () => {
      const { charge, payment } = await owing.partOwed(PART)
      const { licenseId, total } = { licenseId: payment.license_id, total: payment.gross + payment.tax }
      assert.ok(licenseId)
      await shop.pass(1)
      const ours = owing.onlyRefund(charge)
      shop.mover.fail(ours)
      await owing.report(shop.mover.reportOfRefund(shop.mover.byHand(charge, total)))
      await shop.pass(70)
      assert.deepEqual(await undoneOf(shop.app, payment), [['refund', -PART]])
      await shop.pass(10)
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
      const { charge, total } = await owing.unbought()
      const hand = shop.mover.byHand(charge, quarterOf(total))
      await shop.pass(1)
      for (let times = 0; times < 2; times++) await owing.report(shop.mover.reportOfRefund(hand))
      await shop.pass(30)
      await assertGiven(charge, null, total)
      await owing.fail(hand)
      await owing.report(shop.mover.reportOfFailed(hand))
      await shop.pass(2)
      assert.equal(owing.givenOf(charge), total - hand.minor)
      await shop.pass(30)
      await assertGiven(charge, null, total)
      assert.deepEqual(await toldOf(since), [
        'charges/given-back',
        'charges/given-back-otherwise',
        'charges/refund-failed',
      ])
    })

    test('the rest of what became no payment is given back where a part was lost in a dispute, however often it is told', async () => {
      const { charge, total } = await owing.unbought()
      const dispute = shop.mover.disputed(charge, quarterOf(total))
      await shop.pass(1)
      await close(dispute, 'lost')
      await owing.report(dispute.lost())
      await shop.pass(30)
      await assertGiven(charge, null, total - dispute.minor)
      await owing.fail(owing.onlyRefund(charge))
      await shop.pass(30)
      await assertGiven(charge, null, total - dispute.minor)
    })

    test('what was given back by hand of what became no payment waits while nobody knows whether the rest was given back', async () => {
      const { charge, total } = await owing.unbought()
      const [first, second] = [1, 2].map(() => quarterOf(total))
      const hand = shop.mover.byHand(charge, first ?? 0)
      await shop.pass(1)
      await owing.report(shop.mover.reportOfRefund(hand))
      shop.mover.lose('refund', 'back')
      await shop.pass(1)
      assert.equal(owing.givenOf(charge), total)
      shop.mover.fail(hand)
      await owing.report(shop.mover.reportOfRefund(shop.mover.byHand(charge, second ?? 0)))
      await shop.pass(3)
      await owing.report(shop.mover.reportOfFailed(hand))
      await shop.pass(30)
      await assertGiven(charge, null, total)
    })

    test('what became no payment, has failed and was given back by hand is not given twice, in whatever order it is told', async () => {
      for (const isToldFirst of [true, false]) {
        const { charge, total } = await owing.unbought()
        await shop.pass(1)
        const ours = owing.onlyRefund(charge)
        shop.mover.fail(ours)
        if (isToldFirst) await owing.report(shop.mover.reportOfFailed(ours))
        await owing.report(shop.mover.reportOfRefund(shop.mover.byHand(charge, total)))
        if (!isToldFirst) await owing.report(shop.mover.reportOfFailed(ours))
        const asked = shop.mover.asked()
        await shop.pass(30)
        assert.equal(shop.mover.asked(), asked)
        await assertGiven(charge, null, total)
      }
    })
  })
}

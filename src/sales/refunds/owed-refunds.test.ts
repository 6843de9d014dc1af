import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { leftOfPayment, undoneOf } from '../../../test/reports.ts'
import { ledgerFaults } from '../../../test/sales.ts'
import { owingTo, type Owing } from '../../../test/owing.ts'
import { moverShop, MOVERS_ONCE, type MoverShop } from '../../../test/movers.ts'
import type { PaymentRow } from '../payments/schema.ts'
import { checkLedger } from '../ledger/check-ledger.ts'

for (const kind of MOVERS_ONCE) {
  describe(kind, () => {
    let shop: MoverShop
    let owing: Owing
    const owed = () => owing.owed()
    before(async () => {
      shop = await moverShop('owed_refunds', kind)
      owing = owingTo(shop)
    })
    after(() => shop.close())

    /** Nothing is open or wrong, and who has paid for the license has it. */
    async function assertSettled({
      licenseId,
      subscriptionId,
    }: Awaited<ReturnType<typeof owed>>): Promise<void> {
      const { is_cancelled: isCancelled } = await shop.app.ctx.db
        .selectFrom('licenses')
        .select('is_cancelled')
        .where('id', '=', licenseId)
        .executeTakeFirstOrThrow()
      assert.deepEqual([isCancelled, (await shop.subscriptionOf(subscriptionId)).canceled_at], [false, null])
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
        const dispute = shop.mover.disputed(one.charge)
        await shop.pass(2)
        assert.deepEqual(await undone(one.renewal), [])
        await owing.report(dispute.opened())
        await shop.pass(3)
        assert.deepEqual(await undone(one.renewal), [['disputed', -one.total]])
        await owing.report(dispute[status]())
        await shop.pass(2)
        const ends =
          status === 'won'
            ? [
                ['won_dispute', one.total],
                ['refund', -one.total],
              ]
            : [['lost_dispute', 0]]
        assert.deepEqual(await undone(one.renewal), [['disputed', -one.total], ...ends])
        assert.equal(shop.mover.refundsAt(one.charge).length, status === 'won' ? 1 : 0)
        await assertSettled(one)
      })
    }

    test('what is owed and is given back by hand is written down once, and not given back again', async () => {
      const one = await owed()
      await owing.report(shop.mover.reportOfRefund(shop.mover.byHand(one.charge, one.total)))
      await shop.pass(30)
      assert.deepEqual(await undone(one.renewal), [['refund', -one.total]])
      assert.equal(shop.mover.refundsAt(one.charge).length, 1)
      await assertSettled(one)
    })

    test('what is owed and is refused rests for a day, however often a report of it is looked at again', async () => {
      const one = await owed()
      const asked = shop.mover.asked()
      await owing.refusing(one.charge, () => shop.pass(20))
      assert.ok(shop.mover.asked() - asked < 10, 'asked in a tight loop')
      await shop.pass(6)
      assert.deepEqual(await undone(one.renewal), [['refund', -one.total]])
      await assertSettled(one)
    })

    test('a refund of what is owed that fails after all is asked for again in a day, under another key', async () => {
      const one = await owed()
      await shop.pass(1)
      const first = owing.onlyRefund(one.charge)
      await owing.fail(first)
      await owing.report(shop.mover.reportOfFailed(first))
      assert.equal(await leftOfPayment(shop.app, one.renewal), 0)
      await shop.pass(2)
      assert.equal(shop.mover.refundsAt(one.charge).length, 1)
      await shop.pass(24)
      assert.deepEqual(await undone(one.renewal), [
        ['refund', -one.total],
        ['refund', one.total],
        ['refund', -one.total],
      ])
      await assertSettled(one)
    })

    const isSettled = async (): Promise<boolean> => {
      const { open_charges: open, unbooked_charges: none, ok } = await checkLedger(shop.app.ctx)
      return open.length === 0 && none.length === 0 && ok
    }

    test('a refund of what became no payment that fails after all is asked for again in a day', async () => {
      const { charge, total } = await owing.unbought()
      await owing.unbought()
      await shop.pass(1)
      const first = owing.onlyRefund(charge)
      await owing.fail(first)
      await owing.report(shop.mover.reportOfFailed(first))
      await shop.pass(26)
      assert.deepEqual(
        shop.mover.refundsAt(charge).map(({ status, minor }) => [status, minor]),
        [
          ['failed', total],
          ['succeeded', total],
        ],
      )
      assert.ok(await isSettled())
    })

    test('what became no payment and is disputed before it is given back is so by a dispute that is lost, else asked for again', async () => {
      for (const status of ['lost', 'won'] as const) {
        const { charge } = await owing.unbought()
        const dispute = shop.mover.disputed(charge)
        await shop.pass(2)
        assert.equal(await isSettled(), false)
        await owing.report(dispute.opened())
        await owing.report(dispute[status]())
        shop.mover.forgetKeys()
        await shop.pass(26)
        assert.equal(shop.mover.refundsAt(charge).length, status === 'won' ? 1 : 0)
        assert.ok(await isSettled(), status)
      }
    })

    test('what became no payment and is not given back is named by the check of the ledger, beside what is', async () => {
      await owing.unbought()
      const { charge } = await owing.unbought()
      const { id: chargeId, key } = await shop.app.ctx.db
        .selectFrom('charges')
        .select(['id', 'key'])
        .where('external_id', '=', charge)
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
      await shop.pass(1)
      assert.ok(await isSettled())
    })

    test('what has bought nothing, or became no payment, and is given back in part only is named by the check of the ledger', async () => {
      const { renewal, total: paid } = await owed()
      const { charge, total } = await owing.unbought()
      const other = await owing.unbought()
      await shop.pass(1)
      assert.ok(await isSettled())
      const less = (minor: number) =>
        shop.app.write(async ({ db }) => {
          const { id } = renewal
          await db
            .updateTable('payments')
            .set({ refunded_gross: renewal.gross - minor })
            .where('id', '=', id)
            .execute()
          const given = owing.onlyRefund(charge)
          await db
            .updateTable('charges')
            .set({ amount: total - minor })
            .where('external_id', '=', given.id)
            .execute()
          const failed = owing.onlyRefund(other.charge)
          const state = minor > 0 ? 'declined' : 'settled'
          await db.updateTable('charges').set({ state }).where('external_id', '=', failed.id).execute()
        })
      await less(100)
      const { ok, faults, fault_count: count, unbooked_charges: unbooked } = await checkLedger(shop.app.ctx)
      const message = 'has bought nothing, and 1.00 of it is neither given back nor asked for'
      assert.deepEqual([ok, count, faults], [false, 1, [{ payment_id: String(renewal.id), message }]])
      assert.deepEqual(
        unbooked.map(({ amount }) => amount),
        [total / 100, other.total / 100],
      )
      await less(0)
      assert.ok(paid > 100 && (await isSettled()))
    })
  })
}

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type TestApp } from '../../../test/app.ts'
import { anotherProcess, dyingProcess } from '../../../test/dying.ts'
import { boughtBy, buy, leftOfPayment, send, undoneOf } from '../../../test/reports.ts'
import { ledgerFaults } from '../../../test/sales.ts'
import { renewAt } from '../../../test/subscriptions.ts'
import { MOVERS, moverShop, type MoverShop } from '../../../test/movers.ts'
import { settleRefunds } from '../refunds/settle-refunds-job.ts'
import { settleRenewals } from '../renewals/settle-renewals-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { DAY, HOUR, MINUTE } from '../../lib/time.ts'
import { checkLedger } from '../ledger/check-ledger.ts'
import { takeReports } from './gateway-reports.ts'

for (const kind of MOVERS) {
  describe(kind, () => {
    let shop: MoverShop
    let app: TestApp
    let mover: MoverShop['mover']
    let pricingId: number
    before(async () => {
      shop = await moverShop('second_charge', kind)
      ;({ app, mover, pricingId } = shop)
    })
    after(() => shop.close())

    const chargeAt = (externalId: string) =>
      app.ctx.db
        .selectFrom('charges')
        .selectAll()
        .where('external_id', '=', externalId)
        .executeTakeFirstOrThrow()

    /** A purchase that its gateway has made twice. */
    async function boughtTwice() {
      const bought = await boughtBy(app, (await buy(app, pricingId, mover.tokens.paid)).reply)
      const { key } = await chargeAt(bought.payment.external_id ?? '')
      return { ...bought, second: mover.madeAgain(key) }
    }

    const paymentsAt = (externalId: string) =>
      app.ctx.db.selectFrom('payments').selectAll().where('external_id', '=', externalId).execute()

    const refundsAt = (id: string) => mover.refundsAt(id).map(({ minor }) => minor)

    /** Gives back what is to be given back. */
    async function giveBack(): Promise<void> {
      app.ctx.clock.advance(2 * MINUTE)
      await runDue(app.ctx, [settleRefunds])
    }

    /** It is one payment that is given back whole, the other stays, and the books say so. */
    async function assertGivenBack({ payment, licenseId, second }: Awaited<ReturnType<typeof boughtTwice>>) {
      const [twice, ...more] = await paymentsAt(second)
      assert.ok(twice && more.length === 0)
      const total = payment.gross + payment.tax
      assert.deepEqual([twice.gross, twice.tax, twice.license_id], [payment.gross, payment.tax, licenseId])
      assert.deepEqual(await undoneOf(app, twice), [['refund', 0 - total]])
      assert.deepEqual(refundsAt(second), [total])
      assert.deepEqual([await undoneOf(app, payment), await leftOfPayment(app, payment)], [[], total])
      const { is_cancelled: isCancelled } = await app.ctx.db
        .selectFrom('licenses')
        .select('is_cancelled')
        .where('id', '=', licenseId)
        .executeTakeFirstOrThrow()
      assert.equal(isCancelled, false)
      assert.deepEqual(await ledgerFaults(app), [])
      assert.deepEqual((await checkLedger(app.ctx)).open_charges, [])
    }

    test('what a gateway was paid twice under one key is given back once, by however many reports at once it is told', async () => {
      const twice = await boughtTwice()
      const other = anotherProcess(app)
      try {
        const taken = await mover.gateway.readWebhook(mover.reportOf(twice.second))
        const answers = await Promise.all([
          ...['same', 'same', 'other'].map((id) => send(app, mover.code, mover.reportOf(twice.second, id))),
          takeReports(other.ctx, mover.code, taken ?? []).then(() => ({ status: 200 })),
        ])
        assert.deepEqual(
          answers.map(({ status }) => status),
          [200, 200, 200, 200],
        )
      } finally {
        await other.close()
      }
      await Promise.all([giveBack(), giveBack()])
      await send(app, mover.code, mover.reportOf(twice.second))
      await giveBack()
      await assertGivenBack(twice)
    })

    test('a renewal that a gateway was paid twice for is given back once, and renewed once', async () => {
      const { subscriptionId } = await boughtBy(app, (await buy(app, pricingId, mover.tokens.paid)).reply)
      const rows = app.ctx.db.selectFrom('subscriptions').selectAll().where('id', '=', subscriptionId)
      const { next_payment: next } = await rows.executeTakeFirstOrThrow()
      assert.ok(next)
      await renewAt(app, next)
      const [renewal] = await app.ctx.db
        .selectFrom('payments')
        .selectAll()
        .where('subscription_id', '=', subscriptionId)
        .where('is_renewal', '=', true)
        .execute()
      assert.ok(renewal)
      const { key } = await chargeAt(renewal.external_id ?? '')
      const second = mover.madeAgain(key)
      const { next_payment: renewed } = await rows.executeTakeFirstOrThrow()
      for (let times = 0; times < 2; times++) await send(app, mover.code, mover.reportOf(second))
      await runDue(app.ctx, [settleRenewals])
      await giveBack()
      await assertGivenBack({ payment: renewal, licenseId: renewal.license_id ?? 0, subscriptionId, second })
      assert.equal((await rows.executeTakeFirstOrThrow()).next_payment, renewed)
    })

    /** What was paid under the key of a purchase that was declined; it is reported twice. */
    async function paidUnbought() {
      const { reply } = await buy(app, pricingId, mover.tokens.declined)
      assert.equal(reply.status, 400, reply.text)
      const declined = await app.ctx.db
        .selectFrom('charges')
        .selectAll()
        .where('state', '=', 'declined')
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow()
      const second = mover.madeAgain(declined.key)
      for (let times = 0; times < 2; times++) await send(app, mover.code, mover.reportOf(second))
      return { declined, second }
    }

    test('what was paid under the key of a charge that became no payment is given back without one', async () => {
      const { declined, second } = await paidUnbought()
      await giveBack()
      await giveBack()
      assert.deepEqual(refundsAt(second), [declined.amount])
      assert.deepEqual(await paymentsAt(second), [])
      assert.deepEqual((await checkLedger(app.ctx)).open_charges, [])
    })

    test('what became no payment and its gateway refuses to give back stays open, and is given back the next day', async () => {
      const { declined, second } = await paidUnbought()
      const end = mover.refuse(second)
      await giveBack()
      end()
      app.ctx.clock.advance(2 * HOUR)
      await giveBack()
      assert.deepEqual(refundsAt(second), [])
      assert.deepEqual(
        (await checkLedger(app.ctx)).open_charges.map(({ purpose, payment_id: id }) => [purpose, id]),
        [['refund', null]],
      )
      mover.forgetKeys()
      app.ctx.clock.advance(DAY)
      await giveBack()
      assert.deepEqual(refundsAt(second), [declined.amount])
      assert.deepEqual((await checkLedger(app.ctx)).open_charges, [])
    })

    test('R04: a process that ends before any statement of giving back a second charge leaves it to be given back once', async () => {
      let isWhole = false
      for (let n = 1; !isWhole; n++) {
        const twice = await boughtTwice()
        const taken = await mover.gateway.readWebhook(mover.reportOf(twice.second, `cut_${n}`))
        const dying = dyingProcess(app, n)
        try {
          await takeReports(dying.ctx, mover.code, taken ?? []).catch(() => {})
          isWhole = !dying.isDead()
        } finally {
          await dying.close()
        }
        await takeReports(app.ctx, mover.code, taken ?? [])
        await giveBack()
        await assertGivenBack(twice)
      }
    })
  })
}

// Runs slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { dyingProcess } from '../../../test/dying.ts'
import type { TestContext } from '../../../test/app.ts'
import { boughtBy, buy, send, undoneOf } from '../../../test/reports.ts'
import { MOVERS, moverShop, type MoverShop } from '../../../test/movers.ts'
import { ledgerFaults } from '../../../test/sales.ts'
import { settleRefunds } from './settle-refunds-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { DAY, HOUR, MINUTE } from '../../lib/time.ts'
import { checkLedger } from '../ledger/check-ledger.ts'
import { takeReports } from '../charges/gateway-reports.ts'

for (const kind of MOVERS) {
  describe(kind, () => {
    let shop: MoverShop
    let mover: MoverShop['mover']
    before(async () => {
      shop = await moverShop('owed_refunds_crash', kind)
      mover = shop.mover
    })
    after(() => shop.close())

    /** A process does it that dies before its statement `n`; whether it died. */
    async function dying(n: number, work: (ctx: TestContext) => Promise<unknown>): Promise<boolean> {
      const process = dyingProcess(shop.app, n)
      try {
        await work(process.ctx).catch(() => {})
        return process.isDead()
      } finally {
        await process.close()
      }
    }

    /** What its gateway was paid a second time, which is owed whole; it is to be asked for that now. */
    async function owed() {
      const { app, pricingId } = shop
      const { payment: first } = await boughtBy(app, (await buy(app, pricingId, mover.tokens.paid)).reply)
      const { key } = await app.ctx.db
        .selectFrom('charges')
        .select('key')
        .where('external_id', '=', first.external_id)
        .executeTakeFirstOrThrow()
      const charge = mover.madeAgain(key)
      const { status, text } = await send(app, mover.code, mover.reportOf(charge))
      assert.equal(status, 200, text)
      const payment = await app.ctx.db
        .selectFrom('payments')
        .selectAll()
        .where('external_id', '=', charge)
        .executeTakeFirstOrThrow()
      assert.equal(payment.license_id, first.license_id)
      await shop.goTo(shop.app.ctx.clock.real() + MINUTE)
      return { payment, charge }
    }
    type Owed = Awaited<ReturnType<typeof owed>>

    const statesOf = ({ charge }: Owed) => mover.refundsAt(charge).map(({ status }) => status)

    /** What undoes the payment in the books, as shares of it. */
    async function assertBooked({ payment }: Owed, undone: readonly number[], what: string): Promise<void> {
      const total = payment.gross + payment.tax
      const shares = (await undoneOf(shop.app, payment)).map(([, amount]) => Number(amount) / total)
      assert.deepEqual(shares, undone, what)
    }

    async function assertSettled(): Promise<void> {
      assert.deepEqual(await ledgerFaults(shop.app), [])
      const { open_charges: open, unbooked_charges: unbooked } = await checkLedger(shop.app.ctx)
      assert.deepEqual([open, unbooked], [[], []])
    }

    for (const isForgotten of [false, true]) {
      test(`R04: one that ends before any statement of giving back what is owed gives it back once${isForgotten ? ', also when the gateway has forgotten the key' : ''}`, async () => {
        let made = 0
        for (let n = 1, isWhole = false; !isWhole; n++) {
          const one = await owed()
          isWhole = !(await dying(n, (ctx) => runDue(ctx, [settleRefunds])))
          made += statesOf(one).length
          if (isForgotten) {
            mover.forgetKeys()
            await shop.goTo(shop.app.ctx.clock.real() + DAY)
          }
          await shop.pass(3)
          await assertBooked(one, [-1], `before statement ${n}`)
          assert.deepEqual(statesOf(one), ['succeeded'], `before statement ${n}`)
        }
        assert.ok(made > 2, `${made} of the ends came after the gateway was asked`)
        await assertSettled()
      })
    }

    test('R04: one whose gateway loses its answer, and that ends before any statement of it, gives back once', async () => {
      for (let n = 1, isWhole = false; !isWhole; n++) {
        const one = await owed()
        mover.lose('refund', 'back')
        isWhole = !(await dying(n, (ctx) => runDue(ctx, [settleRefunds])))
        await shop.pass(4)
        await assertBooked(one, [-1], `before statement ${n}`)
        assert.deepEqual(statesOf(one), ['succeeded'], `before statement ${n}`)
      }
      await assertSettled()
    })

    test('R04: one that ends before any statement of owing again what has failed leaves it to be given back once', async () => {
      for (let n = 1, isWhole = false; !isWhole; n++) {
        const one = await owed()
        await shop.pass(1)
        const [refund] = mover.refundsAt(one.charge)
        assert.ok(refund)
        mover.fail(refund)
        const taken = (await mover.gateway.readWebhook(mover.reportOfFailed(refund))) ?? []
        isWhole = !(await dying(n, (ctx) => takeReports(ctx, mover.code, taken)))
        await takeReports(shop.app.ctx, mover.code, taken)
        await shop.pass(26)
        await assertBooked(one, [-1, 1, -1], `before statement ${n}`)
        assert.deepEqual(statesOf(one), ['failed', 'succeeded'], `before statement ${n}`)
      }
      await assertSettled()
    })

    test('R04: one that ends before any statement of making way for a dispute leaves what is owed as it was, and owes it again when that is won', async () => {
      for (let n = 1, isWhole = false; !isWhole; n++) {
        const one = await owed()
        const dispute = mover.disputed(one.charge)
        await shop.pass(1)
        const taken = (await mover.gateway.readWebhook(dispute.won())) ?? []
        isWhole = !(await dying(n, (ctx) => takeReports(ctx, mover.code, taken)))
        if (!isWhole) await assertBooked(one, [], `before statement ${n}`)
        await takeReports(shop.app.ctx, mover.code, taken)
        mover.forgetKeys()
        await shop.goTo(shop.app.ctx.clock.real() + HOUR + MINUTE)
        await shop.pass(2)
        await assertBooked(one, [-1, 1, -1], `before statement ${n}`)
        assert.deepEqual(statesOf(one), ['succeeded'], `before statement ${n}`)
      }
      await assertSettled()
    })
  })
}

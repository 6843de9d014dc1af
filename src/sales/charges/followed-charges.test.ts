// Runs alone, slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { TestApp, TestContext } from '../../../test/app.ts'
import { asDeveloper } from '../../../test/callers.ts'
import { anotherProcess, dyingProcess } from '../../../test/dying.ts'
import { boughtBy, buy, undoneOf } from '../../../test/reports.ts'
import type { Way } from '../../../test/mover.ts'
import { moverShop, MOVERS_ONCE, type MoverShop } from '../../../test/movers.ts'
import { ledgerFaults } from '../../../test/sales.ts'
import { lookAgainAtCharges } from './look-again-job.ts'
import { settleRefunds } from '../refunds/settle-refunds-job.ts'
import { settleRenewals } from '../renewals/settle-renewals-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { periodAfter } from '../../lib/periods.ts'
import { DAY, fromUtcTime, HOUR, MINUTE, toUtcTime } from '../../lib/time.ts'
import { checkLedger } from '../ledger/check-ledger.ts'
import { renewDue } from '../renewals/renew.ts'

for (const kind of MOVERS_ONCE) {
  describe(kind, () => {
    let shop: MoverShop
    let app: TestApp
    let mover: MoverShop['mover']
    let pricingId: number
    before(async () => {
      shop = await moverShop('followed_charges', kind)
      ;({ app, mover, pricingId } = shop)
    })
    after(() => shop.close())

    const path = (rest: string) => `/products/${app.seller.product.id}${rest}`

    type Sold = Awaited<ReturnType<typeof sold>>

    /** A subscription that was bought now, and when its renewal is due; no other one is. */
    async function sold() {
      await app.write(({ db }) => db.updateTable('subscriptions').set({ due_at: null }).execute())
      const { reply } = await buy(app, pricingId, mover.tokens.paid)
      const bought = await boughtBy(app, reply)
      const { next_payment: next } = await subscriptionOf(bought.subscriptionId)
      assert.ok(next)
      return { ...bought, next }
    }

    const subscriptionOf = (id: number) =>
      app.ctx.db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

    const licenseOf = ({ licenseId }: Sold) =>
      app.ctx.db.selectFrom('licenses').selectAll().where('id', '=', licenseId).executeTakeFirst()

    const renewalsOf = ({ subscriptionId }: Sold) =>
      app.ctx.db
        .selectFrom('charges')
        .selectAll()
        .where('subscription_id', '=', subscriptionId)
        .where('purpose', '=', 'renewal')
        .orderBy('id')
        .execute()

    /** Renews what is due now. */
    const renew = (next: Sold['next']) =>
      renewDue(app.ctx, { environment: 1, productId: app.seller.product.id, now: next, limit: 100 })

    /** Its renewal, whose answer or request is lost on the way; how many charges the gateway had before. */
    async function lostRenewal(one: Sold, way: Way): Promise<number> {
      app.ctx.clock.set(fromUtcTime(one.next))
      const made = mover.charges().length
      mover.lose('renewal', way)
      await renew(one.next)
      const [charge, ...more] = await renewalsOf(one)
      assert.deepEqual([charge?.state, more.length], ['pending', 0])
      return made
    }

    async function follow(ctx: TestContext = app.ctx): Promise<void> {
      await runDue(ctx, [settleRenewals])
      app.ctx.clock.advance(MINUTE)
      await runDue(ctx, [settleRefunds])
    }

    /** The second payment of a subscription, which is its renewal. */
    async function renewedBy({ subscriptionId }: Sold) {
      const [, ...renewals] = await app.ctx.db
        .selectFrom('payments')
        .selectAll()
        .where('subscription_id', '=', subscriptionId)
        .where('type', '=', 'payment')
        .orderBy('id')
        .execute()
      const [payment] = renewals
      assert.ok(payment && renewals.length === 1, `${renewals.length} renewals`)
      return payment
    }

    interface Ending {
      readonly name: string
      readonly end: (one: Sold) => Promise<{ readonly status: number }>
      /** Whether the license lives for what was paid. */
      readonly isKept: boolean
    }

    /** By the seller, who logs in for it. */
    const refund = async (id: number, body: object) =>
      (await asDeveloper(app))('POST', path(`/payments/${id}/refunds.json`), body)

    const del = (rest: string) => app.call('DELETE', path(rest))

    const ENDINGS: readonly Ending[] = [
      {
        name: 'its subscription is cancelled',
        end: ({ subscriptionId: id }) => del(`/subscriptions/${id}.json`),
        isKept: true,
      },
      {
        name: 'its license is cancelled',
        end: ({ licenseId: id }) => del(`/licenses/${id}.json`),
        isKept: false,
      },
      {
        name: 'its license is erased',
        end: ({ licenseId: id }) => del(`/licenses/${id}.json?delete=true`),
        isKept: false,
      },
      {
        name: 'the payment before it is refunded',
        end: ({ payment }) => refund(payment.id, {}),
        isKept: false,
      },
      {
        name: 'the payment before it is refunded and the license kept',
        end: ({ payment }) => refund(payment.id, { cancel_license: false }),
        isKept: false,
      },
      {
        name: 'its next payment is moved',
        end: ({ licenseId: id, next }) =>
          app.call('PUT', path(`/licenses/${id}.json`), {
            body: {
              expiration: toUtcTime(fromUtcTime(next) + 800 * DAY),
              update_subscription_renewal_date: true,
            },
          }),
        isKept: false,
      },
    ]
    for (const { name, end, isKept } of ENDINGS) {
      test(`a renewal whose answer was lost is settled or given back when ${name} before it is known`, async () => {
        const one = await sold()
        const made = await lostRenewal(one, 'back')
        assert.equal(mover.charges().length, made + 1)
        assert.ok((await end(one)).status < 300)
        app.ctx.clock.advance(20 * MINUTE)
        await follow()
        const payment = await renewedBy(one)
        const given = isKept ? [] : [['refund', 0 - payment.gross - payment.tax]]
        assert.deepEqual(await undoneOf(app, payment), given)
        const until = periodAfter(one.payment.processed_at, one.next, 12)
        const extended = toUtcTime(fromUtcTime(until) + DAY)
        assert.equal((await licenseOf(one))?.expiration === extended, isKept)
        assert.deepEqual(
          (await renewalsOf(one)).map(({ state }) => state),
          ['settled'],
        )
        assert.equal(mover.charges().length, made + 1)
        assert.deepEqual(await ledgerFaults(app), [])
        assert.deepEqual((await checkLedger(app.ctx)).open_charges, [])
      })
    }

    test('a renewal that never reached its gateway is not charged once its subscription is cancelled', async () => {
      const one = await sold()
      const made = await lostRenewal(one, 'there')
      assert.equal((await del(`/subscriptions/${one.subscriptionId}.json`)).status, 200)
      app.ctx.clock.advance(2 * HOUR)
      await follow()
      const [named] = (await checkLedger(app.ctx)).open_charges
      const [charge] = await renewalsOf(one)
      assert.deepEqual([named?.charge_id, named?.is_answered], [String(charge?.id), false])
      const metrics = await (await fetch(`${app.address}/metrics`)).text()
      assert.match(metrics, new RegExp(`keywright_charge_open_seconds\\{charge="${charge?.id}",.*\\} 7260`))
      for (const ms of [DAY, 2 * HOUR]) {
        app.ctx.clock.advance(ms)
        await follow()
      }
      assert.deepEqual(
        (await renewalsOf(one)).map(({ state }) => state),
        ['unmade'],
      )
      app.ctx.clock.advance(DAY)
      await runDue(app.ctx, [lookAgainAtCharges])
      assert.equal(mover.charges().length, made)
      assert.equal((await subscriptionOf(one.subscriptionId)).failed_payments, 0)
      assert.deepEqual((await checkLedger(app.ctx)).open_charges, [])
    })

    test('a renewal that never reached its gateway is charged when that is back', async () => {
      const one = await sold()
      const made = await lostRenewal(one, 'there')
      app.ctx.clock.advance(20 * MINUTE)
      await follow()
      await renewedBy(one)
      assert.equal(mover.charges().length, made + 1)
      const { next_payment: next } = await subscriptionOf(one.subscriptionId)
      assert.equal(next, periodAfter(one.payment.processed_at, one.next, 12))
    })

    test('what a gateway refuses to give back is asked for again the next day, and named until then', async () => {
      const one = await sold()
      await lostRenewal(one, 'back')
      await del(`/licenses/${one.licenseId}.json`)
      app.ctx.clock.advance(20 * MINUTE)
      await runDue(app.ctx, [settleRenewals])
      const payment = await renewedBy(one)
      const end = mover.refuse(payment.external_id ?? '')
      app.ctx.clock.advance(MINUTE)
      await runDue(app.ctx, [settleRefunds])
      end()
      assert.deepEqual(await undoneOf(app, payment), [])
      app.ctx.clock.advance(2 * HOUR)
      assert.deepEqual(
        (await checkLedger(app.ctx)).open_charges.map(({ purpose, payment_id: id }) => [purpose, id]),
        [['refund', String(payment.id)]],
      )
      mover.forgetKeys()
      app.ctx.clock.advance(DAY)
      await runDue(app.ctx, [settleRefunds])
      assert.deepEqual(await undoneOf(app, payment), [['refund', 0 - payment.gross - payment.tax]])
      assert.deepEqual((await checkLedger(app.ctx)).open_charges, [])
    })

    test('of two processes that follow a renewal at once one settles it', async () => {
      const one = await sold()
      await lostRenewal(one, 'back')
      await del(`/licenses/${one.licenseId}.json`)
      app.ctx.clock.advance(20 * MINUTE)
      const other = anotherProcess(app)
      try {
        await Promise.all([follow(), follow(other.ctx), renew(one.next), follow()])
      } finally {
        await other.close()
      }
      await follow()
      assert.equal((await undoneOf(app, await renewedBy(one))).length, 1)
    })

    test('R04: a process that ends before any statement of following a cancelled renewal leaves it to be given back once', async () => {
      let isWhole = false
      for (let n = 1; !isWhole; n++) {
        const one = await sold()
        const made = await lostRenewal(one, 'back')
        await del(`/licenses/${one.licenseId}.json`)
        app.ctx.clock.advance(20 * MINUTE)
        const dying = dyingProcess(app, n)
        try {
          await follow(dying.ctx).catch(() => {})
          isWhole = !dying.isDead()
        } finally {
          await dying.close()
        }
        for (let count = 0; count < 3; count++) {
          app.ctx.clock.advance(2 * HOUR)
          await follow()
        }
        assert.equal((await undoneOf(app, await renewedBy(one))).length, 1, `cut before statement ${n}`)
        assert.equal(mover.charges().length, made + 1, `cut before statement ${n}`)
      }
      assert.deepEqual(await ledgerFaults(app), [])
      assert.deepEqual((await checkLedger(app.ctx)).open_charges, [])
    })
  })
}

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import pino from 'pino'
import { START, type TestApp } from '../../../test/app.ts'
import { asDeveloper } from '../../../test/callers.ts'
import { openSandboxCheckout } from '../../../test/checkouts.ts'
import { redemptionsOf } from '../../../test/redemptions.ts'
import { boughtBy, buy, payCheckout, send, undoneOf } from '../../../test/reports.ts'
import { ledgerFaults, scopeOf } from '../../../test/sales.ts'
import { newestCharge } from '../../../test/charges.ts'
import type { Mover } from '../../../test/mover.ts'
import { moverShop, MOVERS_ONCE, type MoverShop } from '../../../test/movers.ts'
import { lookAgainAtCharges } from './look-again-job.ts'
import { settlePurchases } from '../checkouts/settle-purchases-job.ts'
import { settleRefunds } from '../refunds/settle-refunds-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { hashToken } from '../../lib/credentials.ts'
import { DAY, fromUtcTime, HOUR, MINUTE, toUtcTime } from '../../lib/time.ts'
import { checkLedger } from '../ledger/check-ledger.ts'
import { renewDue } from '../renewals/renew.ts'

for (const kind of MOVERS_ONCE) {
  describe(kind, () => {
    let shop: MoverShop
    let app: TestApp
    let mover: Mover
    let pricingId: number
    before(async () => {
      shop = await moverShop('charged_once', kind)
      ;({ app, mover, pricingId } = shop)
    })
    beforeEach(() => {
      app.ctx.clock.set(START)
      mover.loseNothing()
    })
    after(() => shop.close())

    /** More than the gateway remembers keys for. */
    function muchLater(): void {
      mover.forgetKeys()
      app.ctx.clock.advance(25 * HOUR)
    }

    /** A purchase that was charged, of which the answer did not arrive. */
    async function lostPurchase() {
      const before = mover.charges().length
      mover.lose('purchase', 'back')
      const { token, reply } = await buy(app, pricingId, mover.tokens.paid)
      assert.deepEqual([reply.status, mover.charges().length], [503, before + 1], reply.text)
      return { token, made: mover.charges().length, chargeId: mover.charges().at(-1) ?? '' }
    }

    const checkoutOf = (chargeId: string) =>
      app.ctx.db
        .selectFrom('payments')
        .innerJoin('checkouts', 'checkouts.payment_id', 'payments.id')
        .select(['checkouts.state', 'checkouts.license_id'])
        .where('payments.external_id', '=', chargeId)
        .executeTakeFirst()

    test('a purchase whose answer was lost a day ago is looked up at its gateway, and not charged again', async () => {
      const { made, chargeId } = await lostPurchase()
      muchLater()
      await runDue(app.ctx, [settlePurchases])
      assert.equal(mover.charges().length, made)
      assert.equal((await checkoutOf(chargeId))?.state, 'paid')
    })

    test('a purchase that cannot be settled is told in the log', async () => {
      const { chargeId } = await lostPurchase()
      const logged: string[] = []
      const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(line) })
      muchLater()
      app.ctx.clock.advance(HOUR)
      await runDue({ ...app.ctx, gateways: [], log }, [settlePurchases])
      assert.match(logged.join(''), /gateway_not_configured.*a purchase could not be settled/)
      app.ctx.clock.advance(HOUR)
      await runDue({ ...app.ctx, log }, [settlePurchases])
      assert.equal((await checkoutOf(chargeId))?.state, 'paid')
      assert.equal(logged.length, 1)
    })

    test('a purchase whose answer was lost is settled when its gateway reports it, by its key', async () => {
      const { token, chargeId } = await lostPurchase()
      assert.equal((await send(app, mover.code, mover.reportOf(chargeId))).status, 200)
      assert.equal((await checkoutOf(chargeId))?.state, 'paid')
      const { payment } = await boughtBy(app, await payCheckout(app, token, mover.tokens.paid))
      assert.equal(payment.external_id, chargeId)
      assert.deepEqual(await ledgerFaults(app), [])
    })

    test('a renewal whose answer was lost a day ago is looked up at its gateway, and not charged again', async () => {
      app.ctx.clock.set(START - 3 * DAY)
      const { subscriptionId } = await boughtBy(app, (await buy(app, pricingId, mover.tokens.paid)).reply)
      const subscription = () =>
        app.ctx.db
          .selectFrom('subscriptions')
          .selectAll()
          .where('id', '=', subscriptionId)
          .executeTakeFirstOrThrow()
      const { next_payment: next } = await subscription()
      assert.ok(next)
      const { id: productId } = app.seller.product
      const renew = () => renewDue(app.ctx, { environment: 1, productId, now: next, limit: 100 })
      app.ctx.clock.set(fromUtcTime(next))
      const before = mover.charges().length
      mover.lose('renewal', 'back')
      await renew()
      assert.equal(mover.charges().length, before + 1)
      assert.equal((await subscription()).next_payment, next)
      muchLater()
      await renew()
      assert.equal(mover.charges().length, before + 1)
      assert.notEqual((await subscription()).next_payment, next)
      assert.deepEqual(await ledgerFaults(app), [])
    })

    test('a refund whose answer was lost a day ago is looked up at its gateway, and not given back again', async () => {
      const { payment } = await boughtBy(app, (await buy(app, pricingId, mover.tokens.paid)).reply)
      const developer = await asDeveloper(app)
      const path = `/products/${app.seller.product.id}/payments/${payment.id}/refunds.json`
      mover.lose('refund', 'back')
      assert.equal((await developer('POST', path, { amount: 1 })).status, 503)
      muchLater()
      await runDue(app.ctx, [settleRefunds])
      assert.equal(mover.refundsAt(payment.external_id ?? '').length, 1)
      assert.deepEqual(await undoneOf(app, payment), [['refund', -100]])
      assert.deepEqual(await ledgerFaults(app), [])
    })

    /** Whenever the job was due last. */
    async function settleNow(): Promise<void> {
      await app.write(({ db }) => db.updateTable('jobs').set({ due_at: 0, lease_until: 0 }).execute())
      await runDue(app.ctx, [settlePurchases, lookAgainAtCharges])
    }

    /** A checkout that was begun to be paid and of which nothing reached the gateway, with a coupon for one purchase. */
    async function neverReached() {
      const body = {
        code: `ONE${++coupons}`,
        discount: 50,
        discount_type: 'percentage',
        redemptions_limit: 1,
      }
      const base = `/products/${app.seller.product.id}/coupons`
      const { json: coupon } = await app.call('POST', `${base}.json`, { body })
      const email = `never${coupons}@example.com`
      const token = await app.write((tx) =>
        openSandboxCheckout(tx, scopeOf(app), { pricingId, email, coupon: body.code }),
      )
      const made = mover.charges().length
      mover.lose('purchase', 'there')
      assert.equal((await payCheckout(app, token, mover.tokens.paid)).status, 503)
      const redemptions = async () => (await redemptionsOf(app, coupon.id)).sandbox
      assert.deepEqual([mover.charges().length, await redemptions()], [made, 1])
      return { token, made, redemptions }
    }
    let coupons = 0

    test('a purchase that never reached its gateway is charged within minutes, and dated when it is settled', async () => {
      const { token, made } = await neverReached()
      app.ctx.clock.advance(10 * MINUTE)
      await settleNow()
      const { payment } = await boughtBy(app, await payCheckout(app, token, mover.tokens.paid))
      assert.deepEqual(
        [mover.charges().length, payment.processed_at],
        [made + 1, toUtcTime(START + 10 * MINUTE)],
      )
    })

    test('a purchase that never reached its gateway is not charged days later, but let go with its coupon', async () => {
      const { token, made, redemptions } = await neverReached()
      mover.forgetKeys()
      app.ctx.clock.advance(3 * DAY)
      await settleNow()
      assert.equal((await newestCharge(app)).state, 'pending')
      app.ctx.clock.advance(HOUR)
      await settleNow()
      assert.deepEqual([mover.charges().length, await redemptions()], [made, 0])
      const charge = await newestCharge(app)
      assert.equal(charge.state, 'declined')
      const row = await app.ctx.db
        .selectFrom('checkouts')
        .select(['state', 'token_hash'])
        .where('charge_id', '=', charge.id)
        .executeTakeFirstOrThrow()
      assert.deepEqual(row, { state: 'open', token_hash: hashToken(token) })
      assert.equal((await checkLedger(app.ctx)).open_charges.length, 1)
      app.ctx.clock.advance(DAY)
      await settleNow()
      assert.deepEqual((await checkLedger(app.ctx)).open_charges, [])
    })

    test('nobody is charged for what they asked for hours ago, also when they ask how it stands', async () => {
      const { token, made, redemptions } = await neverReached()
      for (const at of [20 * MINUTE, 2 * HOUR, 8 * HOUR]) {
        app.ctx.clock.set(START + at)
        const { json } = await payCheckout(app, token, mover.tokens.paid)
        app.ctx.clock.advance(5 * MINUTE)
        await settleNow()
        assert.deepEqual([json.state, mover.charges().length, await redemptions()], ['pending', made, 1])
      }
      assert.equal((await checkLedger(app.ctx)).open_charges.length, 1)
      for (const hours of [22.25, 23.5]) {
        app.ctx.clock.set(START + hours * HOUR)
        await settleNow()
      }
      assert.equal(await redemptions(), 0)
      await boughtBy(app, await payCheckout(app, token, mover.tokens.paid))
      assert.equal(mover.charges().length, made + 1)
    })

    /** Whoever asks how a purchase stands has it looked up, as a job does. */
    const ask = (token: string) => payCheckout(app, token, mover.tokens.paid)

    test('what its gateway does not find is looked for again an hour after it was first missed, however often it is asked about', async () => {
      const { token } = await neverReached()
      for (const [hours, isLetGo] of [
        [25, false],
        [25.5, false],
        [25.9, false],
        [26.1, true],
      ] as const) {
        app.ctx.clock.set(START + hours * HOUR)
        await ask(token)
        assert.equal((await newestCharge(app)).state === 'declined', isLetGo, String(hours))
      }
    })

    test('what was missed by a clock that was ahead is missed anew by the right one', async () => {
      const { token } = await neverReached()
      for (const [hours, isLetGo] of [
        [9_000, false],
        [25, false],
        [26.1, true],
      ] as const) {
        app.ctx.clock.set(START + hours * HOUR)
        await ask(token)
        assert.equal((await newestCharge(app)).state === 'declined', isLetGo, String(hours))
      }
    })

    test('what a buyer reads on the statement is the name of the product, also when it is asked for again', async () => {
      const { token } = await neverReached()
      const { id } = app.seller.product
      const { json: product } = await app.call('GET', `/products/${id}.json`)
      assert.equal(
        (await app.call('PUT', `/products/${id}.json`, { body: { title: 'Renamed' } })).status,
        200,
      )
      app.ctx.clock.advance(10 * MINUTE)
      await settleNow()
      const { payment } = await boughtBy(app, await payCheckout(app, token, mover.tokens.paid))
      assert.equal(mover.describes(payment.external_id ?? ''), product.title)
    })
  })
}

// Runs slowly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { anotherProcess, dyingProcess } from '../../../test/dying.ts'
import { kindsOf, mailsTo } from '../../../test/mails.ts'
import { payCheckout, boughtBy, send } from '../../../test/reports.ts'
import { ledgerFaults, scopeOf } from '../../../test/sales.ts'
import { openSandboxCheckout } from '../../../test/checkouts.ts'
import { offerFor } from '../../../test/licenses.ts'
import { moverShop, MOVERS_ONCE, type MoverShop } from '../../../test/movers.ts'
import { heartbeat } from '../../work/heartbeat-job.ts'
import { lookAgainAtCharges } from '../charges/look-again-job.ts'
import { renew } from './renew-job.ts'
import { settleRenewals } from './settle-renewals-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { periodAfter } from '../../lib/periods.ts'
import { DAY, fromUtcTime, HOUR } from '../../lib/time.ts'
import { checkLedger } from '../ledger/check-ledger.ts'

/** Its first day is next to a month that is shorter than a wallet lists what it was asked for. */
const JANUARY = Date.UTC(2027, 0, 1)

type Sold = Awaited<ReturnType<MoverShop['sold']>>

for (const kind of MOVERS_ONCE) {
  describe(kind, () => {
    let shop: MoverShop
    before(async () => {
      shop = await moverShop('unmade_renewals', kind)
    })
    after(() => shop.close())

    /** One whose renewal is lost on its way, when its period is over: that of the shortest month. */
    async function lost(): Promise<Sold> {
      await shop.goTo(JANUARY)
      const one = await shop.sold()
      await shop.goTo(fromUtcTime(one.next))
      shop.mover.lose('renewal', 'there')
      await shop.renew()
      shop.app.ctx.clock.advance(28 * DAY + HOUR)
      return one
    }

    /** Its renewal, whose request is lost, and which is looked up when its period is over: its gateway has none. */
    async function neverMade(): Promise<Sold> {
      const one = await lost()
      await shop.follow()
      assert.deepEqual(await statesOf(one), ['pending'])
      shop.app.ctx.clock.advance(2 * HOUR)
      await shop.follow()
      assert.deepEqual(await statesOf(one), ['unmade'])
      assert.equal(shop.mover.charges().length, one.made)
      return one
    }

    const statesOf = async (one: Sold) => (await shop.chargesOf(one)).map(({ state }) => state)

    /** A day after it was closed. */
    async function lookAgain(): Promise<void> {
      shop.app.ctx.clock.advance(2 * DAY)
      await runDue(shop.app.ctx, [lookAgainAtCharges])
    }

    /** It is charged once and renewed once, and the books know it. */
    async function assertRenewedOnce(one: Sold, period = one.next): Promise<void> {
      assert.equal(shop.mover.charges().length, one.made + 1)
      const payments = await shop.renewalsOf(one)
      assert.deepEqual(
        payments.map(({ refunded_gross: given }) => given),
        [0],
      )
      const row = await shop.subscriptionOf(one.subscriptionId)
      const next = periodAfter(row.period_anchor, period, 1)
      assert.deepEqual([row.next_payment, row.attempt, row.failed_payments], [next, 0, 0])
      assert.deepEqual(await ledgerFaults(shop.app), [])
      await lookAgain()
      const { ok, open_charges: open, unbooked_charges: unbooked } = await checkLedger(shop.app.ctx)
      assert.deepEqual([ok, open, unbooked], [true, [], []])
    }

    /** Nobody has declined anything. */
    async function assertNoAttempt({ subscriptionId, email, licenseId }: Sold): Promise<void> {
      const row = await shop.subscriptionOf(subscriptionId)
      const { is_cancelled: isCancelled } = await shop.app.ctx.db
        .selectFrom('licenses')
        .select('is_cancelled')
        .where('id', '=', licenseId)
        .executeTakeFirstOrThrow()
      assert.deepEqual(
        [row.attempt, row.failed_payments, row.outstanding_balance, row.canceled_at, isCancelled],
        [0, 0, 0, null, false],
      )
      assert.doesNotMatch(kindsOf(await mailsTo(shop.app, email)), /renewal_/)
    }

    test('a renewal that was never made is charged under another key when a clock that jumped is put right', async () => {
      const one = await neverMade()
      await assertNoAttempt(one)
      await shop.goTo(fromUtcTime(one.next) + HOUR)
      for (let times = 0; times < 3; times++) await shop.renew()
      await assertRenewedOnce(one)
      const [first, second] = await shop.chargesOf(one)
      const period = one.next.replaceAll(/\D/g, '')
      assert.equal(first?.key, `renewal:${one.subscriptionId}:${period}:1`)
      assert.equal(second?.key, `renewal:${one.subscriptionId}:${period}-2:1`)
    })

    test('a renewal that was never made is charged once when charge_arrears is switched on', async () => {
      const one = await neverMade()
      const put = (isOn: boolean) =>
        shop.app.call('PUT', `/products/${shop.app.seller.product.id}/settings.json`, {
          body: { setting_type: 6, data: JSON.stringify({ charge_arrears: isOn }) },
        })
      assert.equal((await put(true)).status, 200)
      for (let times = 0; times < 3; times++) await shop.renew()
      await assertRenewedOnce(one)
      assert.equal((await put(false)).status, 200)
    })

    test('a renewal whose request arrives after it was taken for never made is booked at its last look', async () => {
      const one = await neverMade()
      const [charge] = await shop.chargesOf(one)
      const { token } = await shop.app.ctx.db
        .selectFrom('payment_methods')
        .innerJoin('subscriptions', 'subscriptions.payment_method_id', 'payment_methods.id')
        .select('payment_methods.token')
        .where('subscriptions.id', '=', one.subscriptionId)
        .executeTakeFirstOrThrow()
      const late = await shop.mover.gateway.chargeStored({
        key: charge?.key ?? '',
        amount: { minor: charge?.amount ?? 0, currency: 'usd' },
        description: 'late',
        method: shop.app.ctx.keys.open(token, 'payment_methods.token'),
      })
      assert.equal(late.outcome, 'paid')
      await lookAgain()
      await assertRenewedOnce(one)
    })

    test('processes that charge anew at once what was never made charge it once', async () => {
      const one = await neverMade()
      await shop.goTo(fromUtcTime(one.next) + HOUR)
      const other = anotherProcess(shop.app)
      try {
        await Promise.all([shop.renew(), shop.renew(other.ctx), shop.renew(), shop.renew(other.ctx)])
      } finally {
        await other.close()
      }
      await assertRenewedOnce(one)
    })

    test('a process that ends before any statement of closing what was never made leaves it to be charged once', async () => {
      let isWhole = false
      for (let n = 1; !isWhole; n++) {
        const one = await lost()
        await shop.follow()
        shop.app.ctx.clock.advance(2 * HOUR)
        const dying = dyingProcess(shop.app, n)
        try {
          await shop.follow(dying.ctx).catch(() => {})
          isWhole = !dying.isDead()
        } finally {
          await dying.close()
        }
        shop.app.ctx.clock.advance(2 * HOUR)
        await shop.follow()
        assert.deepEqual(await statesOf(one), ['unmade'], `cut before statement ${n}`)
        await assertNoAttempt(one)
        await shop.goTo(fromUtcTime(one.next) + HOUR)
        await shop.renew()
        await assertRenewedOnce(one)
      }
    })

    test('what was asked for and not made before renewals were held is no failed attempt while they are', async () => {
      const one = await shop.sold(0)
      await shop.goTo(fromUtcTime(one.next))
      shop.mover.lose('renewal', 'there')
      await runDue(shop.app.ctx, [renew])
      assert.deepEqual(await statesOf(one), ['pending'])
      shop.app.ctx.clock.advance(5 * DAY)
      for (let times = 0; times < 3; times++) {
        await runDue(shop.app.ctx, [heartbeat, renew, settleRenewals])
        shop.app.ctx.clock.advance(2 * HOUR)
      }
      assert.deepEqual(await statesOf(one), ['unmade'])
      await assertNoAttempt(one)
      await shop.goTo(shop.app.ctx.clock.real())
      await runDue(shop.app.ctx, [renew])
      await assertRenewedOnce(one)
    })

    test('a gateway that refuses renewals is no failed attempt, and is asked less and less often', async (t) => {
      for (const refuse of Object.values(shop.mover.refusals)) {
        const one = await shop.sold(0)
        const jobs = [heartbeat, renew, settleRenewals]
        await shop.goTo(fromUtcTime(one.next))
        const end = refuse()
        t.after(end)
        const asked = shop.mover.asked()
        for (let hour = 0; hour < 20 * 24; hour++) {
          await runDue(shop.app.ctx, jobs)
          shop.app.ctx.clock.advance(HOUR)
        }
        await assertNoAttempt(one)
        const charges = await shop.chargesOf(one)
        assert.deepEqual([...new Set(charges.map(({ state }) => state))], ['unmade'])
        assert.ok(charges.length > 15 && charges.length < 40, `${charges.length} charges`)
        // A look at a wallet is three requests.
        assert.ok(shop.mover.asked() - asked < 300, 'asked in a tight loop')
        end()
        shop.app.ctx.clock.advance(DAY)
        await runDue(shop.app.ctx, jobs)
        await assertRenewedOnce(one)
      }
    })

    /** Reports that a charge was declined, before its answer comes: `answers` is what the gateway answers then. */
    function declinedFirst<A extends { readonly outcome: string }>(answers: Promise<A>): Promise<A> {
      return answers.then(async (answer) => {
        const { code, charges, decline, reportOfDeclined } = shop.mover
        const id = charges().at(-1) ?? ''
        const end = decline(id)
        assert.equal((await send(shop.app, code, reportOfDeclined(id))).status, 200)
        end()
        return answer
      })
    }

    test('a renewal that is reported as declined while its gateway answers that it is paid is renewed', async () => {
      const one = await shop.sold()
      const { gateways } = shop.app.ctx
      const chargeStored: typeof shop.mover.gateway.chargeStored = (request) =>
        declinedFirst(shop.mover.gateway.chargeStored(request))
      Object.assign(shop.app.ctx, { gateways: [{ ...shop.mover.gateway, chargeStored }] })
      await shop.goTo(fromUtcTime(one.next))
      await shop.renew()
      Object.assign(shop.app.ctx, { gateways })
      await assertRenewedOnce(one)
    })

    test('a purchase that is reported as declined while its gateway answers that it is paid is bought', async () => {
      const { app } = shop
      const { pricingId } = await offerFor(app, 1)
      const token = await app.write((tx) =>
        openSandboxCheckout(tx, scopeOf(app), { pricingId, email: 'declined.first@example.com' }),
      )
      const made = shop.mover.charges().length
      const { gateways } = app.ctx
      const charge: typeof shop.mover.gateway.charge = (request) =>
        declinedFirst(shop.mover.gateway.charge(request))
      Object.assign(app.ctx, { gateways: [{ ...shop.mover.gateway, charge }] })
      const reply = await payCheckout(app, token, shop.mover.tokens.paid)
      Object.assign(app.ctx, { gateways })
      await boughtBy(app, reply)
      assert.equal(shop.mover.charges().length, made + 1)
      assert.deepEqual(await ledgerFaults(app), [])
      assert.deepEqual((await checkLedger(app.ctx)).unbooked_charges, [])
    })

    test('the check of the ledger names what a gateway was paid and is in no book', async () => {
      const one = await shop.sold()
      await shop.goTo(fromUtcTime(one.next))
      await shop.renew()
      const [charge] = await shop.chargesOf(one)
      const change = (outcome_id: number | null) =>
        shop.app.write(({ db }) =>
          db
            .updateTable('charges')
            .set({ outcome_id })
            .where('id', '=', charge?.id ?? 0)
            .execute(),
        )
      await change(null)
      const { ok, unbooked_charges: unbooked } = await checkLedger(shop.app.ctx)
      assert.deepEqual([ok, unbooked.map(({ key }) => key)], [false, [charge?.key]])
      await change(charge?.outcome_id ?? null)
      assert.equal((await checkLedger(shop.app.ctx)).ok, true)
    })
  })
}

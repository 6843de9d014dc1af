import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openSandboxCheckout } from '../../../test/checkouts.ts'
import { changeShop, type ChangeShop } from '../../../test/license-changes.ts'
import { licenseOn, offerFor, userOf } from '../../../test/licenses.ts'
import { payCheckout, send } from '../../../test/reports.ts'
import { ledgerFaults, scopeOf } from '../../../test/sales.ts'
import { moverShop, MOVERS_ONCE, type MoverShop } from '../../../test/movers.ts'
import { settlePurchases } from '../checkouts/settle-purchases-job.ts'
import { settleRefunds } from '../refunds/settle-refunds-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { fromUtcTime, MINUTE } from '../../lib/time.ts'
import { takeOwed } from '../refunds/refund-payment.ts'

for (const kind of MOVERS_ONCE) {
  describe(kind, () => {
    let shop: MoverShop
    let changes: ChangeShop
    before(async () => {
      shop = await moverShop('given_back', kind)
      changes = await changeShop(shop.app)
    })
    after(() => shop.close())

    const paymentsOf = async (licenseId: string) =>
      (await changes.paymentsOf(licenseId)).map(({ type, gross, refunded_gross: given }) => [
        type,
        gross,
        given,
      ])

    /** Jobs give back what is to be given back. */
    async function giveBack(): Promise<void> {
      await shop.goTo(shop.app.ctx.clock.real() + 2 * MINUTE)
      await runDue(shop.app.ctx, [settleRefunds])
    }

    /** The gateway is paid a second time under the key of a purchase, and reports it. */
    async function paidTwice(licenseId: string): Promise<void> {
      const [payment] = await changes.paymentsOf(licenseId)
      const { key } = await shop.app.ctx.db
        .selectFrom('charges')
        .select('key')
        .where('external_id', '=', payment?.external_id ?? '')
        .executeTakeFirstOrThrow()
      const report = shop.mover.reportOf(shop.mover.madeAgain(key))
      assert.equal((await send(shop.app, shop.mover.code, report)).status, 200)
      await giveBack()
    }

    /** A renewal whose answer is lost, and which is given back as its date was moved meanwhile. */
    async function movedAway(licenseId: string): Promise<void> {
      const [subscription] = await changes.subscriptionsOf(licenseId)
      assert.ok(subscription?.next_payment)
      await shop.app.write(({ db }) =>
        db.updateTable('subscriptions').set({ due_at: null }).where('id', '<>', subscription.id).execute(),
      )
      await shop.goTo(fromUtcTime(subscription.next_payment))
      shop.mover.lose('renewal', 'back')
      await shop.renew()
      const moved = await shop.app.call('PUT', `${changes.base}/licenses/${licenseId}.json`, {
        body: { expiration: '2060-01-01 00:00:00', update_subscription_renewal_date: true },
      })
      assert.equal(moved.status, 200, moved.text)
      shop.app.ctx.clock.advance(20 * MINUTE)
      await shop.follow()
    }

    for (const [what, happens] of [
      ['a second charge', paidTwice],
      ['a renewal that could pay for nothing', movedAway],
    ] as const) {
      test(`${what} that was given back takes nothing off the credit of what was bought`, async () => {
        const { id } = await changes.buy({}, shop.mover.tokens.paid)
        await happens(id)
        assert.deepEqual(await paymentsOf(id), [
          ['payment', 10_000, 0],
          ['payment', 10_000, 10_000],
          ['refund', -10_000, 0],
        ])
        const { json, text } = await changes.openFor(id, { plan_id: changes.plans.pro })
        const credit = json.quote?.lines.find(({ kind }: { kind: string }) => kind === 'proration')
        assert.ok(credit && credit.amount < 0, text)
        assert.deepEqual(await ledgerFaults(shop.app), [])
      })
    }

    test('a second charge that was given back leaves a license what its cancelled subscription has paid', async () => {
      const one = await shop.sold()
      await paidTwice(String(one.licenseId))
      await shop.goTo(fromUtcTime(one.next))
      shop.mover.lose('renewal', 'back')
      await shop.renew()
      const ended = await shop.app.call('DELETE', `${changes.base}/subscriptions/${one.subscriptionId}.json`)
      assert.equal(ended.status, 200)
      shop.app.ctx.clock.advance(20 * MINUTE)
      await shop.follow()
      const given = (await shop.renewalsOf(one)).map(({ refunded_gross: gross }) => gross > 0)
      assert.deepEqual(given, [true, false])
    })

    test('a coupon of a change that is given back whole can be used again', async () => {
      const { app } = shop
      const coupon = await app.call('POST', `${changes.base}/coupons.json`, {
        body: {
          code: 'ONCE',
          discount: 10,
          discount_type: 'percentage',
          redemptions_limit: 1,
          is_active: true,
        },
      })
      assert.equal(coupon.status, 201, coupon.text)
      const { id } = await changes.buy({}, shop.mover.tokens.paid)
      const opened = await changes.openFor(id, { plan_id: changes.plans.pro, coupon: 'ONCE' })
      shop.mover.lose('purchase', 'back')
      assert.equal((await changes.pay(opened.json.id, shop.mover.tokens.paid)).status, 503)
      assert.equal((await app.call('DELETE', `${changes.base}/licenses/${id}.json`)).status, 200)
      await shop.goTo(app.ctx.clock.real() + 10 * MINUTE)
      await runDue(app.ctx, [settlePurchases])
      await giveBack()
      const [, changed, refund] = await paymentsOf(id)
      assert.deepEqual(
        [changed, refund],
        [
          ['payment', changed?.[1], changed?.[1]],
          ['refund', -Number(changed?.[1]), 0],
        ],
      )
      const { json } = await app.call('GET', `${changes.base}/coupons/${coupon.json.id}.json`)
      assert.equal(json.redemptions, 0)
      assert.deepEqual(await ledgerFaults(app), [])
    })

    test('who has paid only what could buy nothing and is given back has bought nothing, and gets a coupon for new buyers', async () => {
      const { app } = shop
      const email = 'bought.nothing@example.com'
      await userOf(app, email)
      const license = await licenseOn(app, await offerFor(app, 1), { body: { email } })
      const ofSandbox = { environment: 1 } as const
      await app.write(({ db }) =>
        db.updateTable('licenses').set(ofSandbox).where('id', '=', Number(license.id)).execute(),
      )
      const opened = await changes.openFor(license.id, { plan_id: changes.plans.pro, country_code: 'us' })
      shop.mover.lose('purchase', 'back')
      const lost = await changes.pay(opened.json.id, shop.mover.tokens.paid)
      assert.equal(lost.status, 503, lost.text)
      assert.equal((await app.call('DELETE', `${changes.base}/licenses/${license.id}.json`)).status, 200)
      await shop.goTo(app.ctx.clock.real() + 10 * MINUTE)
      await runDue(app.ctx, [settlePurchases])
      await giveBack()
      const given = await paymentsOf(license.id)
      assert.deepEqual(
        given.map(([type]) => type),
        ['payment', 'refund'],
      )
      const newcomers = { code: 'NEWCOMER', discount: 10, discount_type: 'percentage', user_type: 'new' }
      const made = await app.call('POST', `${changes.base}/coupons.json`, {
        body: { ...newcomers, is_active: true },
      })
      assert.equal(made.status, 201, made.text)
      const states: string[] = []
      for (const { pricingId } of [await offerFor(app, 1), await offerFor(app, 1)]) {
        const coupon = { pricingId, email, coupon: 'NEWCOMER' }
        const token = await app.write((tx) => openSandboxCheckout(tx, scopeOf(app), coupon))
        const { json } = await payCheckout(app, token, shop.mover.tokens.paid)
        states.push(json.error?.code ?? json.state)
      }
      assert.deepEqual(states, ['paid', 'coupon_not_applicable'])
    })

    test('what was given back because a change cost less leaves the rest of its payment for the credit', async () => {
      const { id } = await changes.buy({}, shop.mover.tokens.paid)
      const [payment] = await changes.paymentsOf(id)
      await shop.app.write((tx) => takeOwed(tx, scopeOf(shop.app), payment?.id ?? 0, { amount: 20 }))
      await giveBack()
      const { json, text } = await changes.openFor(id, { plan_id: changes.plans.pro })
      const credit = json.quote?.lines.find(({ kind }: { kind: string }) => kind === 'proration')
      assert.equal(credit?.amount, -80, text)
    })
  })
}

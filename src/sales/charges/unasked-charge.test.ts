import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CHARGE_TOKEN_PLACE } from '../../db/sealed-columns.ts'
import { tokenOf } from './ask-for-charge.ts'
import { type Reply, type TestApp } from '../../../test/app.ts'
import { openSandboxCheckout } from '../../../test/checkouts.ts'
import { redemptionsOf } from '../../../test/redemptions.ts'
import { boughtBy, payCheckout } from '../../../test/reports.ts'
import { ledgerFaults, scopeOf } from '../../../test/sales.ts'
import { changedTables, contentsOf } from '../../../test/whole-database.ts'
import { newestCharge } from '../../../test/charges.ts'
import type { Mover } from '../../../test/mover.ts'
import { moverShop, MOVERS_ONCE, type MoverShop } from '../../../test/movers.ts'
import { settlePurchases } from '../checkouts/settle-purchases-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { HOUR, MINUTE } from '../../lib/time.ts'
import { createCoupon } from '../coupons/service.ts'
import { askForPurchase } from '../checkouts/pay-checkout.ts'

for (const kind of MOVERS_ONCE) {
  describe(kind, () => {
    let shop: MoverShop
    let app: TestApp
    let mover: Mover
    let pricingId: number
    let people = 0
    before(async () => {
      shop = await moverShop('unasked', kind)
      ;({ app, mover, pricingId } = shop)
    })
    after(() => shop.close())

    const CARD = '4242424242424242'
    const LAST = { discount: 50, discount_type: 'percentage', redemptions_limit: 1 } as const

    /** A checkout with a coupon that one purchase may use; the token that names it. */
    async function openWithLast() {
      const code = `LAST${++people}`
      const all = { user_type: 'all', has_renewals_discount: false, has_addons_discount: false } as const
      const coupon = { ...LAST, ...all, code, is_one_per_user: false, is_active: true }
      const { id } = await app.write((tx) => createCoupon(tx, scopeOf(app), coupon))
      const email = `unasked${people}@example.com`
      const token = await app.write((tx) =>
        openSandboxCheckout(tx, scopeOf(app), { pricingId, email, coupon: code }),
      )
      return { token, couponId: Number(id) }
    }

    const redeemed = async (couponId: number) => (await redemptionsOf(app, couponId)).sandbox

    const methodOf = (charge: { readonly token: string | null }) => tokenOf(app.ctx.keys, charge)

    const codeOf = ({ status, json }: Reply) => [status, json?.error?.code]

    const everywhere = (
      token: string,
    ): readonly (readonly [method: 'POST' | 'PUT', path: string, body: object])[] => {
      const path = `/checkout/sessions/${token}`
      const pay = (body: object) => ['POST', `${path}/pay.json`, body] as const
      const update = (body: object) => ['PUT', `${path}.json`, body] as const
      return [
        pay({ payment_token: CARD }),
        pay({ payment_token: '4242 4242 4242 4242' }),
        pay({ payment_token: '4242/4242,4242|4242' }),
        pay({ payment_token: `${CARD} 12/29 123` }),
        pay({ payment_token: '４２４２４２４２４２４２４２４２' }),
        pay({ payment_token: '4222222222222' }),
        pay({ payment_token: '378282246310005' }),
        pay({ payment_token: { number: '6011 1111 1111 1117' } }),
        pay({ payment_token: Number(CARD) }),
        pay({ payment_token: mover.tokens.paid, card: { number: [CARD], exp: '12/29' } }),
        pay({ payment_token: mover.tokens.paid, [CARD]: '12/29' }),
        pay({ payment_token: mover.tokens.paid, card: { [CARD]: true } }),
        pay({ payment_token: mover.tokens.paid, return_url: `https://shop.example/?card=${CARD}` }),
        update({ user_firstname: CARD }),
        update({ user_email: `${CARD}@example.com` }),
        update({ zip_postal_code: '4242-4242-4242-4242' }),
        update({ vat_id: CARD }),
        update({ coupon: `card ${CARD}` }),
        ['POST', '/checkout/sessions.json', { product_id: app.seller.product.id, user_lastname: CARD }],
      ]
    }

    test('a card number in any argument of a checkout is refused, and nothing is written, and it can be paid', async () => {
      const { token, couponId } = await openWithLast()
      const before = await contentsOf(app.ctx.database)
      for (const [method, path, body] of everywhere(token)) {
        const headers = { 'idempotency-key': `card-${++people}` }
        const reply = await app.call(method, path, { token: null, body, headers })
        assert.deepEqual(codeOf(reply), [400, 'card_number_refused'], JSON.stringify(body))
        assert.equal(reply.json.error.details.length, 1)
        assert.doesNotMatch(reply.text, /4242\D*4242/)
      }
      assert.deepEqual(changedTables(before, await contentsOf(app.ctx.database)), [])
      const { payment } = await boughtBy(app, await payCheckout(app, token, mover.tokens.paid))
      assert.equal(payment.coupon_id, couponId)
    })

    test('numbers of taxpayers, times and hashes are no cards', async () => {
      const { token } = await openWithLast()
      for (const body of [
        { vat_id: 'BR 33.000.167/0001-01' },
        { vat_id: '36438147000006' },
        { zip_postal_code: '10115', vat_id: '' },
      ]) {
        const reply = await app.call('PUT', `/checkout/sessions/${token}.json`, { token: null, body })
        assert.equal(reply.status, 200, reply.text)
      }
    })

    /** A checkout that was begun with a card number, as the gateway alone would refuse it. */
    async function begunWithCard() {
      const opened = await openWithLast()
      const from = { ...scopeOf(app), kind: 'root' as const }
      const asking = askForPurchase(app.ctx, from, opened.token, { payment_token: CARD })
      await assert.rejects(asking, { code: 'card_number_refused' })
      return { ...opened, charge: await newestCharge(app) }
    }

    test('a charge that its gateway was not asked for is let go, with its coupon and its checkout', async () => {
      const { token, couponId, charge } = await begunWithCard()
      assert.equal(charge.state, 'declined')
      assert.equal(methodOf(charge), '')
      assert.equal(await redeemed(couponId), 0)
      const { payment } = await boughtBy(app, await payCheckout(app, token, mover.tokens.paid))
      assert.deepEqual([payment.coupon_id, await redeemed(couponId)], [couponId, 1])
    })

    test('one that was begun so and left is let go by the job, once and for all', async () => {
      const { token, couponId, charge } = await begunWithCard()
      const sealed = app.ctx.keys.seal(CARD, CHARGE_TOKEN_PLACE)
      await app.ctx.database.transaction(async (db) => {
        await db
          .updateTable('charges')
          .set({ state: 'started', token: sealed })
          .where('id', '=', charge.id)
          .execute()
        await db
          .updateTable('checkouts')
          .set({ state: 'paying', charge_id: charge.id })
          .where('charge_id', '=', charge.id)
          .execute()
        await db.updateTable('coupons').set({ sandbox_redemptions: 1 }).where('id', '=', couponId).execute()
      })
      app.ctx.clock.advance(10 * MINUTE)
      await runDue(app.ctx, [settlePurchases])
      const left = await newestCharge(app)
      assert.deepEqual([left.id, left.state, methodOf(left)], [charge.id, 'declined', ''])
      assert.equal(await redeemed(couponId), 0)
      await boughtBy(app, await payCheckout(app, token, mover.tokens.paid))
    })

    test('a gateway that does not let us ask leaves the checkout as it was', async () => {
      const { token, couponId } = await openWithLast()
      const before = mover.charges().length
      mover.lockOut()
      assert.deepEqual(codeOf(await payCheckout(app, token, mover.tokens.paid)), [503, 'gateway_refused'])
      assert.deepEqual([await redeemed(couponId), mover.charges().length], [0, before])
      await boughtBy(app, await payCheckout(app, token, mover.tokens.paid))
      assert.equal(mover.charges().length, before + 1)
    })

    test('what was asked for and not answered is not let go because nobody may ask any more', async () => {
      const { token, couponId } = await openWithLast()
      const before = mover.charges().length
      mover.lose('purchase', 'back')
      assert.equal((await payCheckout(app, token, mover.tokens.paid)).status, 503)
      assert.equal(mover.charges().length, before + 1)
      app.ctx.clock.advance(HOUR)
      mover.loseNothing()
      mover.lockOut()
      await runDue(app.ctx, [settlePurchases])
      assert.equal(await redeemed(couponId), 1)
      app.ctx.clock.advance(HOUR)
      await runDue(app.ctx, [settlePurchases])
      const { payment } = await boughtBy(app, await payCheckout(app, token, mover.tokens.paid))
      assert.deepEqual([payment.coupon_id, mover.charges().length], [couponId, before + 1])
      assert.deepEqual(await ledgerFaults(app), [])
    })
  })
}

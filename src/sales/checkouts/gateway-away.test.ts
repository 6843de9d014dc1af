import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { openSandboxCheckout } from '../../../test/checkouts.ts'
import { offerFor } from '../../../test/licenses.ts'
import type { Mover } from '../../../test/mover.ts'
import { MOVERS, startMover } from '../../../test/movers.ts'
import { redemptionsOf } from '../../../test/redemptions.ts'
import { boughtBy } from '../../../test/reports.ts'
import { ledgerFaults, scopeOf } from '../../../test/sales.ts'
import { MINUTE } from '../../lib/time.ts'
import { checkLedger } from '../ledger/check-ledger.ts'
import { createCoupon } from '../coupons/service.ts'

for (const kind of MOVERS) {
  const otherKind = kind === 'cards' ? 'wallets' : 'cards'
  describe(`${kind}, beside ${otherKind}`, () => {
    let app: TestApp
    let mover: Mover
    let other: Mover
    let pricingId: number
    let people = 0
    before(async () => {
      app = await startTestApp(`gateway_away_${kind}`)
      const now = () => app.ctx.clock.real()
      ;[mover, other] = [await startMover(kind, now), await startMover(otherKind, now)]
      Object.assign(app.ctx, { gateways: [mover.gateway, other.gateway] })
      pricingId = (await offerFor(app, 1)).pricingId
    })
    after(async () => {
      mover.close()
      other.close()
      await app.close()
    })

    /** A checkout with a coupon that one purchase may use. */
    async function opened() {
      const code = `AWAY${++people}`
      const all = { user_type: 'all', has_renewals_discount: false, has_addons_discount: false } as const
      const last = { discount: 50, discount_type: 'percentage', redemptions_limit: 1 } as const
      const coupon = { ...last, ...all, code, is_one_per_user: false, is_active: true }
      const { id } = await app.write((tx) => createCoupon(tx, scopeOf(app), coupon))
      const email = `away${people}@example.com`
      const token = await app.write((tx) =>
        openSandboxCheckout(tx, scopeOf(app), { pricingId, email, coupon: code }),
      )
      const redeemed = async () => (await redemptionsOf(app, Number(id))).sandbox
      return { token, redeemed }
    }

    const payBy = ({ code: gateway, tokens }: Mover, token: string) =>
      app.call('POST', `/checkout/sessions/${token}/pay.json`, {
        token: null,
        body: { payment_token: tokens.paid, gateway, is_waiver_accepted: true },
      })

    const stateOf = async (token: string) =>
      (await app.call('GET', `/checkout/sessions/${token}.json`, { token: null })).json.state

    test('where it does not answer before it is asked for money, the other is on sale in the same checkout', async () => {
      const { token, redeemed } = await opened()
      mover.lose('look', 'there')
      const { status, json } = await payBy(mover, token)
      assert.deepEqual([status, json.error.code], [503, 'gateway_unreachable'])
      assert.deepEqual([await stateOf(token), await redeemed()], ['open', 0])
      const { payment } = await boughtBy(app, await payBy(other, token))
      assert.deepEqual([payment.gateway, await redeemed()], [other.code, 1])
      assert.deepEqual([mover.charges(), other.charges().length], [[], 1])
      assert.deepEqual(await ledgerFaults(app), [])
      const { ok, open_charges: open, unbooked_charges: unbooked } = await checkLedger(app.ctx)
      assert.deepEqual([ok, open, unbooked], [true, [], []])
    })

    test('where it does not answer once, it is asked anew for the same checkout', async () => {
      const { token } = await opened()
      mover.lose('look', 'back')
      assert.equal((await payBy(mover, token)).status, 503)
      const { payment } = await boughtBy(app, await payBy(mover, token))
      assert.deepEqual([payment.gateway, mover.charges()], [mover.code, [payment.external_id]])
    })

    test('what it may have charged is paid by no other until that is known', async () => {
      const { token } = await opened()
      const [made, others] = [mover.charges().length, other.charges().length]
      mover.lose('purchase', 'back')
      assert.equal((await payBy(mover, token)).status, 503)
      assert.equal(await stateOf(token), 'paying')
      app.ctx.clock.advance(3 * MINUTE)
      const { payment } = await boughtBy(app, await payBy(other, token))
      assert.deepEqual(
        [payment.gateway, mover.charges().length, other.charges().length],
        [mover.code, made + 1, others],
      )
    })
  })
}

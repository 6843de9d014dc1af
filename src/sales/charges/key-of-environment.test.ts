import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper } from '../../../test/callers.ts'
import { changeShop, type ChangeShop } from '../../../test/license-changes.ts'
import { mailsTo } from '../../../test/mails.ts'
import { ledgerFaults } from '../../../test/sales.ts'
import type { Mover } from '../../../test/mover.ts'
import { MOVERS_ONCE, startMover } from '../../../test/movers.ts'
import { renewNow } from '../../../test/subscriptions.ts'
import type { Environment } from '../../gateways/gateway.ts'
import { heartbeat } from '../../work/heartbeat-job.ts'
import { renew } from '../renewals/renew-job.ts'
import { settlePurchases } from '../checkouts/settle-purchases-job.ts'
import { settleRenewals } from '../renewals/settle-renewals-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { DAY } from '../../lib/time.ts'

for (const kind of MOVERS_ONCE) {
  describe(kind, () => {
    /** A gateway by environment: what is made with a live key is not there for one of its tests, and the other way round. */
    let sides: readonly [Mover, Mover]
    const charges = () => sides.map((side) => side.charges().length)

    let app: TestApp
    let shop: ChangeShop
    before(async () => {
      app = await startTestApp('key_of_environment')
      const now = () => app.ctx.clock.real()
      sides = [await startMover(kind, now), await startMover(kind, now)]
      shop = await changeShop(app)
    })
    beforeEach(() => {
      app.ctx.clock.set(START)
      for (const side of sides) side.loseNothing()
    })
    after(async () => {
      for (const side of sides) side.close()
      await app.close()
    })

    /** A gateway has one key, of either environment. */
    const setKey = (environment: Environment) =>
      Object.assign(app.ctx, {
        gateways: sides[environment].gateways.slice(1 - environment, 2 - environment),
      })
    const other = (environment: Environment): Environment => (environment === 0 ? 1 : 0)

    /** What is due now is done, whatever time it was before. */
    async function work(): Promise<void> {
      await app.write(({ db }) => db.updateTable('jobs').set({ due_at: 0 }).execute())
      await renewNow(app)
      await runDue(app.ctx, [heartbeat, renew, settleRenewals, settlePurchases])
    }

    async function daily(days: number, done: () => Promise<unknown> = () => runDue(app.ctx, [heartbeat])) {
      for (let day = 0; day < days; day++) {
        app.ctx.clock.advance(DAY)
        await done()
      }
    }

    const NO_SANDBOX = { s_ctx_ts: undefined, sandbox: undefined }

    /** A month that is sold in an environment, and is over now. */
    async function sold(environment: Environment) {
      setKey(environment)
      await work()
      const where = environment === 0 ? NO_SANDBOX : {}
      const bought = await shop.buy({ billing_cycle: 'monthly', ...where }, sides[environment].tokens.paid)
      await daily(31)
      return bought
    }

    /** Nothing was charged for a renewal, and nobody was told that it failed. */
    async function isAsSold({ id, email }: { readonly id: string; readonly email: string }): Promise<void> {
      const { failed_payments, outstanding_balance, canceled_at } = await shop.subscriptionOf(id)
      assert.deepEqual([failed_payments, outstanding_balance, canceled_at], [0, 0, null])
      const kinds = (await mailsTo(app, email)).map(({ kind }) => kind)
      assert.ok(!kinds.includes('renewal_failed'), kinds.join())
      assert.equal((await shop.paymentsOf(id)).length, 1)
    }

    /** With the key of its environment it is renewed, by the one charge that there is or is made. */
    async function isRenewedOnce({ id }: { readonly id: string }, environment: Environment, made: number[]) {
      setKey(environment)
      await daily(2, work)
      assert.deepEqual(charges(), made)
      assert.equal((await shop.paymentsOf(id)).length, 2)
      assert.deepEqual(await ledgerFaults(app), [])
    }

    const lastCheckout = async () =>
      (await app.ctx.db.selectFrom('checkouts').select('state').orderBy('id', 'desc').executeTakeFirst())
        ?.state

    for (const environment of [0, 1] as const) {
      const [which, wrong] = environment === 0 ? ['live', 'a key for tests'] : ['sandbox', 'a live key']
      const oneMore = (made: number[]) =>
        made.map((count, side) => (side === environment ? count + 1 : count))

      test(`with ${wrong} no ${which} renewal is charged or dunned: it waits for its own key`, async () => {
        const bought = await sold(environment)
        const made = charges()
        setKey(other(environment))
        await daily(12, work)
        assert.deepEqual(charges(), made)
        await isAsSold(bought)
        await isRenewedOnce(bought, environment, oneMore(made))
      })

      test(`with ${wrong} a ${which} renewal whose answer was lost does not count as never made`, async () => {
        const bought = await sold(environment)
        const made = oneMore(charges())
        sides[environment].lose('renewal', 'back')
        await work()
        assert.deepEqual(charges(), made)
        setKey(other(environment))
        for (const side of sides) side.forgetKeys()
        await daily(3, work)
        await isAsSold(bought)
        await isRenewedOnce(bought, environment, made)
      })

      test(`with ${wrong} a ${which} purchase whose answer was lost is not let go`, async () => {
        setKey(environment)
        sides[environment].lose('purchase', 'back')
        const email = `lost-${which}@example.com`
        const where = environment === 0 ? {} : shop.sandbox()
        const who = {
          user_email: email,
          user_firstname: 'Ada',
          user_lastname: 'Lovelace',
          country_code: 'us',
        }
        const { json: session } = await shop.open({ ...where, ...who, plan_id: shop.plans.basic })
        assert.equal((await shop.pay(session.id, sides[environment].tokens.paid)).status, 503)
        const made = charges()
        setKey(other(environment))
        await daily(3, work)
        assert.equal(await lastCheckout(), 'paying')
        setKey(environment)
        await daily(1, work)
        assert.equal(await lastCheckout(), 'paid')
        assert.deepEqual(charges(), made)
      })

      test(`with ${wrong} a ${which} payment is not given back, and says why`, async () => {
        const { id } = await sold(environment)
        const [payment] = await shop.paymentsOf(id)
        const path = `${shop.base}/payments/${payment?.id}/refunds.json`
        const refund = async () => (await asDeveloper(app))('POST', path, {})
        setKey(other(environment))
        const { status, json } = await refund()
        assert.deepEqual([status, json.error?.code], [400, 'gateway_not_configured'])
        setKey(environment)
        assert.equal((await refund()).status, 201)
      })
    }
  })
}

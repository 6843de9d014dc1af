import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { START, type Reply, type TestApp } from '../../../test/app.ts'
import { openSandboxCheckout } from '../../../test/checkouts.ts'
import { anotherProcess } from '../../../test/dying.ts'
import { boughtBy, payCheckout } from '../../../test/reports.ts'
import { ledgerFaults, scopeOf } from '../../../test/sales.ts'
import { newestCharge } from '../../../test/charges.ts'
import type { Mover } from '../../../test/mover.ts'
import { moverShop, MOVERS_ONCE, type MoverShop } from '../../../test/movers.ts'
import { lookAgainAtCharges } from './look-again-job.ts'
import { prune } from '../../jobs/prune.ts'
import { settlePurchases } from '../checkouts/settle-purchases-job.ts'
import { settleRefunds } from '../refunds/settle-refunds-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { hashToken } from '../../lib/credentials.ts'
import { DAY, HOUR, MINUTE, toUtcTime } from '../../lib/time.ts'
import { checkLedger } from '../ledger/check-ledger.ts'
import { lookAgain } from './look-again.ts'

for (const kind of MOVERS_ONCE) {
  describe(kind, () => {
    let shop: MoverShop
    let app: TestApp
    let mover: Mover
    let pricingId: number
    before(async () => {
      shop = await moverShop('held_charges', kind)
      ;({ app, mover, pricingId } = shop)
    })
    beforeEach(() => {
      app.ctx.clock.set(START)
      mover.loseNothing()
    })
    after(() => shop.close())

    let buyers = 0
    const opened = () =>
      app.write((tx) =>
        openSandboxCheckout(tx, scopeOf(app), { pricingId, email: `held${++buyers}@example.com` }),
      )

    type Hook = () => Promise<void> | void

    /** Pays a checkout; something happens before the gateway has the request, or before its answer is here. */
    async function payHeld(
      token: string,
      { before, after }: { before?: Hook; after?: Hook },
    ): Promise<Reply> {
      const { gateway, gateways } = mover
      const charge: typeof gateway.charge = async (request) => {
        await before?.()
        const answer = await gateway.charge(request)
        await after?.()
        return answer
      }
      Object.assign(app.ctx, { gateways: [{ ...gateway, charge }] })
      const reply = await payCheckout(app, token, mover.tokens.paid)
      Object.assign(app.ctx, { gateways })
      return reply
    }

    async function look({ jobs = [settlePurchases, prune, lookAgainAtCharges] } = {}): Promise<void> {
      await app.write(({ db }) => db.updateTable('jobs').set({ due_at: 0, lease_until: 0 }).execute())
      await runDue(app.ctx, jobs)
    }

    async function assertBooked(): Promise<void> {
      const charge = await newestCharge(app)
      assert.deepEqual([charge.state, charge.outcome_id !== null], ['settled', true])
      assert.deepEqual(await ledgerFaults(app), [])
      const { unbooked_charges: unbooked, open_charges: open } = await checkLedger(app.ctx)
      assert.deepEqual([unbooked, open], [[], []])
    }

    test('a checkout that expires while its gateway is asked is paid, and its buyer sees the key for a day', async () => {
      const [token, other] = [await opened(), await opened()]
      app.ctx.clock.advance(DAY - MINUTE)
      const reply = await payHeld(token, { after: () => app.ctx.clock.advance(2 * MINUTE) })
      await boughtBy(app, reply)
      await assertBooked()
      const again = await payCheckout(app, token, mover.tokens.paid)
      assert.equal(again.json.license_key, reply.json.license_key)
      assert.equal((await payCheckout(app, other, mover.tokens.paid)).status, 404)
      app.ctx.clock.advance(DAY)
      assert.equal((await payCheckout(app, token, mover.tokens.paid)).status, 404)
    })

    test('a checkout that expires while nobody knows whether it is paid tells how it stands', async () => {
      const token = await opened()
      app.ctx.clock.advance(DAY - MINUTE)
      mover.lose('purchase', 'back')
      assert.equal((await payHeld(token, {})).status, 503)
      app.ctx.clock.advance(10 * MINUTE)
      await boughtBy(app, await payCheckout(app, token, mover.tokens.paid))
      await assertBooked()
    })

    test('a clock that jumps while a request is on its way lets nothing go', async () => {
      const token = await opened()
      let state = ''
      const reply = await payHeld(token, {
        async before() {
          app.ctx.clock.advance(25 * HOUR)
          for (let looks = 0; looks < 3; looks++) await look()
          state = (await newestCharge(app)).state
        },
      })
      assert.equal(state, 'pending')
      await boughtBy(app, reply)
      await assertBooked()
    })

    /** Two looks that find nothing, a day after it was asked for. */
    async function letGo(): Promise<void> {
      for (const hours of [25, 2]) {
        app.ctx.clock.advance(hours * HOUR)
        await look()
      }
    }

    /** Pays a checkout anew that was let go, by a day later. */
    async function goOnWith(token: string, method: string): Promise<Reply> {
      await app.write(({ db }) =>
        db
          .updateTable('checkouts')
          .set({ expires_at: toUtcTime(app.ctx.clock.real() + DAY) })
          .where('state', '=', 'open')
          .execute(),
      )
      Object.assign(app.ctx, { gateways: mover.gateways })
      return payCheckout(app, token, method)
    }

    /** Pays a checkout whose request is on its way until after its charge was let go, as its payer went away. */
    async function letGoFirst({ isLost = false } = {}) {
      const token = await opened()
      let state = ''
      const reply = await payHeld(token, {
        async before() {
          await letGo()
          state = (await newestCharge(app)).state
          if (isLost) mover.lose('purchase', 'back')
        },
      })
      assert.equal(state, 'declined')
      return { token, reply }
    }

    test('what is paid after it was let go as never made is bought', async () => {
      const { token, reply } = await letGoFirst()
      const { payment } = await boughtBy(app, reply)
      assert.equal(payment.external_id, mover.charges().at(-1))
      await assertBooked()
      await boughtBy(app, await payCheckout(app, token, mover.tokens.paid))
    })

    test('what was let go as never made is named until it was looked up once more, and is bought if it was paid', async () => {
      const { reply } = await letGoFirst({ isLost: true })
      assert.equal(reply.status, 503, reply.text)
      const { id } = await newestCharge(app)
      assert.deepEqual(
        (await checkLedger(app.ctx)).open_charges.map(({ charge_id: one }) => one),
        [String(id)],
      )
      const metrics = await (await fetch(`${app.address}/metrics`)).text()
      assert.match(metrics, new RegExp(`keywright_charge_open_seconds\\{charge="${id}",`))
      app.ctx.clock.advance(2 * HOUR)
      await look()
      assert.equal((await newestCharge(app)).state, 'declined')
      app.ctx.clock.advance(DAY)
      await look()
      await assertBooked()
    })

    async function isKept(token: string): Promise<boolean> {
      const of = app.ctx.db.selectFrom('checkouts').select('id').where('token_hash', '=', hashToken(token))
      return (await of.executeTakeFirst()) !== undefined
    }

    test('what was let go and is not found at its last look is forgotten with its checkout, of any number of processes at once', async () => {
      const token = await opened()
      mover.lose('purchase', 'there')
      assert.equal((await payHeld(token, {})).status, 503)
      await letGo()
      assert.equal((await checkLedger(app.ctx)).open_charges.length, 1)
      app.ctx.clock.advance(DAY)
      await look({ jobs: [prune] })
      assert.equal(await isKept(token), true)
      let looks = 0
      const { gateway, gateways } = mover
      const { byKey } = gateway
      assert.ok(byKey)
      const charge: typeof byKey.charge = (...of) => {
        looks += 1
        return byKey.charge(...of)
      }
      Object.assign(app.ctx, { gateways: [{ ...gateway, byKey: { ...byKey, charge } }] })
      const other = anotherProcess(app)
      try {
        const { id } = await newestCharge(app)
        await Promise.all([lookAgain(app.ctx, id), lookAgain(other.ctx, id)])
      } finally {
        await other.close()
      }
      Object.assign(app.ctx, { gateways })
      assert.equal(looks, 1)
      assert.deepEqual((await checkLedger(app.ctx)).open_charges, [])
      assert.equal((await newestCharge(app)).state, 'declined')
      await look({ jobs: [prune] })
      assert.equal(await isKept(token), false)
    })

    /** Why a last look tells nothing, and what ends that. */
    const UNTOLD: Readonly<Record<string, () => () => void>> = {
      'has no answer'() {
        mover.lose('look', 'there')
        return () => {}
      },
      'finds what is not decided'() {
        return mover.undecided(mover.charges().at(-1) ?? '')
      },
      'finds its gateway not set up'() {
        Object.assign(app.ctx, { gateways: [] })
        return () => void Object.assign(app.ctx, { gateways: mover.gateways })
      },
    }

    for (const [why, begin] of Object.entries(UNTOLD)) {
      test(`a last look that ${why} comes again`, async () => {
        const { reply } = await letGoFirst({ isLost: true })
        assert.equal(reply.status, 503)
        app.ctx.clock.advance(DAY)
        const end = begin()
        await look()
        end()
        assert.equal((await newestCharge(app)).state, 'declined')
        app.ctx.clock.advance(2 * HOUR)
        await look()
        await assertBooked()
      })
    }

    test('what was let go and turns out to be paid while it is bought anew waits until that is decided', async () => {
      const token = await opened()
      const reply = await payHeld(token, {
        async before() {
          await letGo()
          await goOnWith(token, mover.tokens.slow)
          mover.lose('purchase', 'back')
        },
      })
      assert.equal(reply.status, 503)
      const [slow = '', first = ''] = mover.charges().slice(-2)
      app.ctx.clock.advance(DAY)
      await look()
      assert.ok((await checkLedger(app.ctx)).open_charges.length >= 2, 'both are open')
      mover.decline(slow)
      for (const hours of [12, 2]) {
        app.ctx.clock.advance(hours * HOUR)
        await look()
      }
      const { payment } = await boughtBy(app, await payCheckout(app, token, mover.tokens.paid))
      assert.equal(payment.external_id, first)
    })

    test('a last look that was set by a clock that was ahead is due when that comes back', async () => {
      await letGoFirst({ isLost: true })
      app.ctx.clock.set(START - 400 * DAY)
      await look()
      await assertBooked()
    })

    test('what was let go as never made and bought again meanwhile is given back when it turns out to be paid', async () => {
      const token = await opened()
      const second: { reply?: Reply } = {}
      const reply = await payHeld(token, {
        async before() {
          await letGo()
          second.reply = await goOnWith(token, mover.tokens.paid)
          mover.lose('purchase', 'back')
        },
      })
      assert.equal(reply.status, 503)
      const { payment } = await boughtBy(app, second.reply ?? reply)
      app.ctx.clock.advance(2 * DAY)
      await look()
      app.ctx.clock.advance(HOUR)
      await runDue(app.ctx, [settleRefunds])
      const twice = mover.charges().at(-1) ?? ''
      assert.notEqual(twice, payment.external_id)
      assert.deepEqual(
        mover.refundsAt(twice).map(({ minor }) => minor),
        [payment.gross + payment.tax],
      )
      assert.deepEqual(await ledgerFaults(app), [])
      assert.equal((await checkLedger(app.ctx)).ok, true)
    })
  })
}

// Runs slowly.
// Slowly.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { asDeveloper } from '../../../test/callers.ts'
import { START, type TestApp } from '../../../test/app.ts'
import { openSandboxCheckout } from '../../../test/checkouts.ts'
import { offerFor } from '../../../test/licenses.ts'
import { boughtBy, buy, payCheckout, undoneOf } from '../../../test/reports.ts'
import { ledgerFaults, scopeOf } from '../../../test/sales.ts'
import type { Fault } from '../../../test/paypal/server.ts'
import { walletShop, type WalletShop } from '../../../test/paypal/shop.ts'
import { hashToken } from '../../lib/credentials.ts'
import { fromUtcTime, HOUR, MINUTE } from '../../lib/time.ts'
import { settlePurchases } from '../checkouts/settle-purchases-job.ts'
import { settleRefunds } from '../refunds/settle-refunds-job.ts'
import { settleRenewals } from '../renewals/settle-renewals-job.ts'
import { lookAgainAtCharges } from './look-again-job.ts'

let shop: WalletShop
let app: TestApp
let paypal: WalletShop['paypal']
before(async () => {
  shop = await walletShop('wallet_cut')
  ;({ app, paypal } = shop)
  // As accounts are unless they are set otherwise.
  paypal.books.isInvoiceOnce = false
})
beforeEach(() => app.ctx.clock.set(START))
after(() => shop.close())

/** Cut before PayPal has a request, and before its answer is here. */
const WAYS = ['reset', 'lost'] as const

/**
 * Does it again and again, and each time another one of the requests of `work` is lost, until none is left to lose; by
 * another key each time, as nothing that PayPal remembers may help.
 */
async function cutEach(
  fault: Fault,
  round: () => Promise<{ work(): Promise<unknown>; proof(at: string): Promise<void> }>,
): Promise<void> {
  for (let n = 0; ; n++) {
    app.ctx.clock.advance(HOUR)
    const { work, proof } = await round()
    paypal.faults.push(...Array<Fault>(n).fill('none'), fault)
    await work()
    const isWhole = paypal.faults.length > 0
    paypal.faults.length = 0
    await proof(`${fault} at request ${n + 1}`)
    assert.deepEqual(await ledgerFaults(app), [])
    if (!isWhole) continue
    assert.ok(n > 1, `saw ${n} requests`)
    return
  }
}

const LATER = [10 * MINUTE, HOUR, 6 * HOUR, HOUR, HOUR, 24 * HOUR] as const

/** Lets time go on, and PayPal forget keys, until all is decided. */
async function passTime(): Promise<void> {
  for (const ms of LATER) {
    app.ctx.clock.advance(ms)
    if (ms > 5 * HOUR) paypal.forgetKeys()
    await shop.settle(settlePurchases, settleRenewals, settleRefunds, lookAgainAtCharges)
  }
}

let buyers = 0

const checkoutOf = (token: string) =>
  app.ctx.db
    .selectFrom('checkouts')
    .select(['state', 'license_id', 'payment_id', 'subscription_id', 'trial_id'])
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirstOrThrow()

for (const fault of WAYS) {
  for (const wallet of ['wallet_paid', 'wallet_confirmed', 'wallet_declined']) {
    test(`a purchase by ${wallet} of which a request is ${fault} is paid once with its license, or not at all`, async () => {
      await cutEach(fault, async () => {
        const email = `cut${++buyers}@example.com`
        const { pricingId } = shop
        const token = await app.write((tx) => openSandboxCheckout(tx, scopeOf(app), { pricingId, email }))
        const before = shop.paid().length
        return {
          async work() {
            const reply = await payCheckout(app, token, wallet)
            if (reply.json.state === 'pending') await payCheckout(app, token, wallet)
          },
          async proof(at) {
            await passTime()
            const { state, license_id: license, payment_id: payment } = await checkoutOf(token)
            const paid = shop.paid().length - before
            assert.deepEqual(
              [state, license !== null, payment !== null],
              paid === 1 ? ['paid', true, true] : ['open', false, false],
              at,
            )
            assert.ok(paid === 0 || (paid === 1 && wallet !== 'wallet_declined'), at)
          },
        }
      })
    })
  }

  test(`a trial of which a request is ${fault} has its method of payment, or is not begun`, async () => {
    const { pricingId } = await offerFor(app, 1, {
      plan: { trial_period: 14, is_require_subscription: true },
    })
    await cutEach(fault, async () => {
      const email = `trial${++buyers}@example.com`
      const more = { pricingId, email, trial: 'true' } as const
      const token = await app.write((tx) => openSandboxCheckout(tx, scopeOf(app), more))
      return {
        work: () => payCheckout(app, token, 'wallet_paid'),
        async proof(at) {
          await passTime()
          const { state, trial_id: trial, subscription_id: id } = await checkoutOf(token)
          assert.deepEqual([state, trial !== null], state === 'paid' ? ['paid', true] : ['open', false], at)
          if (id === null) return
          const subscription = await subscriptionOf(id)
          assert.ok(subscription.payment_method_id !== null && subscription.gateway === 'paypal', at)
        },
      }
    })
  })

  test(`a renewal of which a request is ${fault} is paid once`, async () => {
    await cutEach(fault, async () => {
      const { subscriptionId } = await sold()
      const { next_payment: next } = await subscriptionOf(subscriptionId)
      const due = fromUtcTime(next ?? assert.fail())
      app.ctx.clock.set(due)
      const before = shop.paid().length
      return {
        work: () => shop.renew(due),
        async proof(at) {
          await passTime()
          assert.equal(shop.paid().length, before + 1, at)
          assert.notEqual((await subscriptionOf(subscriptionId)).next_payment, next, at)
        },
      }
    })
  })

  test(`a refund of which a request is ${fault} is given back once`, async () => {
    await cutEach(fault, async () => {
      const developer = await asDeveloper(app)
      const { payment } = await sold()
      const path = `/products/${app.seller.product.id}/payments/${payment.id}/refunds.json`
      const before = paypal.books.refunds.size
      return {
        work: () => developer('POST', path, { amount: 1 }),
        async proof(at) {
          await passTime()
          assert.equal(paypal.books.refunds.size, before + 1, at)
          assert.deepEqual(await undoneOf(app, payment), [['refund', -100]], at)
        },
      }
    })
  })
}

const subscriptionOf = (id: number) =>
  app.ctx.db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** A subscription that was bought now; no other is due. */
async function sold() {
  await app.write(({ db }) => db.updateTable('subscriptions').set({ due_at: null }).execute())
  return boughtBy(app, (await buy(app, shop.pricingId, 'wallet_paid')).reply)
}

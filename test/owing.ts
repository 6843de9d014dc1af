import assert from 'node:assert/strict'
import { takeOwed } from '../src/sales/refunds/refund-payment.ts'
import { settleRenewals } from '../src/sales/renewals/settle-renewals-job.ts'
import { runDue } from '../src/jobs/worker.ts'
import type { Webhook } from '../src/gateways/gateway.ts'
import { toDecimal } from '../src/lib/money.ts'
import { DAY, fromUtcTime, MINUTE, toUtcTime } from '../src/lib/time.ts'
import { newestCharge } from './charges.ts'
import { offerFor } from './licenses.ts'
import type { GivenBack } from './mover.ts'
import type { MoverShop } from './movers.ts'
import { buy, send } from './reports.ts'
import { scopeOf } from './sales.ts'

/** What a shop owes its buyers, and what is told of it. */
export function owingTo(shop: MoverShop) {
  const { app, mover } = shop
  async function report(webhook: Webhook): Promise<void> {
    const { status, text } = await send(app, mover.code, webhook)
    assert.equal(status, 200, text)
  }
  return {
    owed: () => owed(shop),
    partOwed: (part: number) => partOwed(shop, part),
    /** What was paid under the key of a charge that was declined before, and became no payment. */
    async unbought() {
      const charge = await paidUnbought(shop)
      await report(mover.reportOf(charge))
      return { charge, total: mover.amountOf(charge) }
    },
    report,
    /** A refund that could not be made after all, which is told. */
    async fail(refund: GivenBack): Promise<void> {
      mover.fail(refund)
      await report(mover.reportOfFailed(refund))
    },
    /** While it lasts nothing can be given back of it. */
    async refusing(charge: string, work: () => Promise<void>): Promise<void> {
      const end = mover.refuse(charge)
      await work()
      end()
      mover.forgetKeys()
    },
    /** What the gateway has given back of it, and has not failed; minor units. */
    givenOf: (charge: string): number =>
      mover
        .refundsAt(charge)
        .filter(({ status }) => status === 'succeeded')
        .reduce((sum, { minor }) => sum + minor, 0),
    /** The one refund of it that there is. */
    onlyRefund(charge: string): GivenBack {
      const [first, ...more] = mover.refundsAt(charge)
      assert.ok(first && more.length === 0)
      return first
    },
  }
}
export type Owing = ReturnType<typeof owingTo>

/** A renewal that is paid when it can pay for nothing any more, as its date was moved; nobody was asked to give it back. */
async function owed(shop: MoverShop) {
  const { app, mover } = shop
  const one = await shop.sold()
  await shop.goTo(fromUtcTime(one.next))
  mover.lose('renewal', 'back')
  await shop.renew()
  const path = `/products/${app.seller.product.id}/licenses/${one.licenseId}.json`
  const expiration = toUtcTime(fromUtcTime(one.next) + 8_000 * DAY)
  const moved = await app.call('PUT', path, {
    body: { expiration, update_subscription_renewal_date: true },
  })
  assert.equal(moved.status, 200, moved.text)
  await shop.goTo(app.ctx.clock.real() + 20 * MINUTE)
  await runDue(app.ctx, [settleRenewals])
  const [payment, ...none] = await shop.renewalsOf(one)
  assert.ok(payment && none.length === 0)
  const charge = payment.external_id ?? ''
  return { ...one, renewal: payment, charge, total: payment.gross + payment.tax }
}

/** A first payment, a part of which its buyer is owed. */
async function partOwed(shop: MoverShop, part: number) {
  const { app } = shop
  const { licenseId, payment, subscriptionId } = await shop.sold()
  await app.write((tx) => takeOwed(tx, scopeOf(app), payment.id, { amount: toDecimal(part) }))
  const charge = payment.external_id ?? ''
  return { licenseId, subscriptionId, payment, charge, total: payment.gross + payment.tax }
}

async function paidUnbought({ app, mover }: MoverShop): Promise<string> {
  const { pricingId } = await offerFor(app, 1)
  const { reply } = await buy(app, pricingId, mover.tokens.declined)
  assert.equal(reply.status, 400, reply.text)
  return mover.madeAgain((await newestCharge(app)).key)
}

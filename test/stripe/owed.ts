import assert from 'node:assert/strict'
import { takeOwed } from '../../src/sales/refunds/refund-payment.ts'
import { settleRefunds } from '../../src/sales/refunds/settle-refunds-job.ts'
import { settleRenewals } from '../../src/sales/renewals/settle-renewals-job.ts'
import { settleReports } from '../../src/sales/charges/settle-reports-job.ts'
import { runDue } from '../../src/jobs/worker.ts'
import { toDecimal } from '../../src/lib/money.ts'
import { DAY, fromUtcTime, HOUR, MINUTE, toUtcTime } from '../../src/lib/time.ts'
import { offerFor } from '../licenses.ts'
import { buy, send } from '../reports.ts'
import { scopeOf } from '../sales.ts'
import type { Resource } from './api.ts'
import type { stripeShop } from './renewals.ts'

type Shop = Awaited<ReturnType<typeof stripeShop>>

/** What a shop owes its buyers, what is told of it, and time that passes. */
export function owingTo(shop: Shop) {
  const { app, stripe } = shop
  let events = 0
  const reportOf = (type: string, object: Resource, id = `evt_${++events}`) =>
    stripe.webhook(type, object, { id, now: app.ctx.clock.real() })
  async function report(type: string, object: Resource): Promise<void> {
    const { status, text } = await send(app, 'stripe', reportOf(type, object))
    assert.equal(status, 200, text)
  }
  return {
    owed: () => owed(shop),
    partOwed: (part: number) => partOwed(shop, part),
    /** What was paid under the key of a charge that was declined before, and became no payment. */
    async unbought() {
      const intent = await paidUnbought(shop)
      await report('payment_intent.succeeded', intent)
      return intent
    },
    reportOf,
    report,
    /** A refund that the seller makes in the gateway's own dashboard; nothing is told of it yet. */
    byHand(intent: Resource, amount: number): Resource {
      const form = new URLSearchParams({ payment_intent: intent.id, amount: String(amount) })
      const made = stripe.api.answer('POST', '/v1/refunds', form)
      assert.equal(made.object, 'refund', JSON.stringify(made))
      return made
    },
    /** A refund that could not be made after all, which is told. */
    async fail(refund: Resource): Promise<void> {
      stripe.api.failRefund(refund)
      await report('refund.failed', refund)
    },
    /** While it lasts nothing can be given back of it. */
    async refusing(intent: Resource, work: () => Promise<void>): Promise<void> {
      const { amount_refunded: given } = intent.latest_charge
      intent.latest_charge.amount_refunded = intent.amount
      await work()
      intent.latest_charge.amount_refunded = given
      stripe.forgetKeys()
    },
    /** The jobs, hour by hour, or in longer steps. */
    async pass(times: number, step = HOUR): Promise<void> {
      for (let time = 0; time < times; time++) {
        await shop.goTo(app.ctx.clock.real() + step)
        if (step >= DAY) stripe.forgetKeys()
        await runDue(app.ctx, [settleRefunds, settleReports])
      }
    },
    refundsAt: (intentId: string) =>
      [...stripe.api.refunds.values()].filter(({ payment_intent: of }) => of === intentId),
    /** What the gateway has given back of it, and has not failed. */
    givenOf: ({ id }: Resource) =>
      [...stripe.api.refunds.values()]
        .filter(({ payment_intent: of, status }) => of === id && status === 'succeeded')
        .reduce((sum, { amount }) => sum + amount, 0),
  }
}

/** A renewal that is paid when it can pay for nothing any more, as its date was moved; nobody was asked to give it back. */
async function owed(shop: Shop) {
  const { app, stripe } = shop
  const one = await shop.sold()
  await shop.goTo(fromUtcTime(one.next))
  await shop.lose('back')
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
  const intent = stripe.api.intents.get(payment.external_id ?? '')
  return { ...one, renewal: payment, intent, total: payment.gross + payment.tax }
}

/** A first payment, a part of which its buyer is owed. */
async function partOwed(shop: Shop, part: number) {
  const { app, stripe } = shop
  const { licenseId, payment, subscriptionId } = await shop.sold()
  await app.write((tx) => takeOwed(tx, scopeOf(app), payment.id, { amount: toDecimal(part) }))
  const intent = stripe.api.intents.get(payment.external_id ?? '')
  return { licenseId, subscriptionId, payment, intent, total: payment.gross + payment.tax }
}

async function paidUnbought({ app, stripe }: Shop): Promise<Resource> {
  const { pricingId } = await offerFor(app, 1)
  const { reply } = await buy(app, pricingId, 'pm_card_chargeDeclined')
  assert.equal(reply.status, 400, reply.text)
  const asked = stripe.asked.findLast(
    ({ path, form }) => path.endsWith('/payment_intents') && form.has('amount'),
  )
  const form = new URLSearchParams(asked?.form)
  form.set('payment_method', 'pm_card_visa')
  form.delete('customer')
  return stripe.api.answer('POST', '/v1/payment_intents', form)
}

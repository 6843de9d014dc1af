import assert from 'node:assert/strict'
import { settleRefunds } from '../../src/jobs/settle-refunds.ts'
import { settleRenewals } from '../../src/jobs/settle-renewals.ts'
import { settleReports } from '../../src/jobs/settle-reports.ts'
import { runDue } from '../../src/jobs/worker.ts'
import { DAY, fromUtcTime, HOUR, MINUTE, toUtcTime } from '../../src/lib/time.ts'
import { send } from '../reports.ts'
import type { Resource } from './api.ts'
import type { stripeShop } from './renewals.ts'

type Shop = Awaited<ReturnType<typeof stripeShop>>

/** What a shop owes its buyers, what is told of it, and time that passes. */
export function owingTo(shop: Shop) {
  const { app, stripe } = shop
  let events = 0
  const reportOf = (type: string, object: Resource, id = `evt_${++events}`) =>
    stripe.webhook(type, object, { id, now: app.ctx.clock.real() })
  return {
    owed: () => owed(shop),
    reportOf,
    async report(type: string, object: Resource): Promise<void> {
      const { status, text } = await send(app, 'stripe', reportOf(type, object))
      assert.equal(status, 200, text)
    },
    /** The jobs, hour by hour. */
    async pass(hours: number): Promise<void> {
      for (let hour = 0; hour < hours; hour++) {
        await shop.goTo(app.ctx.clock.real() + HOUR)
        await runDue(app.ctx, [settleRefunds, settleReports])
      }
    },
    refundsAt: (intentId: string) =>
      [...stripe.api.refunds.values()].filter(({ payment_intent: of }) => of === intentId),
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

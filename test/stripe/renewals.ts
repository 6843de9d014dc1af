import { heartbeat } from '../../src/work/heartbeat-job.ts'
import { settleRefunds } from '../../src/sales/refunds/settle-refunds-job.ts'
import { settleRenewals } from '../../src/sales/renewals/settle-renewals-job.ts'
import { runDue } from '../../src/jobs/worker.ts'
import { renewDue } from '../../src/sales/renewals/renew.ts'
import { resumeRenewals } from '../../src/work/renewal-watch.ts'
import { stripeGateway } from '../../src/gateways/stripe/gateway.ts'
import { addMonths } from '../../src/lib/periods.ts'
import { MINUTE } from '../../src/lib/time.ts'
import { startTestApp, type TestApp, type TestContext } from '../app.ts'
import { dropTo } from '../dropping-proxy.ts'
import { offerFor } from '../licenses.ts'
import { boughtBy, buy } from '../reports.ts'
import { startStripe } from './server.ts'

/** The library asks once more when a connection breaks. */
const lost = (way: 'there' | 'back') => [
  { way, after: 0 },
  { way, after: 0 },
]

/** A shop whose gateway is Stripe, by a key of each environment, on a way on which connections can be lost. */
export async function stripeShop(name: string, options?: Parameters<typeof startTestApp>[1]) {
  const stripe = await startStripe()
  const proxy = await dropTo(stripe.config.apiBase ?? '')
  const config = { ...stripe.config, apiBase: proxy.address }
  const patience = { timeoutMs: 2_000, retries: 0 }
  const gateway = stripeGateway(config, patience)
  const live = stripeGateway({ ...config, secretKey: 'sk_live_local' }, patience)
  const app = await startTestApp(name, options)
  Object.assign(app.ctx, { gateways: [gateway, live] })
  const { pricingId } = await offerFor(app, 1)
  return {
    app,
    stripe,
    gateway,
    /** A monthly subscription that was bought now, when its renewal is due, and what the gateway had made till then. */
    async sold(environment: 0 | 1 = 1) {
      const one = await soldNow(app, { pricingId, environment })
      return { ...one, made: stripe.api.intents.size }
    },
    /** The next request, or its answer, is lost. */
    lose: (way: 'there' | 'back') => proxy.cut(...lost(way)),
    ...readsOf(app),
    ...timesOf(app),
    async close() {
      proxy.close()
      stripe.close()
      await app.close()
    },
  }
}

interface Selling {
  readonly pricingId: number
  readonly environment: 0 | 1
}

/** No other subscription is due any more. */
async function soldNow(app: TestApp, { pricingId, environment }: Selling) {
  await app.write(({ db }) => db.updateTable('subscriptions').set({ due_at: null }).execute())
  const { reply, email } = await buy(app, pricingId, 'pm_card_visa')
  const bought = await boughtBy(app, reply)
  const { subscriptionId: id, licenseId } = bought
  const next = addMonths((await readsOf(app).subscriptionOf(id)).period_anchor, 1)
  const change = { environment, billing_cycle: 1, next_payment: next, due_at: next } as const
  await app.write(async ({ db }) => {
    const { payment_method_id: methodId } = await db
      .updateTable('subscriptions')
      .set(change)
      .where('id', '=', id)
      .returning('payment_method_id')
      .executeTakeFirstOrThrow()
    await db.updateTable('licenses').set({ environment }).where('id', '=', licenseId).execute()
    await db.updateTable('payment_methods').set({ environment }).where('id', '=', methodId).execute()
  })
  return { ...bought, email, next }
}

interface Of {
  readonly subscriptionId: number
}

const readsOf = ({ ctx: { db } }: TestApp) => ({
  subscriptionOf: (id: number) =>
    db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  /** Its renewals at the gateway, in order. */
  chargesOf: ({ subscriptionId }: Of) =>
    db
      .selectFrom('charges')
      .selectAll()
      .where('subscription_id', '=', subscriptionId)
      .where('purpose', '=', 'renewal')
      .orderBy('id')
      .execute(),
  /** Its payments without the first, which bought it. */
  async renewalsOf({ subscriptionId }: Of) {
    const payments = db.selectFrom('payments').selectAll().where('subscription_id', '=', subscriptionId)
    return (await payments.where('type', '=', 'payment').orderBy('id').execute()).slice(1)
  },
})

/** What passes time in a shop. */
export const timesOf = (app: TestApp) => ({
  /** Renews in the sandbox what is due. */
  renew(ctx: TestContext = app.ctx) {
    const now = app.ctx.clock.now()
    return renewDue(ctx, { environment: 1, productId: app.seller.product.id, now, limit: 100 })
  },
  /** Follows what is open. */
  async follow(ctx: TestContext = app.ctx) {
    await runDue(ctx, [settleRenewals])
    app.ctx.clock.advance(MINUTE)
    await runDue(ctx, [settleRefunds])
  },
  /** Goes to another time, as if no job had been due and renewals were held by nobody. */
  async goTo(time: number) {
    app.ctx.clock.set(time)
    await app.write(async ({ db }) => {
      await db.updateTable('jobs').set({ due_at: 0, lease_until: 0 }).execute()
      await db.updateTable('subscriptions').set({ lease_until: 0 }).execute()
    })
    await runDue(app.ctx, [heartbeat])
    await resumeRenewals(app.ctx)
  },
})

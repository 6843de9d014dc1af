import { heartbeat } from '../src/work/heartbeat-job.ts'
import { settleRefunds } from '../src/sales/refunds/settle-refunds-job.ts'
import { settleRenewals } from '../src/sales/renewals/settle-renewals-job.ts'
import { runDue } from '../src/jobs/worker.ts'
import { renewDue } from '../src/sales/renewals/renew.ts'
import { resumeRenewals } from '../src/work/renewal-watch.ts'
import { addMonths } from '../src/lib/periods.ts'
import { MINUTE } from '../src/lib/time.ts'
import type { TestApp, TestContext } from './app.ts'
import { boughtBy, buy } from './reports.ts'

interface Selling {
  readonly pricingId: number
  readonly environment: 0 | 1
  readonly method: string
}

/** A monthly subscription that was bought now, and when its renewal is due. No other one is due any more. */
export async function soldNow(app: TestApp, { pricingId, environment, method }: Selling) {
  await app.write(({ db }) => db.updateTable('subscriptions').set({ due_at: null }).execute())
  const { reply, email } = await buy(app, pricingId, method)
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

/** What is read of a subscription. */
export const readsOf = ({ ctx: { db } }: TestApp) => ({
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

import { paypalGateway } from '../../src/gateways/paypal/gateway.ts'
import { runDue } from '../../src/jobs/worker.ts'
import type { RecurringJob } from '../../src/job.ts'
import { toUtcTime } from '../../src/lib/time.ts'
import { renewDue } from '../../src/sales/renewals/renew.ts'
import { startTestApp } from '../app.ts'
import { offerFor } from '../licenses.ts'
import type { Resource } from './books.ts'
import { withBuyers } from './buyers.ts'
import { eventText } from './reports.ts'
import { startPaypal } from './server.ts'

/**
 * A shop of the sandbox that is paid by wallets of PayPal, named as in `buyers.ts`, and a price to buy; requests and
 * answers are lost as `paypal.faults` says.
 */
export async function walletShop(name: string) {
  const paypal = await startPaypal()
  const bare = paypalGateway(paypal.config, { timeoutMs: 10_000, retries: 0, pauseMs: 1 })
  const gateway = withBuyers(bare, paypal.books)
  const app = await startTestApp(name)
  Object.assign(app.ctx, { gateways: [gateway] })
  paypal.books.now = () => app.ctx.clock.real()
  const { pricingId } = await offerFor(app, 1)
  return {
    app,
    paypal,
    gateway,
    pricingId,
    /** As of the gateway whose buyer stays away. */
    retrieveBare: bare.retrieveCharge,
    /** What was paid by anybody, whatever was given back of it. */
    paid: () => [...paypal.books.captures.values()].filter(({ kept }) => kept.status !== 'DECLINED'),
    /** The jobs, whenever they were due last, as if nobody had anything in hand. */
    async settle(...jobs: readonly RecurringJob[]): Promise<void> {
      await app.write(async ({ db }) => {
        await db.updateTable('jobs').set({ due_at: 0, lease_until: 0 }).execute()
        await db.updateTable('charges').set({ lease_until: 0 }).where('state', '=', 'pending').execute()
      })
      await runDue(app.ctx, jobs)
    },
    /** Renews what is due at a time. */
    renew(now: number) {
      const due = {
        environment: 1,
        productId: app.seller.product.id,
        now: toUtcTime(now),
        limit: 100,
      } as const
      return renewDue(app.ctx, due)
    },
    /** What PayPal sends of a resource now. */
    webhook(type: string, resource: Resource, id = `WH-${crypto.randomUUID()}`) {
      const now = app.ctx.clock.real()
      return paypal.signed(eventText(type, resource, { id, at: now }), { now })
    },
    async close() {
      paypal.close()
      await app.close()
    },
  }
}
export type WalletShop = Awaited<ReturnType<typeof walletShop>>

import { guarded } from '../../src/gateways/guarded.ts'
import { stripeGateway } from '../../src/gateways/stripe/gateway.ts'
import { startTestApp } from '../app.ts'
import { offerFor } from '../licenses.ts'
import { startStripe } from './server.ts'

/** A shop of the sandbox whose gateway is Stripe, and a price to buy; requests and answers are lost as `stripe.faults` says. */
export async function chargingShop(name: string) {
  const stripe = await startStripe()
  const gateway = guarded(stripeGateway(stripe.config, { timeoutMs: 2_000, retries: 0 }))
  const app = await startTestApp(name)
  Object.assign(app.ctx, { gateways: [gateway] })
  const { pricingId } = await offerFor(app, 1)
  return {
    app,
    stripe,
    gateway,
    pricingId,
    async close() {
      stripe.close()
      await app.close()
    },
  }
}
export type ChargingShop = Awaited<ReturnType<typeof chargingShop>>

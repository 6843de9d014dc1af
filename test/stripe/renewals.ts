import { stripeGateway } from '../../src/gateways/stripe/gateway.ts'
import { startTestApp } from '../app.ts'
import { dropTo } from '../dropping-proxy.ts'
import { offerFor } from '../licenses.ts'
import { readsOf, soldNow, timesOf } from '../renewing.ts'
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
      const one = await soldNow(app, { pricingId, environment, method: 'pm_card_visa' })
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

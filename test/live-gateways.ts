import type { Gateway } from '../src/gateways/gateway.ts'
import { paypalGateway } from '../src/gateways/paypal/gateway.ts'
import { stripeGateway } from '../src/gateways/stripe/gateway.ts'
import { startPaypal } from './paypal/server.ts'
import { startStripe } from './stripe/server.ts'

export type Fault = 'none' | 'lost' | 'reset'

interface Charged {
  readonly id: string
  readonly key: string
}

/** A gateway of live payments, played, and what it was asked for. */
export interface Played {
  readonly gateway: Gateway
  /** Names it for a server. */
  readonly env: Readonly<Record<string, string>>
  /** The method of a buyer who pays. */
  readonly method: string
  readonly faults: { length: number; splice(at: number, count: number, ...faults: readonly Fault[]): unknown }
  /** What was paid. */
  charged(): readonly Charged[]
  /** Whether there is such a charge, paid or not. */
  hasCharge(id: string): boolean
  /** Ids of refunds. */
  givenBack(): readonly string[]
  forgetKeys(): void
  close(): void
}

async function playCards(): Promise<Played> {
  const { api, config, faults, forgetKeys, close } = await startStripe()
  const live = { ...config, secretKey: 'sk_live_local' }
  return {
    gateway: stripeGateway(live),
    env: {
      KEYWRIGHT_STRIPE_SECRET_KEY: live.secretKey,
      KEYWRIGHT_STRIPE_WEBHOOK_SECRET: live.webhookSecret,
      KEYWRIGHT_STRIPE_API_BASE: live.apiBase ?? '',
    },
    method: 'pm_card_visa',
    faults,
    charged: () =>
      [...api.intents.values()]
        .filter(({ status }) => status === 'succeeded')
        .map(({ id, metadata }) => ({ id, key: metadata.key })),
    hasCharge: (id) => api.intents.has(id),
    givenBack: () => [...api.refunds.keys()],
    forgetKeys,
    close,
  }
}

async function playWallets(): Promise<Played> {
  const { books, config, faults, forgetKeys, close } = await startPaypal()
  // As accounts are unless they are set otherwise: keys alone keep it from being paid twice.
  Object.assign(books, { isApprovedAtOnce: true, isInvoiceOnce: false })
  const live = { ...config, mode: 'live' } as const
  return {
    gateway: paypalGateway(live),
    env: {
      KEYWRIGHT_PAYPAL_CLIENT_ID: live.clientId,
      KEYWRIGHT_PAYPAL_CLIENT_SECRET: live.clientSecret,
      KEYWRIGHT_PAYPAL_WEBHOOK_ID: live.webhookId,
      KEYWRIGHT_PAYPAL_MODE: live.mode,
      KEYWRIGHT_PAYPAL_API_BASE: live.apiBase ?? '',
    },
    method: 'paypal',
    faults,
    charged: () =>
      [...books.captures.values()].map(({ order, kept }) => ({ id: order.id, key: kept.custom_id })),
    hasCharge: (id) => books.orders.has(id),
    givenBack: () => [...books.refunds.keys()],
    forgetKeys,
    close,
  }
}

/** Each gateway of live payments, by what it takes. */
export const PLAYED = { cards: playCards, wallets: playWallets } as const

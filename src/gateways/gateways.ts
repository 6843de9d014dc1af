import type { Config } from '../config.ts'
import type { Keyring } from '../lib/keyring.ts'
import type { Gateway } from './gateway.ts'
import { guarded } from './guarded.ts'
import { testGateway } from './test/gateway.ts'

type Settings = Partial<Pick<Config, 'stripe' | 'paypal'>>

/** Those that move money, first whom to ask first, each loaded only where it is configured. The only list there is. */
const MOVERS: readonly ((settings: Settings) => Promise<Gateway | null | undefined>)[] = [
  async ({ stripe }) => stripe && (await import('./stripe/gateway.ts')).stripeGateway(stripe),
  async ({ paypal }) => paypal && (await import('./paypal/gateway.ts')).paypalGateway(paypal),
]

/**
 * Every gateway of this server, guarded: those that the configuration names, then the test gateway for the sandbox.
 */
export async function gatewaysOf(settings: Settings, keys: Keyring): Promise<Gateway[]> {
  const made = await Promise.all(MOVERS.map((make) => make(settings)))
  const test = testGateway({ webhookSecret: keys.keyedHash('webhooks', 'test_gateway') })
  return [...made.filter((gateway) => gateway !== null && gateway !== undefined), test].map(guarded)
}

import type { Config } from '../config.ts'
import type { Keyring } from '../lib/keyring.ts'
import type { Gateway } from './gateway.ts'
import { testGateway } from './test/gateway.ts'

/**
 * Every gateway of this server, first whom to ask first: what the configuration names, then the test gateway
 * for the sandbox. A library of a gateway is loaded only when it is configured. The only list there is.
 */
export async function gatewaysOf({ stripe }: Pick<Config, 'stripe'>, keys: Keyring): Promise<Gateway[]> {
  const test = testGateway({ webhookSecret: keys.keyedHash('webhooks', 'test_gateway') })
  if (stripe === null) return [test]
  const { stripeGateway } = await import('./stripe/gateway.ts')
  return [stripeGateway(stripe), test]
}

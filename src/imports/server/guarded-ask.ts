import type { Config } from '../../config.ts'
import { AddressRefused, guardedAgent } from '../../events/delivery/guard.ts'
import { ServerRefuses, type Ask } from './client.ts'

/** Asks only addresses that may be called (`guardedAgent`); whoever has it closes it. */
export async function guardedAsk(
  config: Pick<Config, 'mode' | 'webhookAllow'>,
  manner: Parameters<typeof guardedAgent>[1] = {},
): Promise<{ readonly ask: Ask; close(): Promise<void> }> {
  const { fetch } = await import('undici')
  const agent = await guardedAgent(config, manner)
  return {
    ask: async (url, init) => {
      try {
        return await fetch(url, { ...init, dispatcher: agent })
      } catch (error) {
        const cause = error instanceof Error ? error.cause : undefined
        if (cause instanceof AddressRefused) throw new ServerRefuses(cause.message, 0)
        throw error
      }
    },
    close: () => agent.destroy(),
  }
}

import { ApiError } from '../lib/errors.ts'
import type { Soon } from '../lib/soon.ts'
import type { Frame } from './frame.ts'
import { isStranger, type Scope } from './scope.ts'

/**
 * Does what looks something up by a secret text, within the limits of who proves nothing else (DECISIONS 7): a
 * text has its own, and one that names nothing (404) counts against the address, from which nothing is looked up
 * any more once it has none left. 429 then. Whoever is authenticated, and what has no such text, is not limited.
 */
export async function limitLookup(
  { ctx, limits }: Frame,
  scope: Scope,
  text: string | null,
  work: () => Soon<void>,
): Promise<void> {
  const { ip } = scope
  if (text === null || ip === null || !isStranger(scope)) return work()
  const turn = limits.lookUp(ip, ctx.clock)
  const place = turn instanceof Promise ? await turn : turn
  try {
    limits.keyed(text, ctx.clock.real())
    await work()
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) limits.failed(ip, ctx.clock.real())
    throw error
  } finally {
    limits.lookedUp(place)
  }
}

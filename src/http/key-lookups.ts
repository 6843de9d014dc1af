import { ApiError } from '../lib/errors.ts'
import type { Soon } from '../lib/soon.ts'
import type { Frame } from './frame.ts'
import type { AnyOperation } from './operation.ts'
import { isSeller, isStranger, type Scope } from '../access/scope.ts'

interface Decoded {
  readonly scope: Scope
  readonly query: object
  readonly body: object
}

/**
 * Does what looks something up by a secret text, which any license key in a request is, within the limits of whoever
 * is not the seller (`docs/decisions.md` 7.1): one that names nothing (404) counts against the address, from which
 * nothing is looked up any more once it has none left. Of who proves nothing a text has its own limit too. 429 then.
 */
export function limitLookup(
  frame: Frame,
  op: AnyOperation,
  decoded: Decoded,
  work: () => Soon<void>,
): Soon<void> {
  const { scope } = decoded
  if (scope.ip === null || isSeller(scope)) return work()
  const text = op.keyOf?.(decoded as never) ?? null
  if (text === null && (isStranger(scope) || !givesKey(decoded))) return work()
  return looked(frame, scope.ip, async () => {
    const now = frame.ctx.clock.real()
    if (text !== null && isStranger(scope)) frame.limits.keyed(text, now)
    const misses = (await op.missesOf?.(decoded as never, frame.ctx as never)) ?? 0
    for (let miss = 0; miss < misses; miss++) frame.limits.failed(scope.ip ?? '', now)
    await work()
  })
}

async function looked({ ctx, limits }: Frame, ip: string, work: () => Promise<void>): Promise<void> {
  const turn = limits.lookUp(ip, ctx.clock)
  const place = turn instanceof Promise ? await turn : turn
  try {
    await work()
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) limits.failed(ip, ctx.clock.real())
    throw error
  } finally {
    limits.lookedUp(place)
  }
}

/** Whether a license key is among the arguments, or in an item of a list of them. */
export const givesKey = ({ query, body }: Pick<Decoded, 'query' | 'body'>): boolean =>
  hasKey(query) ||
  hasKey(body) ||
  Object.values(body).some((list) => Array.isArray(list) && list.some(hasKey))

const KEYS = ['license_key', 'license_keys'] as const

const hasKey = (given: unknown): boolean =>
  typeof given === 'object' &&
  given !== null &&
  KEYS.some((name) => ![undefined, null, ''].includes((given as Partial<Record<string, string>>)[name]))

import type { Context } from '../../context.ts'
import { REFRESH_MS } from './sandbox-times.ts'
import { MINUTE } from '../../lib/time.ts'
import { listClocks } from './queries.ts'

/** The clocks of two machines are apart by less. */
const SKEW_MS = MINUTE

/** Reads into the clock of this process how every sandbox stands, or those that were moved since some moment. */
export async function learnSandboxes(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  since = -1,
): Promise<void> {
  for (const { product_id: productId, ahead_ms: aheadMs, at_ms: atMs } of await listClocks(db, since)) {
    clock.learn(productId, atMs === null ? { aheadMs } : { atMs })
  }
}

/** Does so again and again, so that this process is behind by half a second at most; ends when it is called. */
export function followSandboxes(ctx: Context): () => Promise<void> {
  let reading: Promise<void> | null = null
  let last = ctx.clock.real()
  const read = async () => {
    const now = ctx.clock.real()
    await learnSandboxes(ctx, last - SKEW_MS)
    last = now
  }
  const timer = setInterval(() => {
    reading ??= read()
      .catch((error: unknown) => ctx.log.error({ err: error }, 'the clocks of sandboxes could not be read'))
      .finally(() => {
        reading = null
      })
  }, REFRESH_MS)
  return async () => {
    clearInterval(timer)
    await reading
  }
}

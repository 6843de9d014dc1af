import type { Context } from '../context.ts'
import { HOUR } from '../lib/time.ts'

/** Longer than anything takes to come in. */
const GRACE_MS = HOUR

/**
 * Removes what uploads left that did not end, at once and every hour until the returned function is called. Each
 * process that takes uploads does so, as nobody else need reach the folder in which it receives them.
 */
export async function keepClean(ctx: Pick<Context, 'storage' | 'clock' | 'log'>): Promise<() => void> {
  const clean = () =>
    ctx.storage.clean(ctx.clock.real() - GRACE_MS).then(
      () => {},
      (error: unknown) => ctx.log.error({ err: error }, 'what uploads left could not be removed'),
    )
  await clean()
  const timer = setInterval(clean, HOUR)
  timer.unref()
  return () => clearInterval(timer)
}

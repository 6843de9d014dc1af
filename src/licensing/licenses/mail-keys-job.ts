import { transaction, type Context } from '../../context.ts'
import { DatabaseBusy } from '../../db/busy.ts'
import { answerKeyRequest } from './mail-licenses.ts'
import { findKeyRequests, takeKeyRequest } from './mail-licenses-queries.ts'
import { fromUtcTime, HOUR } from '../../lib/time.ts'
import type { QueueJob } from '../../job.ts'

const BATCH = 20
/** So long a request is tried that cannot be answered for a fault of ours. */
const PATIENCE_MS = HOUR

/** Mails license keys to the addresses that callers asked for who prove nothing; each is a transaction of its own. */
export const mailKeys: QueueJob = {
  kind: 'queue',
  name: 'mail-keys',
  isDue: async ({ db }) => (await findKeyRequests(db, 1)).length > 0,
  async run(ctx, stopping) {
    const waiting = await findKeyRequests(ctx.db, BATCH)
    const failures: unknown[] = []
    for (const request of waiting) {
      if (stopping.aborted) return 'more'
      // One that fails stays for the next run, and keeps no other waiting.
      const failed = await answer(ctx, request)
      if (failed !== null) failures.push(failed.error)
    }
    if (failures.length > 0) throw failures[0]
    return waiting.length === BATCH ? 'more' : 'done'
  },
}

type Request = Awaited<ReturnType<typeof findKeyRequests>>[number]

/** Null: it was answered, or given up. */
async function answer(ctx: Context, { id, created }: Request): Promise<{ readonly error: unknown } | null> {
  try {
    await transaction(ctx, (tx) => answerKeyRequest(tx, id))
    return null
  } catch (error) {
    const isOver = ctx.clock.real() - fromUtcTime(created) > PATIENCE_MS
    if (!isOver || error instanceof DatabaseBusy) return { error }
    ctx.log.error({ err: error, request: id }, 'license keys that were asked for could not be mailed')
    await transaction(ctx, ({ db }) => takeKeyRequest(db, id))
    return null
  }
}

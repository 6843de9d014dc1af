import { transaction } from '../context.ts'
import { answerKeyRequest } from '../flows/mail-licenses.ts'
import { findKeyRequests } from '../flows/mail-licenses-queries.ts'
import type { QueueJob } from './job.ts'

const BATCH = 20

/** Mails license keys to the addresses that callers asked for who prove nothing; each is a transaction of its own. */
export const mailKeys: QueueJob = {
  kind: 'queue',
  name: 'mail-keys',
  isDue: async ({ db }) => (await findKeyRequests(db, 1)).length > 0,
  async run(ctx, stopping) {
    const waiting = await findKeyRequests(ctx.db, BATCH)
    const failures: unknown[] = []
    for (const { id } of waiting) {
      if (stopping.aborted) return 'more'
      // One that fails stays for the next run, and keeps no other waiting.
      await transaction(ctx, (tx) => answerKeyRequest(tx, id)).catch((error: unknown) => failures.push(error))
    }
    if (failures.length > 0) throw failures[0]
    return waiting.length === BATCH ? 'more' : 'done'
  },
}

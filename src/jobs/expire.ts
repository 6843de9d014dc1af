import { transaction, type Context, type TxContext } from '../context.ts'
import { giveLicenseNotices } from '../flows/license-notices.ts'
import {
  licensesToNotice,
  sandboxProducts,
  trialsToNotice,
  type NoticePlace,
} from '../flows/notice-queries.ts'
import { giveTrialNotices } from '../flows/trial-notices.ts'
import { MINUTE, toUtcTime } from '../lib/time.ts'
import type { Lease, RecurringJob } from './job.ts'

/** Rows of a transaction, so that nobody waits long for it. */
const BATCH = 100

/**
 * Ends trials and tells of the ends of licenses and trials: the notices before, the end, the notice after. Live
 * ones by real time, those of a sandbox by their product's clock (DECISIONS 5.10). After a standstill what a later
 * notice supersedes is passed over, but every end happens, and each thing once.
 */
export const expire: RecurringJob = {
  kind: 'recurring',
  name: 'expire',
  everyMs: MINUTE,
  leaseMs: MINUTE,
  async run(ctx, lease) {
    let isMore = false
    for (const place of await placesOf(ctx)) {
      for (const work of [trials, licenses]) {
        if (lease.stopping.aborted) return 'more'
        isMore = (await work(ctx, lease, place)) || isMore
      }
    }
    return isMore ? 'more' : 'done'
  },
}

async function placesOf({ db, clock }: Context): Promise<NoticePlace[]> {
  const products = await sandboxProducts(db)
  return [
    { environment: 0, now: toUtcTime(clock.real()), limit: BATCH },
    ...products.map((productId): NoticePlace => {
      const now = toUtcTime(clock.of(productId, 1))
      return { environment: 1, productId, now, limit: BATCH }
    }),
  ]
}

/** Whether more may wait. */
type Work = (ctx: Context, lease: Lease, place: NoticePlace) => Promise<boolean>

const trials: Work = async (ctx, lease, place) => {
  const found = await trialsToNotice(ctx.db, place)
  return give(ctx, lease, found, (tx) => giveTrialNotices(tx, found, place.now))
}

const licenses: Work = async (ctx, lease, place) => {
  const found = await licensesToNotice(ctx.db, place)
  return give(ctx, lease, found, (tx) => giveLicenseNotices(tx, found, place.now))
}

async function give(
  ctx: Context,
  lease: Lease,
  found: readonly unknown[],
  work: (tx: TxContext) => Promise<void>,
): Promise<boolean> {
  if (found.length === 0) return false
  await transaction(ctx, async (tx) => {
    await lease.guard(tx.db)
    await work(tx)
  })
  return found.length === BATCH
}

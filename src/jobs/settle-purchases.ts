import { transaction, type Context } from '../context.ts'
import { settleLeft } from '../flows/left-checkout.ts'
import { resumePurchase } from '../flows/pay-checkout.ts'
import { settleCheckout } from '../flows/settle-checkout.ts'
import { ApiError } from '../lib/errors.ts'
import { MINUTE, fromUtcTime, toUtcTime } from '../lib/time.ts'
import {
  leaveCheckout,
  leftCheckouts,
  openPurchases,
  type OpenPurchase,
  type OwnedCheckout,
} from '../resources/checkouts/queries.ts'
import { leaveCharge } from '../resources/payments/charge-queries.ts'
import type { RecurringJob } from './job.ts'

const BATCH = 50
/** Who pays has so long to do it themselves. */
const OWN_MS = 2 * MINUTE
const REST_MS = 5 * MINUTE

/**
 * Finds purchases whose payer went away, or whose process ended, before they were settled: a charge without its
 * license gets it, as does what costs nothing, and what was not charged is let go. What the bank has not decided is
 * looked at again, less and less often.
 */
export const settlePurchases: RecurringJob = {
  kind: 'recurring',
  name: 'settle-purchases',
  everyMs: MINUTE,
  leaseMs: 5 * MINUTE,
  async run(ctx, lease) {
    const now = ctx.clock.real()
    const found = await openPurchases(ctx.db, { now, before: now - OWN_MS, limit: BATCH })
    for (const purchase of found) {
      if (lease.stopping.aborted) return 'more'
      await transaction(ctx, (tx) => lease.guard(tx.db))
      await settle(ctx, purchase)
    }
    const left = await leftCheckouts(ctx.db, { before: now - OWN_MS, limit: BATCH })
    for (const checkout of left) {
      if (lease.stopping.aborted) return 'more'
      await transaction(ctx, (tx) => lease.guard(tx.db))
      await settleForNothing(ctx, checkout)
    }
    return found.length === BATCH || left.length === BATCH ? 'more' : 'done'
  },
}

/** What fails is looked at again when all others were. */
async function settleForNothing(ctx: Context, checkout: OwnedCheckout): Promise<void> {
  try {
    await settleLeft(ctx, checkout)
  } catch (error) {
    ctx.log.error({ err: error, checkout: checkout.id }, 'a purchase of nothing could not be settled')
    await transaction(ctx, (tx) => leaveCheckout(tx.db, checkout.id, toUtcTime(ctx.clock.real())))
  }
}

async function settle(ctx: Context, { id, created }: OpenPurchase): Promise<void> {
  try {
    const asked = await resumePurchase(ctx, id)
    if (!asked) return
    await transaction(ctx, async (tx) => {
      await settleCheckout(tx, asked)
      const age = ctx.clock.real() - fromUtcTime(created)
      await leaveCharge(tx.db, asked.scope, id, ctx.clock.real() + Math.max(REST_MS, age / 4))
    })
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 503))
      ctx.log.error({ err: error, charge: id }, 'a purchase could not be settled')
  }
}

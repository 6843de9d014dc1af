import { transaction, type Context } from '../../context.ts'
import { DatabaseBusy } from '../../db/busy.ts'
import { letGoLeft, settleLeft } from './left-checkout.ts'
import { inHandOf } from '../charges/left-lease.ts'
import { restOf } from '../charges/known-charge.ts'
import { orLeave } from '../../work/or-leave.ts'
import { resumePurchase } from './pay-checkout.ts'
import { settlePurchase } from '../charges/settle-after-all.ts'
import { ApiError } from '../../lib/errors.ts'
import { systemScope } from '../../access/scope.ts'
import { HOUR, MINUTE } from '../../lib/time.ts'
import { leftCheckouts, openPurchases, type OpenPurchase, type OwnedCheckout } from './queries.ts'
import { leaveCharge } from '../charges/charge-rows.ts'
import type { RecurringJob } from '../../job.ts'

const BATCH = 50
/** Who pays has so long to do it themselves. */
const OWN_MS = 2 * MINUTE
const REST_MS = 5 * MINUTE
/** At most, of what fails for a fault of ours or of the settings, which somebody may have put right. */
const FAILED_REST_MS = HOUR

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
    const left = await leftCheckouts(ctx.db, { now, before: now - OWN_MS, limit: BATCH })
    for (const checkout of left) {
      if (lease.stopping.aborted) return 'more'
      await transaction(ctx, (tx) => lease.guard(tx.db))
      await settleForNothing(ctx, checkout)
    }
    return found.length === BATCH || left.length === BATCH ? 'more' : 'done'
  },
}

/** What fails is left alone, and is let go once the checkout is over: nothing was charged. */
const settleForNothing = (ctx: Context, checkout: OwnedCheckout): Promise<unknown> =>
  orLeave(ctx, { work: 'settle-purchases', rowId: checkout.id }, async () => {
    try {
      await settleLeft(ctx, checkout)
    } catch (error) {
      const isOver = checkout.expires_at <= ctx.clock.now()
      if (error instanceof DatabaseBusy || !isOver) throw error
      ctx.log.error({ err: error, checkout: checkout.id }, 'a purchase of nothing could not be settled')
      await letGoLeft(ctx, checkout)
    }
  })

/** What is not decided is looked at after a quarter of its age, at most a day; what fails too. */
async function settle(ctx: Context, purchase: OpenPurchase): Promise<void> {
  const { id } = purchase
  const now = ctx.clock.real()
  const rest = Math.max(REST_MS, restOf(ctx, purchase))
  try {
    const asked = await resumePurchase(ctx, id)
    if (!asked) return
    const settling = () =>
      transaction(ctx, async (tx) => {
        await settlePurchase(tx, asked)
        await leaveCharge(tx.db, asked.scope, id, now + rest)
      })
    await inHandOf(ctx, asked, settling)
  } catch (error) {
    if (error instanceof DatabaseBusy) throw error
    if (!(error instanceof ApiError && error.code === 'gateway_unreachable'))
      ctx.log.error({ err: error, charge: id }, 'a purchase could not be settled')
    const { product_id: productId, developer_id: developerId } = purchase
    const scope = systemScope({ productId, developerId })
    const again = now + Math.min(FAILED_REST_MS, rest)
    await transaction(ctx, ({ db }) => leaveCharge(db, scope, id, again))
  }
}

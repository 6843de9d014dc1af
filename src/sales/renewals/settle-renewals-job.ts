import { transaction, type Context } from '../../context.ts'
import { followRenewal } from './follow-renewal.ts'
import { isNoFaultOfRow } from '../../work/or-leave.ts'
import { systemScope } from '../../access/scope.ts'
import { HOUR, MINUTE } from '../../lib/time.ts'
import { leaveCharge, openCharges, type OpenCharge } from '../charges/charge-rows.ts'
import type { RecurringJob } from '../../job.ts'

const BATCH = 100
/** How long one is left alone that a fault keeps from being followed. */
const REST_MS = HOUR

/**
 * Follows renewals that were asked for and are not decided, because the process died, the gateway did not answer or the
 * bank takes its time; also those whose subscription was cancelled or changed meanwhile, and is due for nothing.
 */
export const settleRenewals: RecurringJob = {
  kind: 'recurring',
  name: 'settle-renewals',
  everyMs: MINUTE,
  leaseMs: 5 * MINUTE,
  async run(ctx, lease) {
    const open = await openCharges(ctx.db, { purpose: 'renewal', now: ctx.clock.real(), limit: BATCH })
    for (const one of open) {
      if (lease.stopping.aborted) return 'more'
      await transaction(ctx, ({ db }) => lease.guard(db))
      await follow(ctx, one)
    }
    return open.length === BATCH ? 'more' : 'done'
  },
}

async function follow(ctx: Context, charge: OpenCharge): Promise<void> {
  const { id, product_id: productId, developer_id: developerId } = charge
  try {
    await followRenewal(ctx, charge)
  } catch (error) {
    if (isNoFaultOfRow(error)) throw error
    ctx.log.error({ err: error, charge: id }, 'a renewal is not settled yet')
    const scope = systemScope({ developerId, productId })
    await transaction(ctx, ({ db, clock }) => leaveCharge(db, scope, id, clock.real() + REST_MS))
  }
}

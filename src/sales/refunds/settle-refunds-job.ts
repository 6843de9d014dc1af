import { transaction, type Context } from '../../context.ts'
import { settleUnbought, unboughtOf } from '../charges/give-back-charge.ts'
import { inHandOf } from '../charges/left-lease.ts'
import { isNoFaultOfRow } from '../../work/or-leave.ts'
import { askGateway, settleAsked } from './refund-payment.ts'
import { systemScope } from '../../access/scope.ts'
import { DAY, fromUtcTime, HOUR, MINUTE } from '../../lib/time.ts'
import { leaveCharge, openCharges, takeCharge, type OpenCharge } from '../charges/charge-rows.ts'
import type { RecurringJob } from '../../job.ts'

const BATCH = 100
/** How long one is left alone at least that a gateway did not answer: else a quarter of its age, at most a day. */
const REST_MS = HOUR
const LEASE_MS = MINUTE

/**
 * Ends refunds that were begun and not settled, because the process died or the gateway did not answer: each is
 * asked for again under its own key, and so given back once.
 */
export const settleRefunds: RecurringJob = {
  kind: 'recurring',
  name: 'settle-refunds',
  everyMs: MINUTE,
  leaseMs: 5 * MINUTE,
  async run(ctx, lease) {
    await transaction(ctx, ({ db }) => lease.guard(db))
    const open = await openCharges(ctx.db, { purpose: 'refund', now: ctx.clock.real(), limit: BATCH })
    for (const one of open) {
      if (lease.stopping.aborted) return 'more'
      await settle(ctx, one)
    }
    return open.length === BATCH ? 'more' : 'done'
  },
}

async function settle(ctx: Context, { id, product_id: productId, developer_id: developerId }: OpenCharge) {
  const scope = systemScope({ developerId, productId })
  const now = ctx.clock.real()
  const charge = await transaction(ctx, ({ db }) =>
    takeCharge(db, scope, { id, now, leaseUntil: now + LEASE_MS }),
  )
  if (!charge) return
  try {
    await inHandOf(ctx, { scope, taken: charge }, async () => {
      const outcome = await askGateway(ctx, scope, charge)
      const settleIt = unboughtOf(charge) ? settleUnbought : settleAsked
      await transaction<unknown>(ctx, (tx) => settleIt(tx, scope, charge, outcome))
    })
  } catch (error) {
    if (isNoFaultOfRow(error)) throw error
    ctx.log.warn({ err: error, charge: id }, 'a refund is not settled yet')
    const rest = Math.min(DAY, Math.max(REST_MS, (now - fromUtcTime(charge.created)) / 4))
    await transaction(ctx, ({ db }) => leaveCharge(db, scope, id, Math.floor(now + rest)))
  }
}

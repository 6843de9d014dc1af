import { transaction, type Context } from '../../context.ts'
import { hearGateways, retakeReport } from './gateway-reports.ts'
import { isNoFaultOfRow } from '../../work/or-leave.ts'
import { HOUR, MINUTE } from '../../lib/time.ts'
import { changeEvent, waitingEvents } from './gateway-event-queries.ts'
import type { Lease, RecurringJob } from '../../job.ts'

const BATCH = 100
/** How long one is left alone that a fault of ours keeps from being taken. */
const REST_MS = HOUR

type Waiting = Awaited<ReturnType<typeof waitingEvents>>[number]

/**
 * Looks again at what gateways reported of charges that were not known, or of payments that were being refunded, and
 * asks those of the sandbox that send nothing by themselves.
 */
export const settleReports: RecurringJob = {
  kind: 'recurring',
  name: 'settle-reports',
  everyMs: MINUTE,
  leaseMs: MINUTE,
  async run(ctx, lease) {
    await hear(ctx)
    const waiting = await waitingEvents(ctx.db, ctx.clock.real(), BATCH)
    for (const one of waiting) {
      if (lease.stopping.aborted) return 'more'
      await settle(ctx, lease, one)
    }
    return waiting.length === BATCH ? 'more' : 'done'
  },
}

/** What cannot be heard keeps nothing of what was reported from being taken. */
async function hear(ctx: Context): Promise<void> {
  try {
    await hearGateways(ctx)
  } catch (error) {
    if (isNoFaultOfRow(error)) throw error
    ctx.log.error({ err: error }, 'what gateways of the sandbox report could not be taken')
  }
}

async function settle(ctx: Context, lease: Lease, event: Waiting): Promise<void> {
  try {
    await transaction(ctx, async (tx) => {
      await lease.guard(tx.db)
      await retakeReport(tx, event)
    })
  } catch (error) {
    if (isNoFaultOfRow(error)) throw error
    ctx.log.error({ err: error, event: event.event_id }, 'a report of a gateway could not be taken')
    await transaction(ctx, ({ db, clock }) => changeEvent(db, event.id, { due_at: clock.real() + REST_MS }))
  }
}

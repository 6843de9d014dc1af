import { recheckTaxes } from './credit-tax.ts'
import { anyTaxToCheck } from './provisional-queries.ts'
import type { QueueJob } from '../../job.ts'

/** Ids that are asked for at a time. */
const BATCH = 10

/** Checks VAT ids again that could not be checked online, and gives back the tax of those that are found. */
export const settleTaxes: QueueJob = {
  kind: 'queue',
  name: 'settle-taxes',
  isDue: ({ db, clock }) => anyTaxToCheck(db, clock.real()),
  async run(ctx, stopping) {
    if (stopping.aborted) return 'done'
    return (await recheckTaxes(ctx, BATCH)) === BATCH ? 'more' : 'done'
  },
}

import type { Context } from '../context.ts'
import type { Waiting, DuePlace } from '../db/waiting.ts'
import type { Clock } from '../lib/clock.ts'
import { toUtcTime } from '../lib/time.ts'
import type { Lease, RecurringJob } from '../job.ts'

/** Rows of a transaction, so that nobody waits long for it. */
export const BATCH = 100

/** Whose business time it is, and what it says (`docs/decisions.md` 5.10). */
export type Place = DuePlace

/**
 * Something that falls due by business time: live by real time, in a sandbox by the clock of its product. A row of
 * it is due when a column of it says so, and what is done moves that column on, so nothing is done twice.
 */
export interface Step extends Waiting {
  /** Does a batch of what is due; whether more may be. */
  readonly run: (ctx: Context, lease: Lease, place: Place) => Promise<boolean>
}

/** Where a step has something to do or may have: live, and in the sandboxes in which something of it waits. */
export async function placesOf({ db, clock }: Context, step: Step): Promise<Place[]> {
  const products = await step.sandboxes(db)
  return [
    { environment: 0, now: clock.now(), real: clock.real(), limit: BATCH },
    ...products.map((productId) => sandboxPlace(clock, productId, clock.of(productId, 1))),
  ]
}

/** The sandbox of a product at a time of its own, milliseconds. */
export const sandboxPlace = (clock: Clock, productId: number, at: number): Place => ({
  environment: 1,
  productId,
  now: toUtcTime(at),
  real: clock.real(),
  limit: BATCH,
})

/** A job that does what is due of some steps, in their order, everywhere. */
export const jobOf = (
  job: Pick<RecurringJob, 'name' | 'everyMs' | 'leaseMs'>,
  steps: readonly Step[],
): RecurringJob => ({
  kind: 'recurring',
  ...job,
  async run(ctx, lease) {
    let isMore = false
    for (const step of steps) {
      for (const place of await placesOf(ctx, step)) {
        if (lease.stopping.aborted) return 'more'
        isMore = (await step.run(ctx, lease, place)) || isMore
      }
    }
    return isMore ? 'more' : 'done'
  },
})

import { remindersWaiting, subscriptionsToRemind } from './reminder-queries.ts'
import { giveRenewalReminders } from './reminders.ts'
import { MINUTE } from '../../lib/time.ts'
import { oneByOne } from '../../work/one-by-one.ts'
import { jobOf, type Step } from '../../work/step.ts'

export const renewalReminders: Step = {
  ...remindersWaiting,
  async run(ctx, lease, place) {
    const found = await subscriptionsToRemind(ctx.db, place)
    return oneByOne(ctx, lease, {
      work: 'remind',
      found,
      give: (tx, some) => giveRenewalReminders(tx, some, place.now),
    })
  },
}

/** Reminds of the renewals of yearly subscriptions; after a standstill of those that are still to come. */
export const remind = jobOf({ name: 'remind', everyMs: 10 * MINUTE, leaseMs: MINUTE }, [renewalReminders])

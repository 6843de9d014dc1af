import { transaction } from '../context.ts'
import { remindersWaiting, subscriptionsToRemind } from '../flows/renewal-reminder-queries.ts'
import { giveRenewalReminders } from '../flows/renewal-reminders.ts'
import { MINUTE } from '../lib/time.ts'
import { BATCH, jobOf, type Step } from './step.ts'

export const renewalReminders: Step = {
  ...remindersWaiting,
  async run(ctx, lease, place) {
    const found = await subscriptionsToRemind(ctx.db, place)
    if (found.length === 0) return false
    await transaction(ctx, async (tx) => {
      await lease.guard(tx.db)
      await giveRenewalReminders(tx, found, place.now)
    })
    return found.length === BATCH
  },
}

/** Reminds of the renewals of yearly subscriptions; after a standstill of those that are still to come. */
export const remind = jobOf({ name: 'remind', everyMs: 10 * MINUTE, leaseMs: MINUTE }, [renewalReminders])

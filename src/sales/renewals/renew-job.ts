import { waitingBy } from '../../db/waiting.ts'
import { renewDue } from './renew.ts'
import { anyToRenew } from './queries.ts'
import { MINUTE } from '../../lib/time.ts'
import type { QueueJob } from '../../job.ts'
import { BATCH, jobOf, type Step } from '../../work/step.ts'

/** What is due of subscriptions: renewals and the attempts after one that failed. */
export const renewals: Step = {
  ...waitingBy('subscriptions', 'due_at'),
  run: async (ctx, _lease, place) => (await renewDue(ctx, place)) === BATCH,
}

/** Renews in every process at once what is due in production; each takes what it has in hand from the others. */
export const renew: QueueJob = {
  kind: 'queue',
  name: 'renew',
  isDue: ({ db, clock }) => anyToRenew(db, clock.now(), clock.real()),
  async run(ctx, stopping) {
    while (!stopping.aborted) {
      const now = ctx.clock.now()
      if ((await renewDue(ctx, { environment: 0, now, limit: BATCH })) < BATCH) break
    }
    return 'done'
  },
}

/** Renews in sandboxes whose clock is not moved but runs. */
export const renewSandboxes = jobOf({ name: 'renew-sandboxes', everyMs: MINUTE, leaseMs: MINUTE }, [renewals])

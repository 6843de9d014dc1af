import { waitingBy } from '../../db/waiting.ts'
import { giveLicenseNotices } from './license-notices.ts'
import { licensesToNotice, trialsToNotice } from './notice-queries.ts'
import { giveTrialNotices } from './trial-notices.ts'
import { MINUTE } from '../../lib/time.ts'
import { oneByOne } from '../../work/one-by-one.ts'
import { jobOf, type Step } from '../../work/step.ts'

export const trialEnds: Step = {
  ...waitingBy('trials', 'notice_at'),
  async run(ctx, lease, place) {
    const found = await trialsToNotice(ctx.db, place)
    return oneByOne(ctx, lease, {
      work: 'end-trials',
      found,
      give: (tx, some) => giveTrialNotices(tx, some, place.now),
    })
  },
}

export const licenseEnds: Step = {
  ...waitingBy('licenses', 'notice_at'),
  async run(ctx, lease, place) {
    const found = await licensesToNotice(ctx.db, place)
    return oneByOne(ctx, lease, {
      work: 'end-licenses',
      found,
      give: (tx, some) => giveLicenseNotices(tx, some, place.now),
    })
  },
}

/**
 * Ends trials and tells of the ends of licenses and trials: the notices before, the end, the notice after. Live
 * ones by real time, those of a sandbox by their product's clock (`docs/decisions.md` 5.10). After a standstill what a
 * later notice supersedes is passed over, but every end happens, and each thing once.
 */
export const expire = jobOf({ name: 'expire', everyMs: MINUTE, leaseMs: MINUTE }, [trialEnds, licenseEnds])

import { licenseEnds, trialEnds } from '../licensing/notices/expire-job.ts'
import { cartRecovery } from '../sales/carts/recover-carts-job.ts'
import { renewalReminders } from '../sales/renewals/remind-job.ts'
import { renewals } from '../sales/renewals/renew-job.ts'
import type { Step } from '../work/step.ts'

/** Everything that falls due by business time; of what is due at one moment the first here comes first. */
export const STEPS: readonly Step[] = [renewals, renewalReminders, trialEnds, licenseEnds, cartRecovery]

import { licenseEnds, trialEnds } from './expire.ts'
import { cartRecovery } from './recover-carts.ts'
import { renewalReminders } from './remind.ts'
import { renewals } from './renew.ts'
import type { Step } from './step.ts'

/** Everything that falls due by business time; of what is due at one moment the first here comes first. */
export const STEPS: readonly Step[] = [renewals, renewalReminders, trialEnds, licenseEnds, cartRecovery]

/** The license that a checkout changes, which it keeps from other changes meanwhile. */
export { inProgress } from '../action.ts'
export { CHANGE_MS, forgetKeyChange, isChangingNow, isRenewingNow } from '../license-queries.ts'

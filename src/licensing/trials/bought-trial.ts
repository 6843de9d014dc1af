import type { TxContext } from '../../context.ts'
import { wholeProduct, type Scope } from '../../access/scope.ts'
import { toUtcTime } from '../../lib/time.ts'
import { recordEvent } from '../../events/log/record.ts'
import type { InstallRow } from '../installs/schema.ts'
import type { LicenseRow } from '../licenses/schema.ts'
import { convertRunning, findTrialOf } from './queries.ts'
import type { TrialRow } from './schema.ts'
import { cancelTrialLicense } from './trial-queries.ts'

/** Whether a license that is put on an install ends its trial: any but one that itself is a trial's. */
export const endsTrial = (license: LicenseRow, install: InstallRow): boolean =>
  !license.is_trial && (install.trial_plan_id !== null || install.trial_ends !== null)

/**
 * Ends the trial of an install that is held, as a license was bought for it: the trial is converted and told of no
 * more, and its own license is cancelled with its renewals. What the install says of its trial is the caller's to
 * clear.
 */
export async function convertTrial(ctx: TxContext, scope: Scope, { id }: InstallRow): Promise<void> {
  const product: Scope = wholeProduct(scope)
  const trial = await findTrialOf(ctx.db, product, id)
  if (!trial) return
  const now = toUtcTime(ctx.clock.of(trial.product_id, trial.environment))
  const updated = ctx.clock.now()
  if (await convertRunning(ctx.db, product, { id: trial.id, now, updated })) {
    await cancelLicenseOf(ctx, product, trial)
  }
}

/** Cancels the license of a trial that ended before its time, and its renewals, once. */
export async function cancelLicenseOf(
  ctx: TxContext,
  scope: Scope,
  { license_id: id, user_id: userId, environment }: Pick<TrialRow, 'license_id' | 'user_id' | 'environment'>,
): Promise<void> {
  if (id === null) return
  await ctx.hooks.sales.endRenewals(ctx, scope, id)
  if (!(await cancelTrialLicense(ctx.db, id, ctx.clock.now()))) return
  const data = { license_id: String(id) }
  await recordEvent(ctx, scope, { type: 'license.cancelled', environment, userId, data })
}

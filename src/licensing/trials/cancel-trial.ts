import type { TxContext } from '../../context.ts'
import { isSeller, wholeProduct, type Scope } from '../../access/scope.ts'
import { toUtcTime } from '../../lib/time.ts'
import type { InstallRow } from '../installs/schema.ts'
import { getInstall, holdInstall } from '../installs/service.ts'
import { cancelRunning } from './queries.ts'
import type { TrialRow } from './schema.ts'
import { cancelLicenseAndTell } from '../licenses/cancel-license.ts'
import { holdLicenses, takeLicenseOff } from '../activation/license-on-install.ts'
import { endTrialOnInstalls } from './trial-queries.ts'
import { findTrialOfLicense } from './buyer-trial-rows.ts'
import { cancelTrial, notRunning, recordCancelled, type CancelReason } from './trials.ts'

/**
 * Ends the trial that runs on an install at once, whether it began there or was bought at the checkout: its license is
 * cancelled and taken off, and nothing is charged. The install as it is then. 404 when there is no such install, 400
 * `no_trial` when none runs on it, or that of somebody else's license and not the seller asks
 * (`docs/interface.md` 5.8).
 */
export async function cancelTrialOn(
  ctx: TxContext,
  scope: Scope,
  installId: number,
  reason: CancelReason,
): Promise<InstallRow> {
  const install = await getInstall(ctx, scope, installId)
  const bought =
    install.license_id === null ? undefined : await findTrialOfLicense(ctx.db, install.license_id)
  if (!bought) return cancelTrial(ctx, scope, installId, reason)
  if (bought.user_id !== install.user_id && !isSeller(scope)) throw notRunning()
  return cancelBought(ctx, scope, { trial: bought, installId, reason })
}

interface Cancelling {
  readonly trial: TrialRow
  readonly installId: number
  readonly reason: CancelReason
}

async function cancelBought(
  ctx: TxContext,
  scope: Scope,
  { trial, installId, reason }: Cancelling,
): Promise<InstallRow> {
  const product: Scope = wholeProduct(scope, trial.product_id)
  const now = toUtcTime(ctx.clock.of(trial.product_id, trial.environment))
  const updated = ctx.clock.now()
  await holdLicenses(ctx, [trial.license_id])
  if (!(await cancelRunning(ctx.db, product, { id: trial.id, now, updated }))) throw notRunning()
  if (trial.license_id !== null) {
    await ctx.hooks.sales.endRenewals(ctx, product, trial.license_id, {
      ids: reason.ids,
      text: reason.text ?? null,
    })
    await cancelLicenseAndTell(ctx, product, trial.license_id, {})
    await endTrialOnInstalls(ctx.db, trial.license_id, updated)
  }
  const install = await takeLicenseOff(ctx, scope, await holdInstall(ctx, scope, installId))
  await recordCancelled(ctx, scope, { trial, installId, now, reason })
  return install
}

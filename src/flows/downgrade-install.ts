import type { TxContext } from '../context.ts'
import { isSeller, type Scope } from '../http/scope.ts'
import { toUtcTime } from '../lib/time.ts'
import { recordEvent } from '../resources/events/record.ts'
import { planWithoutLicense } from '../resources/installs/create-queries.ts'
import type { Downgrade } from '../resources/installs/request-schema.ts'
import { deleteInstallRow, updateInstallRow } from '../resources/installs/queries.ts'
import type { Install, InstallRow } from '../resources/installs/schema.ts'
import { getInstall, holdInstall, shownInstall } from '../resources/installs/service.ts'
import { findLicense } from '../resources/licenses/queries.ts'
import { holdLicenses, takeLicenseOff } from './license-on-install.ts'
import { cancelSubscriptionOf } from './subscriptions.ts'

/**
 * Takes an install back to the product's free plan, and ends the renewals of its license, unless it is somebody
 * else's license and not the seller asks (`licensing.md` 8). The license stays on it unless it is to be
 * deactivated. 404 when the caller has no such install.
 */
export async function downgradeInstall(
  ctx: TxContext,
  scope: Scope,
  id: number,
  { deactivate_license: deactivate = false, reason_ids: reasonIds, reason }: Downgrade,
): Promise<Install> {
  const held = await heldInstall(ctx, scope, id)
  await endRenewals(ctx, scope, held)
  const planId = await planWithoutLicense(ctx.db, held.product_id)
  const unlicensed = deactivate ? await takeLicenseOff(ctx, scope, held, { tellsPlan: false }) : held
  const updated = toUtcTime(ctx.clock.real())
  const after =
    unlicensed.plan_id === planId
      ? unlicensed
      : await updateInstallRow(ctx.db, scope, id, { plan_id: planId, updated })
  if (held.plan_id !== after.plan_id) {
    const from = held.plan_id === null ? null : String(held.plan_id)
    const to = planId === null ? null : String(planId)
    await recordEvent(ctx, scope, {
      type: 'install.plan.downgraded',
      userId: held.user_id,
      installId: id,
      data: { install_id: String(id), from, to, reason_ids: reasonIds ?? null, reason: reason ?? null },
    })
  }
  return shownInstall(ctx, scope, after)
}

/** Erases an install for good, and gives the place on its license back; 404 when the caller has none. */
export async function deleteInstall(ctx: TxContext, scope: Scope, id: number): Promise<void> {
  const install = await heldInstall(ctx, scope, id)
  await takeLicenseOff(ctx, scope, install, { tellsPlan: false })
  await deleteInstallRow(ctx.db, scope, id)
  await recordEvent(ctx, scope, {
    type: 'install.deleted',
    userId: install.user_id,
    installId: id,
    data: { install_id: String(id) },
  })
}

/** The install, held after the license that is on it. */
async function heldInstall(ctx: TxContext, scope: Scope, id: number): Promise<InstallRow> {
  const { license_id: licenseId } = await getInstall(ctx, scope, id)
  await holdLicenses(ctx, [licenseId])
  return holdInstall(ctx, scope, id)
}

async function endRenewals(ctx: TxContext, scope: Scope, install: InstallRow): Promise<void> {
  if (install.license_id === null) return
  const product = { ...scope, userId: null, installId: null }
  const [license] = await findLicense(ctx.db, product, { id: install.license_id })
  if (!isSeller(scope) && license?.user_id !== install.user_id) return
  await cancelSubscriptionOf(ctx, scope, install.license_id)
}

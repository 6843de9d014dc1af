import type { TxContext } from '../../context.ts'
import { isSeller, wholeProduct, type Scope } from '../../access/scope.ts'
import { idText } from '../../lib/id-text.ts'
import { parseNumberList } from '../../lib/number-list.ts'
import { toUtcTime } from '../../lib/time.ts'
import { recordEvent } from '../../events/log/record.ts'
import { planWithoutLicense } from './placed-install-rows.ts'
import type { Downgrade } from './request-schema.ts'
import { deleteInstallRow, updateInstallRow } from './queries.ts'
import type { Install, InstallRow } from './schema.ts'
import { getInstall, holdInstall, shownInstall } from './service.ts'
import { findLicense } from '../licenses/license-rows.ts'
import type { LicenseRow } from '../licenses/schema.ts'
import { holdLicenses, takeLicenseOff } from '../activation/license-on-install.ts'
import type { EndReason } from '../hooks.ts'
import { aboutInstall } from './emits.ts'

/**
 * Ends the renewals of an install's license, unless it is somebody else's license and not the seller asks
 * (`docs/interface.md` 5.8), and takes it back to the product's free plan: at once when the license is to be
 * deactivated, or is none that works; otherwise license and plan stay as long as they are paid. 404 when the caller has
 * no such install, 401 `role_not_allowed` for a role that may not write sales where renewals would end.
 */
export async function downgradeInstall(
  ctx: TxContext,
  scope: Scope,
  id: number,
  downgrade: Downgrade,
): Promise<Install> {
  const { deactivate_license: deactivate = false } = downgrade
  const held = await heldInstall(ctx, scope, id)
  const license = await licenseOn(ctx, scope, held)
  await endRenewals(ctx, scope, { install: held, license, reason: reasonOf(downgrade) })
  if (!deactivate && license && works(ctx, license)) return shownInstall(ctx, scope, held)
  const planId = await planWithoutLicense(ctx.db, held.product_id)
  const unlicensed = deactivate ? await takeLicenseOff(ctx, scope, held, { tellsPlan: false }) : held
  const updated = ctx.clock.now()
  const after =
    unlicensed.plan_id === planId
      ? unlicensed
      : await updateInstallRow(ctx.db, scope, id, { plan_id: planId, updated })
  if (held.plan_id !== after.plan_id) await recordDowngraded(ctx, scope, { held, after, downgrade })
  return shownInstall(ctx, scope, after)
}

const reasonOf = ({ reason_ids: ids, reason }: Downgrade): EndReason => ({
  ids: parseNumberList(String(ids ?? '')) ?? [],
  text: reason ?? null,
})

interface Downgraded {
  readonly held: InstallRow
  readonly after: InstallRow
  readonly downgrade: Downgrade
}

const recordDowngraded = (ctx: TxContext, scope: Scope, { held, after, downgrade }: Downgraded) =>
  recordEvent(ctx, scope, {
    type: 'install.plan.downgraded',
    ...aboutInstall(held),
    data: {
      install_id: String(held.id),
      from: idText(held.plan_id),
      to: idText(after.plan_id),
      reason_ids: downgrade.reason_ids ?? null,
      reason: downgrade.reason ?? null,
    },
  })

/** Erases an install for good, and gives the place on its license back; 404 when the caller has none. */
export async function deleteInstall(ctx: TxContext, scope: Scope, id: number): Promise<void> {
  const install = await heldInstall(ctx, scope, id)
  await takeLicenseOff(ctx, scope, install, { tellsPlan: false })
  await deleteInstallRow(ctx.db, scope, id)
  await recordEvent(ctx, scope, {
    type: 'install.deleted',
    ...aboutInstall(install),
    data: { install_id: String(id) },
  })
}

/** The install, held after the license that is on it. */
async function heldInstall(ctx: TxContext, scope: Scope, id: number): Promise<InstallRow> {
  const { license_id: licenseId } = await getInstall(ctx, scope, id)
  await holdLicenses(ctx, [licenseId])
  return holdInstall(ctx, scope, id)
}

async function licenseOn(ctx: TxContext, scope: Scope, { license_id: id }: InstallRow) {
  if (id === null) return undefined
  const [license] = await findLicense(ctx.db, wholeProduct(scope), { id })
  return license
}

const works = ({ clock }: TxContext, { is_cancelled, expiration, product_id, environment }: LicenseRow) =>
  !is_cancelled && (expiration === null || expiration > toUtcTime(clock.of(product_id, environment)))

interface Ending {
  readonly install: InstallRow
  readonly license: LicenseRow | undefined
  readonly reason: EndReason
}

async function endRenewals(ctx: TxContext, scope: Scope, { install, license, reason }: Ending) {
  if (!license || (!isSeller(scope) && license.user_id !== install.user_id)) return
  await ctx.hooks.sales.cancelRenewals(ctx, scope, license.id, reason)
}

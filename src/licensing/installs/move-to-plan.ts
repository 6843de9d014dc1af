import type { TxContext } from '../../context.ts'
import { idText } from '../../lib/id-text.ts'
import type { LicenseRow } from '../licenses/schema.ts'
import { setPlanOfInstalls } from './sale-on-install-rows.ts'

/**
 * Puts the installs of a license on its plan; the events that tell it, of those that were on another one. The caller holds
 * the license, and records them.
 */
export async function moveToPlan(ctx: TxContext, license: LicenseRow) {
  const { id: licenseId, plan_id: planId, environment } = license
  const moved = await setPlanOfInstalls(ctx.db, licenseId, { planId, updated: ctx.clock.now() })
  return moved.map(({ id, user_id: userId, plan_id: from }) => ({
    type: 'install.plan.changed' as const,
    environment,
    userId,
    installId: id,
    data: { license_id: String(licenseId), install_id: String(id), from: idText(from), to: String(planId) },
  }))
}

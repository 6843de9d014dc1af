import type { TxContext } from '../../context.ts'
import { requireWhole, type Scope } from '../../access/scope.ts'
import { newLicenseKey } from '../../lib/credentials.ts'
import { recordEvent } from '../../events/log/record.ts'
import { deactivateInstalls } from '../activation/deactivate-license.ts'
import { refuseCancelled } from './ended-license.ts'
import { holdFamily, scopeOfLicense } from './family.ts'
import { keptKey } from './key.ts'
import { updateLicenseRow } from './queries.ts'
import type { KeyRotation } from './input-schema.ts'
import { forgetShown } from '../../people/users/user-key-rows.ts'
import type { LicenseRow } from './schema.ts'

/**
 * Gives a license another key: the one it had opens nothing from now on, nor do keys that came by it and run on no site
 * of the license. Sites that it is active on go on, unless it is to be taken off all of them. Records
 * `license.key.rotated`, which tells neither key. 404 when the owner has no such license, 400 `license_cancelled`.
 */
export async function rotateKey(
  ctx: TxContext,
  scope: Scope,
  id: number,
  { deactivate_installs: isTakenOff }: KeyRotation,
): Promise<LicenseRow> {
  const { license, children } = await holdFamily(ctx, scope, id)
  requireWhole(scope, 'Another key of a license')
  refuseCancelled(license)
  if (isTakenOff) {
    for (const one of [license, ...children]) await deactivateInstalls(ctx, scopeOfLicense(scope, one), one)
  }
  const kept = keptKey(newLicenseKey(), ctx.keys)
  const row = await updateLicenseRow(ctx.db, scope, id, { ...kept, updated: ctx.clock.now() })
  if (!row) throw new Error('A license that is held is there.')
  const family = [license, ...children].map((one) => one.id)
  await forgetShown(ctx.db, id, family)
  await recordEvent(ctx, scope, {
    type: 'license.key.rotated',
    environment: row.environment,
    ...(row.user_id !== null && { userId: row.user_id }),
    data: { license_id: String(id) },
  })
  return row
}

import type { TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { invalid } from '../../lib/errors.ts'
import { invalidLicenseKey } from '../refusals.ts'
import type { LicenseAssign } from './input-schema.ts'
import { hashesOfKey } from './key.ts'
import { findLicenseByKey } from './queries.ts'
import type { LicenseRow } from './schema.ts'
import { giveLicense } from '../activation/claim-license.ts'
import { holdFamily, holdParentFamily } from './family.ts'
import { mailLicense } from './mail-licenses.ts'
import { ownerByAddress } from './customer.ts'

/**
 * Gives a license that is nobody's to a person, who becomes a user of the product if it is none, and mails it the
 * key (`docs/interface.md` 5.6); what a bundle's license opened goes with all of the bundle. 404
 * `invalid_license_key` for a key that the product has not, 400 `license_owned` when it is somebody's: of two at
 * once one gets it.
 */
export async function assignLicense(
  ctx: TxContext,
  scope: Scope,
  { license_key: key, ...person }: LicenseAssign,
): Promise<LicenseRow> {
  const found = await findLicenseByKey(ctx.db, scope, hashesOfKey(key, ctx.keys))
  if (!found) throw invalidLicenseKey()
  await holdParentFamily(ctx, found)
  const held = await holdFamily(ctx, scope, found.id)
  if (held.license.user_id !== null) {
    throw invalid('license_owned', 'This license has an owner already.')
  }
  const license = await giveLicense(ctx, scope, held.license, await ownerByAddress(ctx, scope, person))
  await mailLicense(ctx, scope, license)
  return license
}

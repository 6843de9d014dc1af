import type { ReadContext, TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { invalidLicenseKey } from '../refusals.ts'
import { hashesOfKey } from './key.ts'
import type { LicenseRow } from './schema.ts'
import { findByKey } from '../activation/by-key-rows.ts'
import { childLicense } from './child-license.ts'
import { refuseEnded } from '../activation/license-on-install.ts'

export interface Keyed {
  /** The license whose key it is; of a bundle where its product is not the scope's. */
  readonly license: LicenseRow
  /** The scope of the product whose license it opens, also when nobody need say who calls. */
  readonly scope: Scope
}

/** The license that a key opens in the scope's product; 404 `invalid_license_key` (`docs/decisions.md` 2.3). */
export async function licenseByKey(ctx: ReadContext, scope: Scope, key: string): Promise<Keyed> {
  const found = await findByKey(ctx.db, scope.productId, hashesOfKey(key, ctx.keys))
  if (!found) throw invalidLicenseKey()
  const { developer_id: developerId, ...license } = found
  return { license, scope: { ...scope, developerId } }
}

/**
 * The license of the scope's product that a key stands for: of a bundle's key the license that the bundle's opens
 * here, which is issued now when the product came into the bundle later.
 */
export async function ownLicense(ctx: TxContext, { license, scope }: Keyed): Promise<LicenseRow> {
  if (license.product_id === scope.productId) return license
  refuseEnded(ctx, license)
  return childLicense(ctx, scope, license, scope.productId)
}

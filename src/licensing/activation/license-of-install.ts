import type { ReadContext, TxContext } from '../../context.ts'
import type { Problems } from '../../http/decode.ts'
import { ofAnyInstall, type Scope } from '../../access/scope.ts'
import { notFound } from '../../lib/errors.ts'
import { invalidLicenseKey } from '../refusals.ts'
import { getInstall } from '../installs/service.ts'
import type { ByKey } from './activation-schema.ts'
import { hashesOfKey } from '../licenses/key.ts'
import type { LicenseRow } from '../licenses/schema.ts'
import { findLicense } from '../licenses/license-rows.ts'
import { findActiveLicense, findLicenseOfProduct, type KeyedLicense } from './license-of-install-queries.ts'
import { putLicenseOn, takeLicenseOff } from './license-on-install.ts'

/** A seller who is signed in, and a user, free a machine without the key; otherwise as `checkKey`. */
export function checkKeyToFree(scope: Scope, given: ByKey, problems: Problems): void {
  if (scope.kind !== 'developer' && scope.kind !== 'user') checkKey(scope, given, problems)
}

/** The install and the license that a path names, and the key that was given with them. */
export interface Named {
  readonly install_id: number
  readonly license_id: number
  readonly key: string | undefined
}

/**
 * Sellers name the key, as the contract says (402 without); migrations and installs, which clients have do
 * without it, need not.
 */
export function checkKey({ installId }: Scope, given: ByKey, problems: Problems): void {
  const isRequired = installId === null && given.is_migration !== true
  if (!isRequired || given.license_key !== undefined || problems.has('license_key')) return
  problems.missing.push({ field: 'license_key', message: 'is required' })
}

/** The licenses that are active on an install: one, or none. 404 when the caller has no such install. */
export async function activeLicenses(
  ctx: ReadContext,
  scope: Scope,
  installId: number,
): Promise<LicenseRow[]> {
  const licenses = await findActiveLicense(ctx.db, scope, { id: installId })
  if (licenses.length === 0) await getInstall(ctx, scope, installId)
  return licenses
}

/** The license of this id, when it is active on the install; 404 otherwise, and for another license's key. */
export async function activeLicense(ctx: ReadContext, scope: Scope, named: Named): Promise<LicenseRow> {
  const [license] = await findActiveLicense(ctx.db, scope, { id: named.install_id })
  if (license?.id !== named.license_id) throw notFound('license')
  refuseOtherKey(ctx, license, named.key)
  return license
}

/**
 * Puts a license on an install, in place of the one it has (`putLicenseOn`). Without its key only one that is
 * in the caller's reach: who has the key of another person's may use it (`docs/interface.md` 5.8). 404 otherwise,
 * and of another person's with a wrong key the same as of one that does not exist.
 */
export async function activateOn(ctx: TxContext, scope: Scope, named: Named): Promise<LicenseRow> {
  const { install_id: installId, license_id: licenseId, key } = named
  const install = await getInstall(ctx, scope, installId)
  await usableLicense(ctx, { ...scope, productId: install.product_id }, { license_id: licenseId, key })
  const { license } = await putLicenseOn(ctx, scope, { installId, licenseId })
  return license
}

/**
 * A license of the scope's product: of a user its own, and another person's by its key, or that of its bundle. 404
 * otherwise, and for another license's key.
 */
export async function usableLicense(
  ctx: ReadContext,
  scope: Scope,
  { license_id: id, key }: Omit<Named, 'install_id'>,
): Promise<LicenseRow> {
  const found = await findLicenseOfProduct(ctx.db, scope.productId, id)
  const [own] = await findLicense(ctx.db, ofAnyInstall(scope), { id })
  const isOwn = own !== undefined
  if (!found || !(isOwn || isKeyOf(ctx, found, key))) throw notFound('license')
  refuseOtherKey(ctx, found, key)
  return found
}

/** Takes a license off the install it is active on; the license as it is then. 404 when it is not active there. */
export async function deactivateOn(ctx: TxContext, scope: Scope, named: Named): Promise<LicenseRow> {
  const { product_id: productId, id } = await activeLicense(ctx, scope, named)
  const install = await getInstall(ctx, scope, named.install_id)
  if (install.license_id !== id) throw notFound('license')
  await takeLicenseOff(ctx, scope, install)
  const after = await findLicenseOfProduct(ctx.db, productId, id)
  if (!after) throw notFound('license')
  return after
}

function isKeyOf(ctx: ReadContext, license: KeyedLicense, key: string | undefined): boolean {
  const hashes = key === undefined ? [] : hashesOfKey(key, ctx.keys)
  return [license.key_hash, license.parent_key_hash].some((hash) => hash !== null && hashes.includes(hash))
}

function refuseOtherKey(ctx: ReadContext, license: KeyedLicense, key: string | undefined): void {
  if (key === undefined || isKeyOf(ctx, license, key)) return
  throw invalidLicenseKey()
}

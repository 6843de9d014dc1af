import type { ReadContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { notFound } from '../../lib/errors.ts'
import { requireUid } from '../../lib/uid.ts'
import type { VerifiedLicense, Verify } from './activation-schema.ts'
import { isBlocking } from '../licenses/ended-license.ts'
import { issuedKey } from '../licenses/key.ts'
import { presentLicense, type LicenseRow } from '../licenses/schema.ts'
import { isOver } from './license-on-install.ts'
import { findActiveByUid } from './verify-queries.ts'

/**
 * The license that is active on an install, for whoever knows its key, or its bundle's, and the install's uid.
 * Features are on when it is not cancelled and, where it blocks them, not expired: `valid` says so, `reason` why not.
 * One statement, and nothing is written. 404 when the license of this key is not active on this install.
 */
export async function verify(
  ctx: ReadContext,
  { productId }: Scope,
  installId: number,
  { uid, license_key: key }: Verify,
): Promise<VerifiedLicense> {
  requireUid(uid)
  const [license] = await findActiveByUid(ctx.db, { id: installId, uid })
  // In the scope of an install the path names no product.
  const isInProduct = productId === 0 || license?.product_id === productId
  if (!isInProduct || !license) throw notFound('license')
  const known = issuedKey(key, license.key_hash, ctx.keys)
  const { parent_key_hash: ofBundle } = license
  if (known === null && (ofBundle === null || issuedKey(key, ofBundle, ctx.keys) === null))
    throw notFound('license')
  const reason = reasonAgainst(ctx, license)
  return { ...presentLicense(license, ctx.keys, known), valid: reason === null, reason }
}

/** Why a license opens no features, by the clock that it lives on; null: it opens them. */
function reasonAgainst(ctx: ReadContext, license: LicenseRow): VerifiedLicense['reason'] {
  if (license.is_cancelled) return 'license_cancelled'
  return isBlocking(license) && isOver(ctx, license) ? 'license_expired' : null
}

import type { ReadContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { notFound } from '../../lib/errors.ts'
import { requireUid } from '../../lib/uid.ts'
import type { Verify } from './activation-schema.ts'
import { issuedKey } from '../licenses/key.ts'
import { presentLicense, type License } from '../licenses/schema.ts'
import { findActiveByUid } from './verify-queries.ts'

/**
 * The license that is active on an install, for whoever knows its key, or its bundle's, and the install's uid.
 * Features are on when it is not cancelled and, where it blocks them, not expired; that is the client's to judge.
 * One statement, and nothing is written. 404 when the license of this key is not active on this install.
 */
export async function verify(
  ctx: ReadContext,
  { productId }: Scope,
  installId: number,
  { uid, license_key: key }: Verify,
): Promise<License> {
  requireUid(uid)
  const [license] = await findActiveByUid(ctx.db, { id: installId, uid })
  // In the scope of an install the path names no product.
  const isInProduct = productId === 0 || license?.product_id === productId
  if (!isInProduct || !license) throw notFound('license')
  const known = issuedKey(key, license.key_hash, ctx.keys)
  const { parent_key_hash: ofBundle } = license
  if (known === null && (ofBundle === null || issuedKey(key, ofBundle, ctx.keys) === null))
    throw notFound('license')
  return presentLicense(license, ctx.keys, known)
}

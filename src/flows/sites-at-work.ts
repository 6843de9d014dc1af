import type { ReadContext } from '../context.ts'
import type { Limits } from '../http/limits.ts'
import { isLocalAddress } from '../lib/local-hosts.ts'
import { hashesOfKey } from '../resources/licenses/key.ts'
import { findByKey, findUidsWithLicense } from './activate-queries.ts'

interface ByKey {
  readonly key: string
  readonly sites: readonly { readonly uid: string; readonly url?: string | undefined }[]
  readonly limits: Pick<Limits, 'atWork'>
}

/**
 * Counts the sites at work that a license is put on by its key, against the license; those on which it runs already,
 * and what a key that opens nothing would do, count nothing. 429 when there were too many.
 */
export async function countSitesAtWork(
  ctx: ReadContext,
  productId: number,
  { key, sites, limits }: ByKey,
): Promise<void> {
  const atWork = sites.filter(({ url }) => url !== undefined && isLocalAddress(url))
  if (atWork.length === 0) return
  const license = await findByKey(ctx.db, productId, hashesOfKey(key, ctx.keys))
  if (!license) return
  const uids = [...new Set(atWork.map(({ uid }) => uid))]
  const known = await findUidsWithLicense(ctx.db, { productId, licenseId: license.id, uids })
  const added = uids.length - new Set(known.map(({ uid }) => uid)).size
  if (added > 0) limits.atWork(license.id, ctx.clock.real(), added)
}

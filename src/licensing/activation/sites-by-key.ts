import type { ReadContext } from '../../context.ts'
import type { Limits } from '../../http/limits.ts'
import { ApiError } from '../../lib/errors.ts'
import { hostOf } from '../../lib/hosts.ts'
import { isLocalAddress } from '../installs/local-hosts.ts'
import { hashesOfKey } from '../licenses/key.ts'
import type { LicenseRow } from '../licenses/schema.ts'
import { findUidsWithLicense } from './activate-queries.ts'
import { findByKey } from './by-key-rows.ts'
import { findChildLicense, findParentLicense } from '../licenses/child-license-rows.ts'
import { refuseUsedUp } from '../licenses/counts.ts'

/** A site that a caller names. */
export interface Told {
  readonly uid: string
  readonly url?: string | null | undefined
}

export type Counting = Pick<Limits, 'sitesOfLicense' | 'atWork'>

interface Sites {
  readonly sites: readonly Told[]
  readonly limits: Counting
}

/**
 * Counts the sites that a license is put on by its key, against the license, and those of them at work once more, which
 * no quota bounds (`docs/decisions.md` 3.25); those on which it runs already, and what a key that opens nothing would do,
 * count nothing, and what it has no room for counts for itself. 429 when there were too many.
 */
export async function countSitesByKey(
  ctx: ReadContext,
  productId: number,
  { key, ...told }: Sites & { readonly key: string },
): Promise<void> {
  const license = await findByKey(ctx.db, productId, hashesOfKey(key, ctx.keys))
  if (license) await countSites(ctx, productId, { license, ...told })
}

interface OfLicense extends Sites {
  readonly license: LicenseRow
}

/**
 * Counts the sites that a license is put on, which the caller has found, as `countSitesByKey`; one that a bundle opened
 * counts as the bundle's.
 */
export async function countSites(
  ctx: ReadContext,
  productId: number,
  { license: own, sites, limits }: OfLicense,
): Promise<void> {
  const parentId = own.parent_license_id
  const license = (parentId === null ? undefined : await findParentLicense(ctx.db, parentId)) ?? own
  const uids = [...new Set(sites.map(({ uid }) => uid))]
  const running = await findUidsWithLicense(ctx.db, { productId, licenseId: license.id, uids })
  const known = new Set(running.map(({ uid }) => uid))
  const added = sites.filter(({ uid }) => !known.has(uid))
  const now = ctx.clock.real()
  const count = (those: readonly Told[]) => new Set(those.map(({ uid }) => uid)).size
  if (added.length === 0) return
  const isFull = await hasNoRoom(ctx, productId, { license, sites: added })
  limits.sitesOfLicense({ id: license.id, quota: license.quota, productId, isFull }, now, count(added))
  const local = count(added.filter(({ url }) => typeof url === 'string' && isLocalAddress(url)))
  if (local > 0 && !isFull) limits.atWork(license.id, now, local)
}

/** Whether a license, or what it has opened in this product, is full for one of some sites: then all are refused. */
async function hasNoRoom(
  ctx: ReadContext,
  productId: number,
  { license, sites }: Pick<OfLicense, 'license' | 'sites'>,
): Promise<boolean> {
  const own =
    license.product_id === productId ? license : await findChildLicense(ctx.db, license.id, productId)
  if (!own) return false
  try {
    for (const { url } of sites) await refuseUsedUp(ctx, own, { url: url ?? null, host: hostOf(url ?? '') })
  } catch (error) {
    if (error instanceof ApiError) return true
    throw error
  }
  return false
}

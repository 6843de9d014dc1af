import type { ReadContext } from '../../context.ts'
import type { Reach } from '../../db/tables/user-keys.ts'
import type { Limits } from '../../http/limits.ts'
import { isSeller, type Scope } from '../../access/scope.ts'
import { findLicense } from '../licenses/license-rows.ts'
import { findUidsOfUser } from './activate-queries.ts'
import { countSites, countSitesByKey, type Told } from './sites-by-key.ts'

type Counting = Pick<Limits, 'sitesOfLicense' | 'sitesOfUser' | 'atWork'>

interface Made {
  readonly userId: number
  readonly sites: readonly Told[]
  readonly limits: Counting
  readonly license_key?: string | undefined
  readonly license_id?: number | undefined
}

/**
 * Counts the installs that are made with keys of a user, against the user and the license that is put on them
 * (`docs/decisions.md` 3.25). Pairs of own reach count together and apart from the person, as one makes others. What is
 * there already counts nothing, and neither does what the seller makes. 429 when there were too many.
 */
export async function countSitesOfUser(
  ctx: ReadContext,
  scope: Scope,
  { userId, sites, limits, license_key: key, license_id: id }: Made,
): Promise<void> {
  if (isSeller(scope)) return
  const { productId, reach } = scope
  if (key !== undefined) await countSitesByKey(ctx, productId, { key, sites, limits })
  else if (id !== undefined) {
    const [license] = await findLicense(ctx.db, scope, { id })
    if (license) await countSites(ctx, productId, { license, sites, limits })
  }
  const uids = [...new Set(sites.map(({ uid }) => uid))]
  const known = await findUidsOfUser(ctx.db, { productId, userId, uids })
  const added = uids.length - known.length
  const name = nameOf({ userId, productId, reach: reach ? 'own' : 'whole' })
  if (added > 0) limits.sitesOfUser(name, ctx.clock.real(), added)
}

interface Counted {
  readonly userId: number
  readonly productId: number
  readonly reach: Reach
}

const nameOf = ({ userId, productId, reach }: Counted) => `${userId} in ${productId}, ${reach}`

/**
 * Counts the sites that are connected by a proof of a user against the same: known ones too, as by another proof each
 * gets another pair. 429 when there were too many.
 */
export function countProvenSites(
  { clock }: Pick<ReadContext, 'clock'>,
  user: Counted,
  { sites, limits }: { readonly sites: number; readonly limits: Pick<Limits, 'sitesOfUser'> },
): void {
  limits.sitesOfUser(nameOf(user), clock.real(), sites)
}

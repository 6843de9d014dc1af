import type { ReadContext, TxContext } from '../../context.ts'
import type { CountedAs } from '../../db/tables/installs.ts'
import { invalid } from '../../lib/errors.ts'
import { domainsAbove, fitsPattern, isLocalAddress } from '../installs/local-hosts.ts'
import { toUtcTime } from '../../lib/time.ts'
import type { InstallRow } from '../installs/schema.ts'
import type { LicenseRow } from './schema.ts'
import {
  changeCounts,
  countActivation,
  countedHosts,
  countInFull,
  coveredInstalls,
  planOfLicense,
  type PlanOfLicense,
  sitesOfLicense,
} from '../activation/license-on-install-rows.ts'

/** Per domain: the subdomains of a domain that is counted are not counted again. */
const BY_DOMAIN = 0

/** Hosts or ids that one statement names at most. */
const AT_ONCE = 500

type Place = Pick<InstallRow, 'url' | 'host'>

/**
 * What an install is for a license: local, covered by a domain on which it is counted, or production. 400
 * `license_error` for a site that the license's lists refuse. The caller holds the license.
 */
export async function countedAsOf(
  ctx: ReadContext,
  { license, plan }: { readonly license: LicenseRow; readonly plan: PlanOfLicense },
  place: Place,
): Promise<CountedAs> {
  const { url, host } = place
  const isOwnLocal = await refuseSite(ctx, license, place)
  if (url !== null && (isLocalAddress(url) || isOwnLocal)) return 'local'
  if (plan.license_type !== BY_DOMAIN || host === null) return 'production'
  const above = await countedHosts(ctx.db, license.id, domainsAbove(host))
  return above.length > 0 ? 'covered' : 'production'
}

/** 400 `license_error` for a site that the license's lists refuse; whether one of them says that it is local. */
export async function refuseSite(ctx: ReadContext, license: LicenseRow, { host }: Place): Promise<boolean> {
  const sites = await sitesOfLicense(ctx.db, { id: license.id })
  const fits = (kind: string) =>
    sites.some((site) => site.kind === kind && host !== null && fitsPattern(host, site.pattern))
  const isLimited = sites.some(({ kind }) => kind === 'allow')
  if (fits('deny') || (isLimited && !fits('allow'))) {
    throw invalid('license_error', 'The owner of this license does not let it be used on this site.')
  }
  return fits('local')
}

/**
 * Takes a place of a license unless it is used up (400 `license_utilized`): one statement decides. What is
 * covered needs none, and what stays `inPlace` takes the one it had. The license as it is then.
 */
export async function countOrRefuse(
  ctx: TxContext,
  license: LicenseRow,
  as: CountedAs,
  { inPlace = false } = {},
): Promise<LicenseRow> {
  if (as === 'covered') return license
  if (inPlace) {
    await changeCounts(
      ctx.db,
      license.id,
      as === 'local' ? { production: 0, local: 1 } : { production: 1, local: 0 },
    )
    return license
  }
  const now = toUtcTime(ctx.clock.of(license.product_id, license.environment))
  const counted = await countActivation(ctx.db, license.id, as, now)
  if (counted) return counted
  throw utilized(license, await planOfLicense(ctx.db, license))
}

/** On how many sites a license is used, as an activation counts them. */
export const usedOf = ({
  activated,
  activated_local: local,
  is_free_localhost: isFree,
}: LicenseRow): number => activated + (isFree ? 0 : local)

const utilized = ({ quota }: LicenseRow, plan: PlanOfLicense) =>
  invalid(
    'license_utilized',
    `The license is activated on the maximum of ${quota} ${unitsOf(plan)}: the limit has been reached.`,
  )

/** Clients read this of a refusal; it stays where a product counts in no unit of its own, or in sites. */
const SITES = 'production site(s)'

/** What a product counts its licenses in, as a seller calls it (`device(s)`). */
function unitsOf({ selling_unit_singular: singular }: PlanOfLicense): string {
  return /^(?:unit|site)$/i.test(singular) ? SITES : `${singular.toLowerCase()}(s)`
}

/**
 * 400 `license_utilized` for a place that a license cannot have as it was read: told before anything is held, so
 * that a crowd on a license that is used up does not wait in line to hear it. `countOrRefuse` decides.
 */
export async function refuseUsedUp(ctx: ReadContext, license: LicenseRow, place: Place): Promise<void> {
  if (license.quota === null || usedOf(license) < license.quota) return
  const plan = await planOfLicense(ctx.db, license)
  const as = await countedAsOf(ctx, { license, plan }, place)
  if (as === 'production' || (as === 'local' && !license.is_free_localhost)) throw utilized(license, plan)
}

/**
 * Gives back the place of an install that has left a license or counts as something else on it now. What was only
 * covered by its domain is counted from now on. How many those are.
 */
export async function giveBack(ctx: TxContext, licenseId: number, was: CountedAs): Promise<number> {
  if (was === 'covered') return 0
  const uncovered = was === 'local' ? 0 : await uncover(ctx, licenseId)
  const place = was === 'local' ? { production: 0, local: -1 } : { production: uncovered - 1, local: 0 }
  await changeCounts(ctx.db, licenseId, place)
  return uncovered
}

/** Has those that nothing covers any more counted in full, a domain before what it covers itself. */
async function uncover(ctx: TxContext, licenseId: number): Promise<number> {
  const covered = await coveredInstalls(ctx.db, licenseId)
  if (covered.length === 0) return 0
  const above = new Map(covered.map(({ id, host }) => [id, host === null ? [] : domainsAbove(host)]))
  const counted = new Set<string>()
  for (const hosts of portions([...new Set([...above.values()].flat())])) {
    for (const host of await countedHosts(ctx.db, licenseId, hosts)) counted.add(host)
  }
  const uncovered: number[] = []
  for (const { id, host } of covered.toSorted((a, b) => depth(a.host) - depth(b.host))) {
    if (above.get(id)?.some((one) => counted.has(one))) continue
    uncovered.push(id)
    if (host !== null) counted.add(host)
  }
  for (const ids of portions(uncovered)) await countInFull(ctx.db, ids)
  return uncovered.length
}

const depth = (host: string | null): number => host?.split('.').length ?? 0

const portions = <T>(list: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(list.length / AT_ONCE) }, (_, index) =>
    list.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
  )

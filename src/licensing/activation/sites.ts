import { hold } from '../../db/hold.ts'
import type { ReadContext, TxContext } from '../../context.ts'
import { requireWhole, type Scope } from '../../access/scope.ts'
import { invalid, invalidFields, notFound } from '../../lib/errors.ts'
import type { EventType } from '../../db/tables/event-types.ts'
import { hostOf } from '../../lib/hosts.ts'
import { namesSitesAtWork } from '../installs/local-hosts.ts'
import { recordEvent } from '../../events/log/record.ts'
import type { LicenseRow } from '../licenses/schema.ts'
import { getLicense } from '../licenses/service.ts'
import { presentSite, type LicenseSite, type LicenseSiteCreate } from './sites-schema.ts'
import { deleteSite, insertSite, listSites } from './sites-queries.ts'

/** Entries that a license may have. */
const MAX_SITES = 200
/** Texts that a pattern may leave open. */
const MAX_OPEN = 3

/** The lists of sites of a license; 404 when the caller has no such license. */
export async function getSites(ctx: ReadContext, scope: Scope, licenseId: number): Promise<LicenseSite[]> {
  await getLicense(ctx, scope, licenseId)
  return (await listSites(ctx.db, scope, licenseId)).map(presentSite)
}

/**
 * Adds an entry to the lists of a license: it is asked at the next activation, and takes the license off nothing.
 * One that is there already stays as it is. 400 for what is no host; for a user also for local sites that do not
 * say by their names that they are, as any shop could be called local then and no quota would hold.
 */
export async function addSite(
  ctx: TxContext,
  scope: Scope,
  licenseId: number,
  { kind, pattern }: LicenseSiteCreate,
): Promise<LicenseSite> {
  const license = await held(ctx, scope, licenseId)
  const host = hostIn(pattern)
  if (kind === 'local' && scope.userId !== null && !namesSitesAtWork(host)) {
    throw refused('must name sites that are called dev, test, staging or alike')
  }
  const known = await listSites(ctx.db, scope, licenseId)
  const same = known.find((one) => one.kind === kind && one.pattern === host)
  if (same) return presentSite(same)
  if (known.length >= MAX_SITES) {
    throw invalid('license_sites_full', `The license has ${MAX_SITES} sites on its lists already.`)
  }
  const created = ctx.clock.now()
  const row = { product_id: license.product_id, license_id: licenseId, kind, pattern: host, created }
  const added = await insertSite(ctx.db, row)
  if (!added) throw new Error('The lists of a license that is held do not change.')
  await record(ctx, scope, { license, type: ADDED[kind], pattern: host })
  return presentSite(added)
}

/** Removes an entry from the lists of a license; 404 when the caller has no such license, or it no such entry. */
export async function removeSite(
  ctx: TxContext,
  scope: Scope,
  {
    license_id: licenseId,
    license_site_id: id,
  }: { readonly license_id: number; readonly license_site_id: number },
): Promise<void> {
  const license = await held(ctx, scope, licenseId)
  const removed = await deleteSite(ctx.db, scope, { id, licenseId })
  if (!removed) throw notFound('site')
  await record(ctx, scope, { license, type: REMOVED[removed.kind], pattern: removed.pattern })
}

/** Where a license may be used is said by its owner: who only knows its key would shut the owner out. */
async function held(ctx: TxContext, scope: Scope, id: number): Promise<LicenseRow> {
  const license = await hold(ctx.db, 'licenses', scope, id)
  if (!license) throw notFound('license')
  requireWhole(scope, 'The list of sites of a license')
  return license
}

function hostIn(pattern: string): string {
  const host = hostOf(pattern.trim())
  const isPattern = host !== null && /^[a-z0-9*._[\]:-]+$/.test(host)
  if (!isPattern || host.split('*').length > MAX_OPEN + 1) {
    throw refused(`must be a host, with at most ${MAX_OPEN} stars`)
  }
  return host
}

const refused = (message: string) => invalidFields([{ field: 'pattern', message }])

const ADDED: Readonly<Record<LicenseSite['kind'], EventType>> = {
  allow: 'license.site.whitelisted',
  deny: 'license.site.blacklisted',
  local: 'license.updated',
}

const REMOVED: Readonly<Record<LicenseSite['kind'], EventType>> = {
  allow: 'license.whitelisted_site.deleted',
  deny: 'license.blacklisted_site.deleted',
  local: 'license.updated',
}

const record = (
  ctx: TxContext,
  scope: Scope,
  {
    license,
    type,
    pattern,
  }: { readonly license: LicenseRow; readonly type: EventType; readonly pattern: string },
) =>
  recordEvent(ctx, scope, {
    type,
    environment: license.environment,
    ...(license.user_id !== null && { userId: license.user_id }),
    data: { license_id: String(license.id), site: pattern },
  })

import { pageReader, type Context, type ReadContext } from '../../context.ts'
import { businessTime } from '../../db/business-time.ts'
import type { Scope } from '../../access/scope.ts'
import { toUtcTime } from '../../lib/time.ts'
import { hashesOfKey } from './key.ts'
import { findLicenses, listLicenses, searchLicenses } from './list-queries.ts'
import type { LicenseList } from './list-schema.ts'
import type { LicenseRow } from './schema.ts'

/**
 * A page of licenses, newest first. A search finds a license by its id or its whole key; filters run beside the
 * requests, not between them.
 */
export async function getLicenses(
  ctx: ReadContext & Pick<Context, 'database'>,
  scope: Scope,
  { filter, plan_id: planId, source, search, count, offset }: LicenseList,
): Promise<LicenseRow[]> {
  const isNarrowed = filter !== undefined || planId !== undefined || source !== undefined
  if (search !== undefined) {
    const found = await searched(ctx, scope, search)
    return found.filter((row) => fits(ctx, row, { filter, planId, source })).slice(offset, offset + count)
  }
  if (!isNarrowed) return listLicenses(pageReader(ctx, { offset }), scope, { count, offset })
  const time = businessTime(ctx.clock, [scope.productId])
  return searchLicenses(ctx.database.background, scope, { filter, planId, source, time, count, offset })
}

const searched = (ctx: ReadContext, scope: Scope, search: string) =>
  findLicenses(ctx.db, scope, {
    ids: /^[1-9][0-9]{0,14}$/.test(search.trim()) ? [Number(search.trim())] : [],
    hashes: hashesOfKey(search, ctx.keys),
  })

type Filters = Pick<Parameters<typeof searchLicenses>[2], 'filter' | 'planId' | 'source'>

/** The filters of `searchLicenses` on the few that a search found. */
function fits({ clock }: ReadContext, row: LicenseRow, { filter, planId, source }: Filters): boolean {
  if (planId !== undefined && row.plan_id !== planId) return false
  if (source !== undefined && row.source !== source) return false
  const now = toUtcTime(clock.of(row.product_id, row.environment))
  const hasEnded = row.expiration !== null && row.expiration <= now
  const states = {
    active: row.is_cancelled === 0 && !hasEnded,
    expired: row.is_cancelled === 0 && hasEnded,
    cancelled: row.is_cancelled === 1,
    abandoned: row.activated === 0 && row.activated_local === 0,
    migrated: row.is_brought === 1,
  }
  return filter === undefined || states[filter]
}

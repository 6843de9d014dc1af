import { pageReader, type Context, type ReadContext } from '../../context.ts'
import { businessTime } from '../../db/business-time.ts'
import type { Scope } from '../../access/scope.ts'
import { spanOf } from '../../lib/time-text.ts'
import { hashesOfKey } from './key.ts'
import { LICENSE } from './license.entity.ts'
import { countLicenses, findLicenses, listLicenses, searchLicenses } from './list-queries.ts'
import type { GoingOn } from '../../db/list-start.ts'
import type { LicenseList } from './list-schema.ts'
import type { LicenseRow } from './schema.ts'

/**
 * A page of licenses, newest first. A search finds a license by its id or its whole key; filters run beside the
 * requests, not between them.
 */
export async function getLicenses(
  ctx: ReadContext & Pick<Context, 'database'>,
  scope: Scope,
  query: LicenseList & GoingOn,
): Promise<LicenseRow[]> {
  const { filter, search, sort, count, offset, below } = query
  const equal = LICENSE.columns(LICENSE.read('filter', query))
  const found = search === undefined ? undefined : await searched(ctx, scope, search)
  if (found?.length === 0) return []
  const made = spanOf(query)
  if ((filter ?? made) === undefined && sort === '-id' && Object.keys(equal).length === 0) {
    return (
      found?.filter(({ id }) => id < (below ?? Infinity)).slice(offset, offset + count) ??
      listLicenses(pageReader(ctx, { offset }), scope, { count, offset, below })
    )
  }
  const db = found ? ctx.db : ctx.database.background
  return searchLicenses(db, scope, searchOf(ctx, scope, query, found))
}

/** How many licenses a list has, counted no further than its `count`. */
export async function totalOfLicenses(
  ctx: ReadContext & Pick<Context, 'database'>,
  scope: Scope,
  query: LicenseList,
): Promise<number> {
  const found = query.search === undefined ? undefined : await searched(ctx, scope, query.search)
  if (found?.length === 0) return 0
  return countLicenses(ctx.database.background, scope, searchOf(ctx, scope, query, found))
}

const searchOf = (
  { clock }: ReadContext,
  { productId }: Scope,
  query: LicenseList & GoingOn,
  found: readonly LicenseRow[] | undefined,
) => ({
  filter: query.filter,
  equal: LICENSE.columns(LICENSE.read('filter', query)),
  ids: found?.map(({ id }) => id),
  made: spanOf(query),
  sort: query.sort,
  time: businessTime(clock, [productId]),
  count: query.count,
  offset: query.offset,
  below: query.below,
})

const searched = (ctx: ReadContext, scope: Scope, search: string) =>
  findLicenses(ctx.db, scope, {
    ids: /^[1-9][0-9]{0,14}$/.test(search.trim()) ? [Number(search.trim())] : [],
    hashes: hashesOfKey(search, ctx.keys),
  })

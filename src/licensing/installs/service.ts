import type { GoingOn } from '../../db/list-start.ts'
import { hold } from '../../db/hold.ts'
import { pageReader, type Context, type ReadContext, type TxContext } from '../../context.ts'
import { businessTime } from '../../db/business-time.ts'
import { productsOf } from '../../db/family.ts'
import { userKeysShownTo, type Scope } from '../../access/scope.ts'
import { notFound } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import { parseIdList } from '../../lib/id-list.ts'
import { hostOf } from '../../lib/hosts.ts'
import { spanOf } from '../../lib/time-text.ts'
import { parseNumberList } from '../../lib/number-list.ts'
import {
  countKept,
  countInstalls,
  listInstalls,
  type InstallSearch,
  type SearchedFor,
} from './list-queries.ts'
import type { CountFilter, InstallList, InstallsOfUser } from './list-schema.ts'
import { findInstall } from './install-rows.ts'
import { INSTALL } from './install.entity.ts'
import { presentInstall, type Install, type InstallRow } from './schema.ts'

type ListContext = ReadContext & Pick<Context, 'database'>

/** The install's row; 404 when the caller has no such install. */
export async function getInstall(ctx: ReadContext, scope: Scope, id: number): Promise<InstallRow> {
  const [install] = await findInstall(ctx.db, scope, { id })
  if (!install) throw notFound('install')
  return install
}

/** The install's row, held until the end of the transaction; 404 when the caller has no such install. */
export async function holdInstall(ctx: TxContext, scope: Scope, id: number): Promise<InstallRow> {
  const install = await hold(ctx.db, 'installs', scope, id)
  if (!install) throw notFound('install')
  return install
}

/** An install as this caller may see it: with its secret key unless the caller's role is limited. */
export const shownInstall = (ctx: ReadContext, scope: Scope, row: InstallRow): Install =>
  presentInstall(row, userKeysShownTo(scope, ctx.keys), scope)

/** A page of installs, newest first. What no index holds is looked for beside the requests. */
export async function getInstalls(
  ctx: ListContext,
  scope: Scope,
  query: InstallList & GoingOn,
): Promise<Install[]> {
  const { filter, title, search, version, reason_id: reasons } = query
  const wanted = await wantedOf(ctx, scope, query)
  const isLong = [title, search, reasons, version, wanted.made].some((one) => one !== undefined)
  const isJudged = filter === 'trial' || filter === 'paying'
  const db = isLong || isJudged ? ctx.database.background : pageReader(ctx, query)
  const rows = await listInstalls(db, scope, wanted, query)
  return rows.map((row) => shownInstall(ctx, scope, row))
}

/** How many installs a list has, counted no further than its `count`. */
export async function totalOfInstalls(ctx: ListContext, scope: Scope, query: InstallList): Promise<number> {
  return countKept(ctx.database.background, scope, await wantedOf(ctx, scope, query), query.count)
}

/** What a list of installs is narrowed by. */
async function wantedOf(ctx: ReadContext, scope: Scope, query: InstallList): Promise<InstallSearch> {
  const { filter, url, search, reason_id: reasons } = query
  const ids = query.ids ?? query.install_ids
  const { user_id: userId, ...equal } = INSTALL.read('filter', query)
  const productIds = await productsOf(ctx.db, scope)
  return {
    productIds,
    filter: filter === 'all' && reasons !== undefined ? 'uninstalled' : filter,
    withUninstalled: query.all || ids !== undefined,
    ids: whenGiven(ids, (text) => parseIdList(text) ?? []),
    userId,
    equal,
    host: whenGiven(url, (text) => hostOf(text) ?? ''),
    search: search === undefined || search.trim() === '' ? undefined : searchedFor(search),
    reasons: whenGiven(reasons, (text) => parseNumberList(text) ?? []),
    made: spanOf(query),
    sort: query.sort,
    time: businessTime(ctx.clock, productIds),
  }
}

/** A page of the installs of one user, newest first. */
export async function getInstallsOf(
  ctx: ListContext,
  scope: Scope,
  userId: number,
  query: InstallsOfUser,
): Promise<Install[]> {
  const wanted: InstallSearch = {
    ...anyOf(ctx, scope),
    userId,
    equal: INSTALL.read('filter', query),
    ids: whenGiven(query.install_ids, (text) => parseIdList(text) ?? []),
  }
  const rows = await listInstalls(pageReader(ctx, query), scope, wanted, query)
  return rows.map((row) => shownInstall(ctx, scope, row))
}

const anyOf = (ctx: ReadContext, { productId }: Scope) =>
  ({
    filter: 'all',
    withUninstalled: true,
    productIds: [productId],
    equal: {},
    time: businessTime(ctx.clock, [productId]),
  }) as const

/** How many installs a product has that are not uninstalled; counted beside the requests. */
export const getCount = async (
  ctx: ListContext,
  scope: Scope,
  { plan_id: planId, is_active: isActive }: CountFilter,
) => {
  const time = businessTime(ctx.clock, [scope.productId])
  return { count: await countInstalls(ctx.database.background, scope, { planId, isActive, time }) }
}

const whenGiven = <T>(text: string | undefined, read: (text: string) => T): T | undefined =>
  text === undefined ? undefined : read(text)

function searchedFor(given: string): SearchedFor {
  const text = given.trim()
  const isId = /^[1-9][0-9]{0,14}$/.test(text)
  return {
    part: fold(text),
    host: isId ? null : hostOf(text),
    siteId: isId ? Number(text) : undefined,
  }
}

/** Installs that are read at once. */
const TOGETHER = 500

/** The installs of a caller that are named, or else all of them, the earliest first. */
export async function getInstallsOfIds(
  ctx: ReadContext,
  scope: Scope,
  ids: string | undefined,
): Promise<InstallRow[]> {
  const named = { ...anyOf(ctx, scope), ids: whenGiven(ids, (text) => parseIdList(text) ?? []) }
  const rows: InstallRow[] = []
  let page: InstallRow[]
  do {
    page = await listInstalls(ctx.db, scope, named, { count: TOGETHER, offset: rows.length })
    rows.push(...page)
  } while (page.length === TOGETHER)
  return rows.toReversed()
}

import { sql, type SqlBool } from 'kysely'
import type { Reader } from '../../db/database.ts'
import { inList } from '../../db/in-list.ts'
import { fromNewest, listStart, type ListStart } from '../../db/list-start.ts'
import { scoped, unscoped, type Owner } from '../../db/scoped.ts'
import { escapeLike } from '../../lib/fold.ts'
import type { UtcTime } from '../../lib/time.ts'
import type { InstallFilter } from './list-schema.ts'

/** What a list keeps; undefined where nothing is asked for. */
export interface InstallSearch {
  readonly filter: InstallFilter
  /** Uninstalled ones too; the other filters say by themselves. */
  readonly withUninstalled: boolean
  readonly ids?: readonly number[] | undefined
  readonly userId?: number | undefined
  readonly licenseId?: number | undefined
  readonly planId?: number | undefined
  readonly version?: string | undefined
  readonly title?: string | undefined
  readonly host?: string | undefined
  /** Folded text that is part of a title or an address. */
  readonly part?: string | undefined
  /** The same text when it is an id. */
  readonly id?: number | undefined
  readonly reasons?: readonly number[] | undefined
  /** What is over by now is no trial. */
  readonly now: UtcTime
}

type Installs = ReturnType<typeof installs>

const installs = (db: Reader, owner: Owner) => scoped(db, 'installs', owner).select()

/** The states as their partial indexes say them: a parameter in place of 0 or 1 would not fit. */
const narrow: Record<InstallFilter, (query: Installs) => Installs> = {
  all: (query) => query,
  active: (query) => present(query).where((is) => is('is_active', '=', is.lit(1))),
  inactive: (query) => present(query).where((is) => is('is_active', '=', is.lit(0))),
  trial: (query) => query,
  paying: (query) => query.where('license_id', 'is not', null),
  uninstalled: (query) => query.where((is) => is('is_uninstalled', '=', is.lit(1))),
  active_premium: (query) => narrow.active(query).where((is) => is('is_premium', '=', is.lit(1))),
  active_free: (query) => narrow.active(query).where((is) => is('is_premium', '=', is.lit(0))),
}

const present = (query: Installs) => query.where((is) => is('is_uninstalled', '=', is.lit(0)))

/** The ids of what a list keeps, in no order. */
function found(db: Reader, owner: Owner, search: InstallSearch) {
  const { ids, userId, licenseId, planId, host, version, title, reasons } = search
  let query = withoutUninstalled(narrow[search.filter](installs(db, owner)), search)
  if (search.filter === 'trial') query = query.where('id', 'in', onTrial(db, owner, search.now))
  if (ids !== undefined) query = query.where('id', 'in', inList(ids))
  if (userId !== undefined) query = query.where('user_id', '=', userId)
  if (licenseId !== undefined) query = query.where('id', 'in', licensedBy(db, licenseId))
  if (planId !== undefined) query = query.where('plan_id', '=', planId)
  if (host !== undefined) query = query.where('host', '=', host)
  if (version !== undefined) query = query.where('version', '=', version)
  if (title !== undefined) query = query.where('title', '=', title)
  if (reasons !== undefined) query = query.where('id', 'in', uninstalledFor(db, owner, reasons))
  return withPart(query, search)
}

/** Where something else is asked for too, its index is the better one: none fits a sum. */
function withoutUninstalled(query: Installs, search: InstallSearch): Installs {
  const { filter, withUninstalled, now: _, ...rest } = search
  if (filter === 'uninstalled' || withUninstalled) return query
  const isAlone = filter === 'all' && Object.values(rest).every((value) => value === undefined)
  return isAlone ? present(query) : query.where(sql<SqlBool>`is_uninstalled + 0 = 0`)
}

const onTrial = (db: Reader, owner: Owner, now: UtcTime) =>
  installs(db, owner).select('id').where('trial_ends', '>', now)

/** A license has few installs: found by it they are sorted, in the order of ids all licensed ones would be read. */
const licensedBy = (db: Reader, licenseId: number) =>
  unscoped(db, 'only which of the scoped installs they are')
    .selectFrom('installs')
    .select('id')
    .where('license_id', '=', licenseId)

function withPart(query: Installs, { part, id }: InstallSearch): Installs {
  if (part === undefined) return query
  const contains = sql<SqlBool>`search_folded like ${`%${escapeLike(part)}%`} escape '\\'`
  return query.where((or) => or.or([contains, ...(id === undefined ? [] : [or('id', '=', id)])]))
}

const uninstalledFor = (db: Reader, owner: Owner, reasons: readonly number[]) =>
  scoped(db, 'uninstalls', owner)
    .select()
    .select('install_id')
    .where('reason_id', 'in', inList(reasons))
    .where('install_id', 'is not', null)

/** The page of a list, newest first: what stands before it is skipped in an index. */
const pageOfInstalls = (
  db: Reader,
  owner: Owner,
  search: InstallSearch,
  { count, upTo, offset }: ListStart & { readonly count: number },
) =>
  installs(db, owner)
    .selectAll()
    .where(
      'id',
      'in',
      found(db, owner, search)
        .select('id')
        .where('id', '<=', upTo)
        .orderBy('id', 'desc')
        .limit(count)
        .offset(offset),
    )
    .orderBy('id', 'desc')

/** A page of installs, newest first. */
export async function listInstalls(
  db: Reader,
  owner: Owner,
  search: InstallSearch,
  { count, offset }: { readonly count: number; readonly offset: number },
) {
  const start = isEverything(search) ? await listStart(db, 'installs', owner, offset) : fromNewest(offset)
  return pageOfInstalls(db, owner, search, { count, ...start }).execute()
}

/** Whether nothing is asked for that would leave an install out. */
const isEverything = ({ filter, withUninstalled, now: _, ...rest }: InstallSearch) =>
  filter === 'all' && withUninstalled && Object.values(rest).every((value) => value === undefined)

/** How many installs there are that are not uninstalled. */
export async function countInstalls(
  db: Reader,
  owner: Owner,
  { planId, isActive }: { readonly planId: number | undefined; readonly isActive: boolean | undefined },
): Promise<number> {
  let query = present(installs(db, owner))
  if (planId !== undefined) query = query.where('plan_id', '=', planId)
  if (isActive !== undefined) query = query.where((is) => is('is_active', '=', is.lit(isActive ? 1 : 0)))
  const { count } = await query
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

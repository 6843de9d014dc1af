import { sql, type SqlBool } from 'kysely'
import { timeOfRow, type BusinessTime } from '../../db/business-time.ts'
import { countRows } from '../../db/count-rows.ts'
import type { Reader } from '../../db/database.ts'
import { literal } from '../../db/flags.ts'
import { inList } from '../../db/in-list.ts'
import { fromNewest, listStart, shownStart, type GoingOn, type ListStart } from '../../db/list-start.ts'
import { scoped, scopedIn, unscoped, type Owner } from '../../db/scoped.ts'
import { whereEqual } from '../../db/where-equal.ts'
import { escapeLike } from '../../lib/fold.ts'
import { newestBy, type ListSort } from '../../db/newest-by.ts'
import type { TimeSpan } from '../../lib/time-text.ts'
import type { InstallFilter } from './list-schema.ts'
import type { InstallRow } from './schema.ts'

/** What a list keeps; undefined where nothing is asked for. */
export interface InstallSearch {
  readonly filter: InstallFilter
  /** Uninstalled ones too; the other filters say by themselves. */
  readonly withUninstalled: boolean
  /** Of which products. */
  readonly productIds: readonly number[]
  readonly ids?: readonly number[] | undefined
  readonly userId?: number | undefined
  /** What their columns must have. */
  readonly equal: Partial<Pick<InstallRow, 'license_id' | 'plan_id' | 'version' | 'title' | 'environment'>>
  readonly host?: string | undefined
  readonly search?: SearchedFor | undefined
  readonly reasons?: readonly number[] | undefined
  readonly made?: TimeSpan | undefined
  readonly sort?: ListSort | undefined
  /** What is over by now is no trial, and does not pay. */
  readonly time: BusinessTime
}

/** A part of a domain, the ID of a site, or a part of what was said at an uninstall. */
export interface SearchedFor {
  /** Folded. */
  readonly part: string
  /** The domain of the same text, when it is an address. */
  readonly host: string | null
  /** The text when it is an id. */
  readonly siteId: number | undefined
}

type Installs = ReturnType<typeof installs>

const installs = (db: Reader, owner: Owner, productIds: readonly number[]) =>
  scopedIn(db, 'installs', owner, productIds).select()

/** Whether what is asked for has few installs and an index of its own: those of a user, or of the sandbox. */
const isOfFew = (owner: Owner, { userId, equal }: InstallSearch) =>
  userId !== undefined || owner.userId !== null || equal.environment === 1

type Flag = 'is_active' | 'is_premium' | 'is_uninstalled'

/**
 * A flag as the partial indexes of products say it, where a parameter in place of 0 or 1 would not fit; among few
 * installs, which have an index of their own, as an expression that fits none of them.
 */
type Where = (query: Installs, flag: Flag, value: boolean) => Installs
const ofProduct: Where = (query, flag, value) => query.where((is) => is(flag, '=', literal(value)))
const ofFew: Where = (query, flag, value) => query.where(sql<boolean>`${sql.ref(flag)} + 0`, '=', value)

const narrow: Record<InstallFilter, (query: Installs, where: Where) => Installs> = {
  all: (query) => query,
  active: (query, where) => where(where(query, 'is_uninstalled', false), 'is_active', true),
  inactive: (query, where) => where(where(query, 'is_uninstalled', false), 'is_active', false),
  trial: (query) => query,
  paying: (query) => query.where('license_id', 'is not', null),
  uninstalled: (query, where) => where(query, 'is_uninstalled', true),
  active_premium: (query, where) => where(narrow.active(query, where), 'is_premium', true),
  active_free: (query, where) => where(narrow.active(query, where), 'is_premium', false),
}

/** The ids of what a list keeps, in no order. */
function found(db: Reader, owner: Owner, search: InstallSearch) {
  const { ids, userId, host, reasons } = search
  const { license_id: licenseId, plan_id: planId, ...equal } = search.equal
  const where = isOfFew(owner, search) ? ofFew : ofProduct
  let query = whereEqual(inState(db, owner, search, where), 'installs', equal)
  query = NEWEST.between(query, readingOf(owner, search))
  if (ids !== undefined) query = query.where('id', 'in', inList(ids))
  if (userId !== undefined) query = query.where('user_id', '=', userId)
  if (licenseId) query = onLicense(db, query, licenseId, search)
  if (planId) {
    query = query.where(where === ofFew ? sql<number>`plan_id + 0` : 'plan_id', '=', planId)
  }
  if (host !== undefined) query = query.where('host', '=', host)
  if (reasons !== undefined) {
    query = query.where(
      'id',
      'in',
      uninstalls(db, owner, search.productIds).where('reason_id', 'in', inList(reasons)),
    )
  }
  return matching(db, owner, query, search)
}

function inState(db: Reader, owner: Owner, search: InstallSearch, where: Where): Installs {
  const query = narrow[search.filter](installs(db, owner, search.productIds), where)
  const shown = withoutUninstalled(query, search, where)
  if (search.filter === 'trial') return shown.where('id', 'in', onTrial(db, owner, search))
  return search.filter === 'paying' ? shown.where(({ exists }) => exists(paidFor(db, search))) : shown
}

/**
 * Where something else is asked for too, its index is the better one: none fits a sum. A search finds uninstalled ones
 * by what was said then.
 */
function withoutUninstalled(query: Installs, search: InstallSearch, where: Where): Installs {
  if (isWithUninstalled(search) || search.search) return query
  const { environment: _any, ...equal } = search.equal
  return (isAlone({ ...search, equal }) ? where : ofFew)(query, 'is_uninstalled', false)
}

const isWithUninstalled = ({ filter, withUninstalled }: InstallSearch) =>
  filter === 'uninstalled' || withUninstalled

/** Whether nothing is asked for but that uninstalled ones come, or do not. */
const isAlone = ({
  withUninstalled: _with,
  productIds: _of,
  time: _now,
  sort: _order,
  ...rest
}: InstallSearch) => {
  const { filter, equal, ...others } = rest
  const asked = [...Object.values(equal), ...Object.values(others)]
  return filter === 'all' && asked.every((value) => value === undefined)
}

const onTrial = (db: Reader, owner: Owner, { productIds, time }: InstallSearch) =>
  installs(db, owner, productIds).select('id').where('trial_ends', '>', timeOfRow('installs', time))

/** The license of an install, as far as somebody pays for it still. */
const paidFor = (db: Reader, { time }: InstallSearch) =>
  unscoped(db, 'on one of the scoped installs, whoever has it')
    .selectFrom('licenses')
    .select('licenses.id')
    .where(sql<SqlBool>`licenses.id = installs.license_id`)
    .where('licenses.is_trial', '=', false)
    .where('licenses.is_cancelled', '=', false)
    .where((or) =>
      or.or([
        or('licenses.expiration', 'is', null),
        or('licenses.expiration', '>', timeOfRow('licenses', time)),
      ]),
    )

/**
 * A license has few installs: in the order of ids all licensed ones would be read. PostgreSQL reads them newest first.
 * Those of a span are sorted by their time instead.
 */
const onLicense = (db: Reader, query: Installs, licenseId: number, { made }: InstallSearch) =>
  made ? query.where('license_id', '=', licenseId) : query.where('id', 'in', licensedBy(db, licenseId))

const licensedBy = (db: Reader, licenseId: number) =>
  unscoped(db, 'only which of the scoped installs they are')
    .selectFrom('installs')
    .select('id')
    .where('license_id', '=', licenseId)

function matching(db: Reader, owner: Owner, query: Installs, search: InstallSearch): Installs {
  if (!search.search) return query
  const { part, host, siteId } = search.search
  const like = sql<string>`${`%${escapeLike(part)}%`} escape '\\'`
  const said = uninstalls(db, owner, search.productIds).where(sql<SqlBool>`reason_folded like ${like}`)
  return query.where((is) =>
    is.or([
      is.and([
        is.or([
          sql<SqlBool>`host like ${like}`,
          ...(host === null ? [] : [is('host', '=', host)]),
          ...(siteId === undefined ? [] : [is('site_id', '=', siteId)]),
        ]),
        ...(isWithUninstalled(search) ? [] : [is('is_uninstalled', '=', false)]),
      ]),
      is.and([is('is_uninstalled', '=', true), is('id', 'in', said)]),
    ]),
  )
}

const uninstalls = (db: Reader, owner: Owner, productIds: readonly number[]) =>
  scopedIn(db, 'uninstalls', owner, productIds)
    .select()
    .select('install_id')
    .where('install_id', 'is not', null)

/** The page of a list, newest first: what stands before it is skipped in an index. */
export const pageOfInstalls = (
  db: Reader,
  owner: Owner,
  search: InstallSearch,
  { count, upTo, offset, below }: ListStart & GoingOn & { readonly count: number },
) => {
  const reading = { ...readingOf(owner, search), below }
  const page = found(db, owner, search).select('id').where('id', '<=', upTo).limit(count).offset(offset)
  const all = installs(db, owner, search.productIds).selectAll()
  return NEWEST.rows(all.where('id', 'in', NEWEST.ids(page, reading)), reading)
}

const readingOf = (owner: Owner, search: InstallSearch) => ({
  span: search.made,
  sort: search.sort,
  isOfFew: isOfFew(owner, search) || (search.ids ?? search.host ?? search.equal.license_id) !== undefined,
})

const NEWEST = newestBy('installs.id', 'installs.created')

/** A page of installs, newest first. */
export async function listInstalls(
  db: Reader,
  owner: Owner,
  search: InstallSearch,
  { count, offset, below }: GoingOn & { readonly count: number; readonly offset: number },
) {
  const startOf = search.withUninstalled ? listStart : shownStart
  const start =
    isAlone(search) && search.sort !== 'id'
      ? await startOf(db, 'installs', owner, { offset, below })
      : fromNewest(offset, below)
  return pageOfInstalls(db, owner, search, { count, below, ...start }).execute()
}

/** How many installs a list keeps, counted no further than `most`. */
export const countKept = (db: Reader, owner: Owner, search: InstallSearch, most: number) =>
  countRows(db, found(db, owner, search).select('id'), most)

interface Counted {
  readonly planId: number | undefined
  readonly isActive: boolean | undefined
  readonly time: BusinessTime
}

/** How many installs there are that are not uninstalled; of a plan those whose license of it has not expired. */
export async function countInstalls(
  db: Reader,
  owner: Owner,
  { planId, isActive, time }: Counted,
): Promise<number> {
  let query = ofProduct(installs(db, owner, [owner.productId]), 'is_uninstalled', false)
  if (isActive !== undefined) query = ofProduct(query, 'is_active', isActive)
  if (planId !== undefined) query = query.where('license_id', 'in', unexpiredOf(db, owner, planId, time))
  const { count } = await query
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

const unexpiredOf = (db: Reader, owner: Owner, planId: number, time: BusinessTime) =>
  scoped(db, 'licenses', owner)
    .select()
    .select('licenses.id')
    .where('licenses.plan_id', '=', planId)
    .where((or) =>
      or.or([
        or('licenses.expiration', 'is', null),
        or('licenses.expiration', '>', timeOfRow('licenses', time)),
      ]),
    )

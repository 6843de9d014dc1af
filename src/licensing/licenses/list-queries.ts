import { timeOfRow, type BusinessTime } from '../../db/business-time.ts'
import { countRows } from '../../db/count-rows.ts'
import type { Reader } from '../../db/database.ts'
import { literal } from '../../db/flags.ts'
import { fromNewest, listStart, type GoingOn, type ListStart } from '../../db/list-start.ts'
import { preparedFor } from '../../db/prepared.ts'
import { inList } from '../../db/in-list.ts'
import { scoped, unscoped, type Owner } from '../../db/scoped.ts'
import { newestBy, type ListSort } from '../../db/newest-by.ts'
import { whereEqual } from '../../db/where-equal.ts'
import type { TimeSpan } from '../../lib/time-text.ts'
import type { LicenseFilter } from './list-schema.ts'
import type { LicenseRow } from './schema.ts'

interface Page extends GoingOn {
  readonly count: number
  readonly offset: number
}

const NEWEST = newestBy('licenses.id', 'licenses.created')

/** Every license of the owner, newest first: the rows before the page are skipped in the index. */
export async function listLicenses(db: Reader, owner: Owner, { count, ...place }: Page) {
  return pageOfAll(db, owner, { count, ...(await listStart(db, 'licenses', owner, place)) })
}

const pageOfAll = preparedFor((db, owner, values: Pick<Page, 'count'> & ListStart) =>
  NEWEST.rows(whole(db, NEWEST.ids(page(db, owner, values)))),
)

/** The ids of a page; what is narrowed skips in the index of the filter. */
const page = (db: Reader, owner: Owner, { count, upTo, offset }: Pick<Page, 'count'> & ListStart) =>
  scoped(db, 'licenses', owner)
    .select()
    .select('licenses.id')
    .where('licenses.id', '<=', upTo)
    .limit(count)
    .offset(offset)

type PageQuery = ReturnType<typeof page>

const whole = (db: Reader, ids: PageQuery) =>
  unscoped(db, 'the ids are those of a scoped query')
    .selectFrom('licenses')
    .selectAll()
    .where('licenses.id', 'in', ids)

export interface LicenseSearch extends Page {
  readonly filter: LicenseFilter | undefined
  /** What their columns must have. */
  readonly equal: Partial<Pick<LicenseRow, 'user_id' | 'plan_id' | 'source' | 'environment'>>
  /** Of these alone. */
  readonly ids?: readonly number[] | undefined
  readonly made: TimeSpan | undefined
  readonly sort?: ListSort | undefined
  readonly time: BusinessTime
}

/**
 * A page of licenses with filters, as their indexes say them: a value in place of a literal would have each row looked
 * up. What has ended is told from `time`, so rows are passed over one by one: run it in the background.
 */
export const searchLicenses = (db: Reader, owner: Owner, search: LicenseSearch) =>
  pageOfLicenses(db, owner, search).execute()

export function pageOfLicenses(db: Reader, owner: Owner, search: LicenseSearch) {
  const reading = readingOf(search)
  return NEWEST.rows(whole(db, NEWEST.ids(narrowed(db, owner, search), reading)), reading)
}

const readingOf = ({ made, sort, below, ids, equal }: LicenseSearch) => ({
  span: made,
  sort,
  below,
  isOfFew: (ids ?? equal.user_id) !== undefined || equal.environment === 1,
})

/** How many licenses there are with filters, counted no further than `search.count`; run it in the background. */
export const countLicenses = (db: Reader, owner: Owner, search: LicenseSearch) =>
  countRows(db, narrowed(db, owner, search), search.count)

function narrowed(db: Reader, owner: Owner, search: LicenseSearch): PageQuery {
  const { filter, equal, ids: named, time, count, offset, below } = search
  let ids = whereEqual(page(db, owner, { count, ...fromNewest(offset, below) }), 'licenses', equal)
  if (named) ids = ids.where('licenses.id', 'in', inList(named))
  if (filter) ids = narrow[filter](ids, time)
  ids = NEWEST.between(ids, readingOf(search))
  return equal.source ? ids.where((is) => is('licenses.source', '>', is.lit(0))) : ids
}

/** Active, cancelled and expired have no license in common; abandoned ones are on no install. */
const narrow: Record<LicenseFilter, (query: PageQuery, time: BusinessTime) => PageQuery> = {
  active: (query, time) =>
    query
      .where((is) => is('licenses.is_cancelled', '=', literal(false)))
      .where((or) =>
        or.or([
          or('licenses.expiration', 'is', null),
          or('licenses.expiration', '>', timeOfRow('licenses', time)),
        ]),
      ),
  expired: (query, time) =>
    query
      .where((is) => is('licenses.is_cancelled', '=', literal(false)))
      .where('licenses.expiration', '<=', timeOfRow('licenses', time)),
  cancelled: (query) => query.where((is) => is('licenses.is_cancelled', '=', literal(true))),
  abandoned: (query) =>
    query
      .where((is) => is('licenses.activated', '=', is.lit(0)))
      .where((is) => is('licenses.activated_local', '=', is.lit(0))),
  migrated: (query) => query.where((is) => is('licenses.is_brought', '=', literal(true))),
}

/** Licenses of the owner by id or by the hashes of their keys, newest first. */
export function findLicenses(
  db: Reader,
  owner: Owner,
  { ids, hashes }: { readonly ids: readonly number[]; readonly hashes: readonly string[] },
) {
  return scoped(db, 'licenses', owner)
    .select()
    .selectAll()
    .where((or) =>
      or.or([
        ...(ids.length > 0 ? [or('licenses.id', 'in', inList(ids))] : []),
        ...(hashes.length > 0 ? [or('licenses.key_hash', 'in', hashes as string[])] : []),
      ]),
    )
    .orderBy('licenses.id', 'desc')
    .execute()
}

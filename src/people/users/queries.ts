import { sql, type Insertable, type Updateable } from 'kysely'
import { countRows } from '../../db/count-rows.ts'
import type { Reader, Writer } from '../../db/database.ts'
import { literal } from '../../db/flags.ts'
import { fromNewest, listStart, type GoingOn, type ListStart } from '../../db/list-start.ts'
import { preparedFor, preparedRow } from '../../db/prepared.ts'
import { scoped, scopedWrite, type Owner } from '../../db/scoped.ts'
import { newestBy, type ListSort } from '../../db/newest-by.ts'
import type { TimeSpan } from '../../lib/time-text.ts'
import type { ProductUsersTable, UsersTable } from '../../db/tables/users.ts'
import { escapeLike } from '../../lib/fold.ts'
import type { UserFilter } from './schema.ts'
import { users } from './user-rows.ts'

interface Page extends GoingOn {
  readonly count: number
  readonly offset: number
}

/** The ids of a page: the rows before it are skipped in the index of the filter. */
const page = (db: Reader, owner: Owner, { count, upTo, offset }: Pick<Page, 'count'> & ListStart) =>
  scoped(db, 'product_users', owner)
    .select()
    .select('product_users.user_id')
    .where('product_users.user_id', '<=', upTo)
    .limit(count)
    .offset(offset)

type PageQuery = ReturnType<typeof page>

const NEWEST = newestBy('product_users.user_id', 'product_users.created')

/** The filters as their indexes say them: a value in place of 0 would have each row looked up. */
const narrow: Record<UserFilter, (query: PageQuery) => PageQuery> = {
  all: (query) => query,
  never_paid: (query) => query.where((is) => is('gross', '=', is.lit(0))),
  paid: (query) => query.where((is) => is('gross', '>', is.lit(0))),
  paying: (query) => query.where((is) => is('is_paying', '=', literal(true))),
  beta: (query) => query.where((is) => is('is_beta', '=', literal(true))),
}

const listBy = (filter: UserFilter) =>
  preparedFor((db, owner, values: Pick<Page, 'count'> & ListStart) =>
    NEWEST.rows(withIds(db, owner, NEWEST.ids(narrow[filter](page(db, owner, values))))),
  )

const withIds = (db: Reader, owner: Owner, ids: PageQuery) =>
  users(db, owner).where('product_users.user_id', 'in', ids)

const lists = {
  all: listBy('all'),
  never_paid: listBy('never_paid'),
  paid: listBy('paid'),
  paying: listBy('paying'),
  beta: listBy('beta'),
} satisfies Record<UserFilter, unknown>

/** One page of a product's users by payment standing, newest first. */
export async function listUsers(
  db: Reader,
  owner: Owner,
  { filter, count, ...place }: Page & { readonly filter: UserFilter },
) {
  const start =
    filter === 'all'
      ? await listStart(db, 'product_users', owner, place)
      : fromNewest(place.offset, place.below)
  return lists[filter](db, owner, { count, ...start })
}

export interface UserSearch extends Page {
  readonly filter: UserFilter
  readonly emailFolded: string | undefined
  /** Folded text that is part of a name or an address. */
  readonly part: string | undefined
  /** The text when it is an id. */
  readonly id: number | undefined
  /** When they became users of the product. */
  readonly made: TimeSpan | undefined
  readonly sort?: ListSort | undefined
}

/** A page of users with an exact address or a part of a name or address; run it in the background. */
export const searchUsers = (db: Reader, owner: Owner, search: UserSearch) =>
  pageOfUsers(db, owner, search).execute()

export function pageOfUsers(db: Reader, owner: Owner, search: UserSearch) {
  const reading = readingOf(search)
  const rows = withIds(db, owner, NEWEST.ids(narrowed(db, owner, search), reading))
  return NEWEST.rows(rows.select('product_users.created as joined'), reading)
}

const readingOf = ({ made, sort, below, emailFolded }: UserSearch) => ({
  span: made,
  sort,
  below,
  isOfFew: emailFolded !== undefined,
})

/** How many such users there are, counted no further than `search.count`; run it in the background. */
export const countUsers = (db: Reader, owner: Owner, search: UserSearch) =>
  countRows(db, narrowed(db, owner, search), search.count)

function narrowed(db: Reader, owner: Owner, search: UserSearch): PageQuery {
  const { filter, emailFolded, part, id, count, offset, below } = search
  let found = narrow[filter](page(db, owner, { count, ...fromNewest(offset, below) }))
  if (emailFolded !== undefined) found = found.where('product_users.email_folded', '=', emailFolded)
  found = NEWEST.between(found, readingOf(search))
  if (part === undefined) return found
  const pattern = `%${escapeLike(part)}%`
  return found.where((or) =>
    or.or([
      contains('product_users.email_folded', pattern),
      contains('product_users.name_folded', pattern),
      ...(id === undefined ? [] : [or('product_users.user_id', '=', id)]),
    ]),
  )
}

const contains = (column: string, pattern: string) =>
  sql<boolean>`${sql.ref(column)} like ${pattern} escape '\\'`

/** Adds a person unless the account has one with this address; undefined then. */
export async function insertPerson(db: Writer, row: Insertable<UsersTable>) {
  const [inserted] = await insertingPerson(db, row, {})
  return inserted
}
const insertingPerson = preparedRow((db, row: Insertable<UsersTable>) =>
  db
    .insertInto('users')
    .values(row)
    .onConflict((conflict) => conflict.columns(['developer_id', 'email_folded']).doNothing())
    .returning('id'),
)

/** Makes a person a user of a product; false when it is one already. */
export async function linkPerson(db: Writer, row: Insertable<ProductUsersTable>): Promise<boolean> {
  return (await linking(db, row, {})).length > 0
}
const linking = preparedRow((db, row: Insertable<ProductUsersTable>) =>
  db
    .insertInto('product_users')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id'),
)

export const updatePerson = (db: Writer, owner: Owner, id: number, change: Updateable<UsersTable>) =>
  scopedWrite(db, 'users', owner).update().set(change).where('id', '=', id).execute()

import { batched, inOrder } from './batched.ts'
import { preparedList, preparedListFor } from './prepared-list.ts'
import { PostgresAdapter, sql, type RawBuilder, type Selectable, type SelectQueryBuilder } from 'kysely'
import type { Reader, Writer } from './database.ts'
import { prepared, preparedFor } from './prepared.ts'
import { scoped, unscoped, type Owner, type ScopedTable } from './scoped.ts'
import type { Tables } from './tables/tables.ts'

type TableWithId = { [T in keyof Tables]: Tables[T] extends { id: unknown } ? T : never }[keyof Tables]

type Row<T extends keyof Tables> = Selectable<Tables[T]>

/**
 * Lets a read of one table hold its rows until the end of the transaction: who else holds or changes one waits, and
 * who has waited reads it as it is then. On SQLite a transaction holds every row. Rows that refer to a held one can be
 * added meanwhile, as while it is changed.
 */
export const holding = <T extends keyof Tables, O>(
  db: Reader,
  query: SelectQueryBuilder<Tables, T, O>,
): SelectQueryBuilder<Tables, T, O> =>
  db.getExecutor().adapter instanceof PostgresAdapter ? query.forNoKeyUpdate() : query

/** Lets a read keep its rows from whoever `excludes` them until the end of the transaction, and from nobody else. */
export const keeping = <T extends keyof Tables, O>(
  db: Reader,
  query: SelectQueryBuilder<Tables, T, O>,
): SelectQueryBuilder<Tables, T, O> =>
  db.getExecutor().adapter instanceof PostgresAdapter ? query.forKeyShare() : query

/** As `holding`, after who keeps the rows (`keeping`), or has added some that refer to them, has ended. */
export const excluding = <T extends keyof Tables, O>(
  db: Reader,
  query: SelectQueryBuilder<Tables, T, O>,
): SelectQueryBuilder<Tables, T, O> =>
  db.getExecutor().adapter instanceof PostgresAdapter ? query.forUpdate() : query

/**
 * As `excluding`, as the end of a query that is text, in the order of `key`, so that no two transactions wait for each
 * other.
 */
export function heldUntilEnd(
  db: Reader,
  table: keyof Tables,
  key: readonly RawBuilder<unknown>[],
): RawBuilder<unknown> {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return sql``
  const order = key.length === 0 ? sql`` : sql`order by ${sql.join(key)}`
  return sql`${order} for update of ${sql.table(table)}`
}

type Id = { readonly id: number }
type Holding<A extends unknown[]> = (...args: [...A, Id]) => PromiseLike<object[]> | object[]

const inScopes = new Map<string, Holding<[Reader, Owner]>>()
const ofAnybody = new Map<string, Holding<[Reader]>>()

/**
 * Holds the row of a table by its id until the end of the transaction, and answers it as it is from then on; undefined
 * when `scope` has none. A text in the place of a scope says why the row may be anybody's, as in `unscoped`.
 */
export async function hold<T extends TableWithId>(
  db: Writer,
  table: T,
  scope: T extends ScopedTable ? Owner | string : string,
  id: number,
): Promise<Row<T> | undefined> {
  return (await holdOne(db, { table, scope, id })) as Row<T> | undefined
}

interface Holds {
  readonly table: TableWithId
  readonly scope: Owner | string
  readonly id: number
}

const holdOne = batched({
  alike: ({ table, scope }: Holds) => `${table} ${typeof scope === 'string' ? scope : nameOf(scope)}`,
  async one(db: Writer, { table, scope, id }): Promise<object | undefined> {
    const [row] =
      typeof scope === 'string'
        ? await holdingAnybodys(table, scope)(db, { id })
        : await holdingInScope(table as ScopedTable)(db, scope, { id })
    return row
  },
  async many(db, holds) {
    const ids = holds.map(({ id }) => id)
    const [first] = holds
    const rows = first ? await holdingMany(first)(db, ids) : []
    return inOrder(rows as Id[], ids, ({ id }) => id)
  },
})

const nameOf = ({ developerId, productId, userId, installId, reach }: Owner) =>
  [developerId, productId, userId, installId, reach?.of, reach?.id].join(' ')

const ofMany = new Map<TableWithId, (db: Writer, owner: Owner, ids: readonly number[]) => Promise<object[]>>()
const ofManyAnybodys = new Map<TableWithId, (db: Writer, ids: readonly number[]) => Promise<object[]>>()

/** In the order of their ids, so that no two transactions hold what the other one waits for. */
function holdingMany({ table, scope }: Holds): (db: Writer, ids: readonly number[]) => Promise<object[]> {
  if (typeof scope === 'string') {
    const known =
      ofManyAnybodys.get(table) ??
      preparedList((db, ids) => byIds(db, unscoped(db, scope).selectFrom(table), table, ids))
    ofManyAnybodys.set(table, known)
    return known
  }
  const of = table as ScopedTable
  const known =
    ofMany.get(table) ??
    preparedListFor((db, owner, ids) => byIds(db, scoped(db, of, owner).select(), table, ids))
  ofMany.set(table, known)
  return (db, ids) => known(db, scope, ids)
}

const byIds = (db: Reader, query: unknown, table: string, ids: number[]) =>
  holding(db, query as SelectQueryBuilder<Tables, 'licenses', object>)
    .selectAll()
    .where(`${table as 'licenses'}.id`, 'in', ids)
    .orderBy(`${table as 'licenses'}.id`)

/** A query by the name of its table; the types of one table stand for all. */
const byId = (db: Reader, query: unknown, table: string, { id }: Id) =>
  holding(db, query as SelectQueryBuilder<Tables, 'licenses', object>)
    .selectAll()
    .where(`${table as 'licenses'}.id`, '=', id)

function holdingInScope(table: ScopedTable): Holding<[Reader, Owner]> {
  const known = inScopes.get(table)
  if (known) return known
  const made = preparedFor((db, owner, of: Id) => byId(db, scoped(db, table, owner).select(), table, of))
  inScopes.set(table, made)
  return made
}

function holdingAnybodys(table: TableWithId, reason: string): Holding<[Reader]> {
  const known = ofAnybody.get(table)
  if (known) return known
  const made = prepared((db: Reader, of: Id) => byId(db, unscoped(db, reason).selectFrom(table), table, of))
  ofAnybody.set(table, made)
  return made
}

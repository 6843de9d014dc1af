import { PostgresAdapter, type Selectable, type SelectQueryBuilder } from 'kysely'
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
  const given: Owner | string = scope
  const rows =
    typeof given === 'string'
      ? await holdingAnybodys(table, given)(db, { id })
      : await holdingInScope(table as ScopedTable)(db, given, { id })
  return rows[0] as Row<T> | undefined
}

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

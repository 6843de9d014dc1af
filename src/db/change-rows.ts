import { sql, type RawBuilder, type Selectable, type Updateable, type UpdateQueryBuilder } from 'kysely'
import type { Writer } from './database.ts'
import { prepared } from './prepared.ts'
import { ofProduct, scopedWrite, unscoped, type Owner, type ScopedTable } from './scoped.ts'
import type { Tables } from './tables/tables.ts'

type Values = Readonly<Record<string, unknown>>

interface Changes<T extends ScopedTable, By extends keyof Tables[T] & string> {
  /** A column whose values are different in all rows. */
  readonly by: By
  /** Columns to which a value is added. */
  readonly adds?: readonly (keyof Updateable<Tables[T]> & string)[]
  /** What else must be true of a row. */
  readonly where?: RawBuilder<boolean>
}

/** What a statement is made of, but for its values. */
interface Shape {
  /** Columns that get the same value in all rows. */
  readonly same: readonly string[]
  /** Columns with a value for each row. */
  readonly own: readonly string[]
  readonly types: readonly string[]
  readonly count: number
}

/**
 * Prepares a change of rows of PostgreSQL, each of which gets values of its own, by one statement: those that were changed,
 * as they are then. All rows name the same columns (`namedBy`), and none is changed twice.
 */
export function changingRows<T extends ScopedTable, By extends keyof Tables[T] & string>(
  table: T,
  changes: Changes<T, By>,
): (
  db: Writer,
  scope: Owner | string,
  rows: readonly (Updateable<Tables[T]> & Pick<Selectable<Tables[T]>, By & keyof Selectable<Tables[T]>>)[],
) => Promise<Selectable<Tables[T]>[]> {
  const plans = new Map<string, ReturnType<typeof planOf>>()
  return async (db, scope, given) => {
    const distinct = new Set((given as readonly Values[]).map((row) => row[changes.by]))
    if (distinct.size < given.length) throw new Error('Changes of one row are done one after another.')
    const rows = padded(given as readonly Values[])
    const shape = shapeOf(rows, changes.by)
    const reason = typeof scope === 'string' ? scope : null
    const name = JSON.stringify([shape, reason])
    const plan = plans.get(name) ?? planOf(table, changes as never, { shape, reason })
    plans.set(name, plan)
    return (await plan(db, cellsOf(rows, shape, scope))) as Selectable<Tables[T]>[]
  }
}

/** To a power of two, with the last one, so that there are few different statements; a row is changed once. */
function padded(rows: readonly Values[]): readonly Values[] {
  const length = 2 ** Math.ceil(Math.log2(Math.max(1, rows.length)))
  return Array.from({ length }, (_, n) => rows[n] ?? rows.at(-1) ?? {})
}

function shapeOf(rows: readonly Values[], by: string): Shape {
  const [first = {}] = rows
  const columns = Object.keys(first).filter((column) => column !== by && first[column] !== undefined)
  const isSame = (column: string) => rows.every((row) => row[column] === first[column])
  const own = [by, ...columns.filter((column) => !isSame(column))]
  const types = own.map((column) => typeOf(rows.find((row) => row[column] !== null)?.[column]))
  return { same: columns.filter(isSame), own, types, count: rows.length }
}

/** The columns that a change gives a value, as rows that are changed by one statement have in common. */
export const namedBy = (change: object): string =>
  Object.entries(change)
    .flatMap(([column, value]) => (value === undefined ? [] : [column]))
    .join(' ')

/** A value that is alone in a list says no type by itself; the column takes it as its own. */
const typeOf = (value: unknown) => (['number', 'boolean'].includes(typeof value) ? 'bigint' : 'text')

function cellsOf(rows: readonly Values[], { same, own }: Shape, scope: Owner | string): Values {
  const cells: Record<string, unknown> = typeof scope === 'string' ? {} : { productId: scope.productId }
  for (const column of same) cells[cellOf(column, 0)] = rows[0]?.[column]
  rows.forEach((row, n) => {
    for (const column of own) cells[cellOf(column, n)] = row[column]
  })
  return cells
}

const cellOf = (column: string, n: number) => `${n} ${column}`

type AnyUpdate = UpdateQueryBuilder<Tables, 'subscriptions', 'subscriptions', object>

const planOf = (
  table: ScopedTable,
  { by, adds = [], where }: Changes<'subscriptions', 'id'>,
  { shape, reason }: { readonly shape: Shape; readonly reason: string | null },
) =>
  prepared((db: Writer, cells: Values) => {
    const { same, own, types, count } = shape
    const rows = Array.from(
      { length: count },
      (_, n) =>
        sql`(${sql.join(own.map((column, at) => sql`cast(${cells[cellOf(column, n)]} as ${sql.raw(types[at] ?? '')})`))})`,
    )
    const plus = (column: string, value: RawBuilder<unknown>) =>
      adds.some((one) => one === column) ? sql`${sql.ref(`${table}.${column}`)} + ${value}` : value
    const sets = [
      ...same.map((column) => [column, plus(column, sql`${cells[cellOf(column, 0)]}`)]),
      ...own.slice(1).map((column) => [column, plus(column, sql.ref(`given.${column}`))]),
    ]
    const update = (reason === null
      ? scopedWrite(db, table, ofProduct(cells['productId'] as number)).update()
      : unscoped(db, reason).updateTable(table)) as unknown as AnyUpdate
    const given = sql`(values ${sql.join(rows)})`.as(
      sql`given (${sql.join(own.map((column) => sql.ref(column)))})`,
    )
    const changed = update
      .from(given as never)
      .set(Object.fromEntries(sets) as never)
      .where(sql<boolean>`${sql.ref(`${table}.${by}`)} = ${sql.ref(`given.${by}`)}`)
      .returningAll(table as 'subscriptions')
    return where ? changed.where(where) : changed
  })

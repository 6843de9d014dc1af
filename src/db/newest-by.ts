import { sql, type RawBuilder } from 'kysely'
import type { MsSpan, TimeSpan } from '../lib/time-text.ts'

/** The oldest first, or the newest. */
export type ListSort = 'id' | '-id'

/** As `ListSort`, or by title. */
export type TitleSort = ListSort | 'title' | '-title'

type Column = string | RawBuilder<string>

/** In what the column of the time is written. */
type Span = TimeSpan | MsSpan

interface Comparable {
  where(column: Column, operator: '>=' | '<=', value: string | number): Comparable
}

interface Orderable {
  orderBy(column: Column, direction: 'asc' | 'desc'): Orderable
}

function whereBetween<Q>(query: Q, time: Column, span: Span | undefined): Q {
  let narrowed = query as Comparable
  if (span?.from !== undefined) narrowed = narrowed.where(time, '>=', span.from)
  if (span?.to !== undefined) narrowed = narrowed.where(time, '<=', span.to)
  return narrowed as Q
}

/** How a list is read. */
interface Reading {
  /** When its rows are from. */
  readonly span?: Span | undefined
  /** The id that it goes on below, when it is read to its end and not by pages. */
  readonly below?: number | undefined
  /** Whether it is narrowed to few rows that an index of their own has: SQLite would look for them in that of the span. */
  readonly isOfFew?: boolean
  /** The oldest first; absent: the newest, as what goes on below an id is. */
  readonly sort?: ListSort | undefined
}

const isByTime = ({ span, below }: Reading) => span !== undefined && below === undefined

/**
 * The order of a list, newest first unless it is sorted: by id; in a span by time, as an index has it, so that a page reads no rows beside
 * its own. `between` narrows to the span, `ids` orders the query that finds a page, `rows` the one that reads those ids.
 */
export function newestBy(id: string, time: string, form: 'text' | 'ms' = 'text') {
  // No index has it: to read a page in order SQLite would go through all rows of the product.
  const sorted = form === 'ms' ? sql<string>`${sql.ref(time)} + 0` : sql<string>`${sql.ref(time)} || ''`
  return {
    between: <Q>(query: Q, { span, isOfFew }: Reading): Q =>
      whereBetween(query, isOfFew ? sorted : time, span),

    ids: <Q>(query: Q, reading: Reading = {}): Q =>
      inOrder(query, isByTime(reading) ? [reading.isOfFew ? sorted : time, id] : [id], reading),

    rows: <Q>(query: Q, reading: Reading = {}): Q =>
      inOrder(query, isByTime(reading) ? [sorted, id] : [id], reading),
  }
}

function inOrder<Q>(query: Q, columns: readonly Column[], { sort, below }: Reading): Q {
  const direction = sort === 'id' && below === undefined ? 'asc' : 'desc'
  return columns.reduce((ordered, column) => ordered.orderBy(column, direction), query as Orderable) as Q
}

interface Short {
  readonly sort: TitleSort
  readonly made: TimeSpan | undefined
}

/**
 * The order of a list of tens of rows, which the database sorts, and its narrowing to a span: as `newestBy`, or by title,
 * whatever its case.
 */
export function shortList(table: 'products' | 'stores') {
  const id = `${table}.id`
  const newest = newestBy(id, `${table}.created`)
  return {
    between: <Q>(query: Q, { made }: Pick<Short, 'made'>): Q => newest.between(query, { span: made }),
    sorted<Q>(query: Q, { sort, made }: Short): Q {
      if (sort === 'id' || sort === '-id') return newest.rows(query, { span: made, sort })
      const title = sql<string>`lower(${sql.ref(`${table}.title`)})`
      return inOrder(query, [title, id], { sort: sort === 'title' ? 'id' : '-id' })
    },
  }
}

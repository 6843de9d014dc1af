import { sql, type RawBuilder } from 'kysely'
import type { TimeSpan } from '../lib/time-text.ts'

/** The oldest first, or the newest. */
export type ListSort = 'id' | '-id'

type Column = string | RawBuilder<string>

interface Comparable {
  where(column: Column, operator: '>=' | '<=', value: string): Comparable
}

interface Orderable {
  orderBy(column: Column, direction: 'asc' | 'desc'): Orderable
}

function whereBetween<Q>(query: Q, time: Column, span: TimeSpan | undefined): Q {
  let narrowed = query as Comparable
  if (span?.from !== undefined) narrowed = narrowed.where(time, '>=', span.from)
  if (span?.to !== undefined) narrowed = narrowed.where(time, '<=', span.to)
  return narrowed as Q
}

/** How a list is read. */
interface Reading {
  /** When its rows are from. */
  readonly span?: TimeSpan | undefined
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
export function newestBy(id: string, time: string) {
  // No index has it: to read a page in order SQLite would go through all rows of the product.
  const sorted = sql<string>`${sql.ref(time)} || ''`
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

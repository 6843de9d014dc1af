import { sql, type RawBuilder } from 'kysely'
import type { TimeSpan } from '../lib/time-text.ts'

interface Comparable {
  where(column: string, operator: '>=' | '<=', value: string): Comparable
}

interface Orderable {
  orderBy(column: string | RawBuilder<unknown>, direction: 'desc'): Orderable
}

/** Narrows a query to the rows whose `column` is in a span. */
export function whereBetween<Q>(query: Q, column: string, span: TimeSpan | undefined): Q {
  let narrowed = query as Comparable
  if (span?.from !== undefined) narrowed = narrowed.where(column, '>=', span.from)
  if (span?.to !== undefined) narrowed = narrowed.where(column, '<=', span.to)
  return narrowed as Q
}

/** How a list is read. */
interface Reading {
  /** When its rows are from. */
  readonly span?: TimeSpan | undefined
  /** The id that it goes on below, when it is read to its end and not by pages. */
  readonly below?: number | undefined
}

const isByTime = ({ span, below }: Reading) => (span?.from ?? span?.to) !== undefined && below === undefined

/**
 * The order of a list, newest first: by id; in a span by time, as an index has it, so that a page reads no rows beside
 * its own. `ids` orders the query that finds a page, `rows` the one that reads the rows of those ids.
 */
export const newestBy = (id: string, time: string) => ({
  ids: <Q>(query: Q, reading: Reading = {}): Q => inOrder(query, id, isByTime(reading) ? time : undefined),

  /** Sorted by an expression: to read a page in order SQLite would go through all rows of the product. */
  rows: <Q>(query: Q, reading: Reading = {}): Q =>
    inOrder(query, id, isByTime(reading) ? sql`${sql.ref(time)} || ''` : undefined),
})

function inOrder<Q>(query: Q, id: string, time: string | RawBuilder<unknown> | undefined): Q {
  const any = query as Orderable
  return (time === undefined ? any : any.orderBy(time, 'desc')).orderBy(id, 'desc') as Q
}

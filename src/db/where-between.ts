import type { TimeSpan } from '../lib/time-text.ts'

interface Comparable {
  where(column: string, operator: '>=' | '<=', value: string): Comparable
}

/**
 * Narrows a query to the rows whose `column` is in a span. Where no index has it, as when the rows of most lists were made,
 * they are passed over one by one: run it in the background.
 */
export function whereBetween<Q>(query: Q, column: string, span: TimeSpan | undefined): Q {
  let narrowed = query as Comparable
  if (span?.from !== undefined) narrowed = narrowed.where(column, '>=', span.from)
  if (span?.to !== undefined) narrowed = narrowed.where(column, '<=', span.to)
  return narrowed as Q
}

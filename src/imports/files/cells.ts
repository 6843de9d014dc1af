/**
 * How text of a row stands in a cell, so that it is read back as it was. The guard of `lib/csv` puts an apostrophe before
 * what a spreadsheet would take for a formula; whoever reads takes it off again, so what begins like a guarded text has
 * one more. An empty cell is null, and an apostrophe alone is an empty text.
 */
const GUARDED = /^'(?:$|[=+\-@\t\r'])/

/** The text of a cell, before `csvLine` guards it. */
export const cellOf = (value: unknown): unknown => {
  if (typeof value !== 'string') return value
  return value === '' || GUARDED.test(value) ? `'${value}` : value
}

/** What `cellOf` was given, of text; null of an empty cell. */
export const ofCell = (cell: string): string | null =>
  cell === '' ? null : GUARDED.test(cell) ? cell.slice(1) : cell

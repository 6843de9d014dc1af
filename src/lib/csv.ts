/** What a spreadsheet takes for the beginning of a formula, or skips before one. */
const FORMULA = /^[=+\-@\t\r]/
const QUOTED = /[",\r\n]/

/** What tells spreadsheets that a file is UTF-8; it stands before the first line. */
export const BYTE_ORDER_MARK = '\uFEFF'

/**
 * A line of CSV (RFC 4180), with its end. Text that a spreadsheet would take for a formula begins with an apostrophe
 * (`docs/security-checks.md` S25); numbers stand as they are, null is empty, lists and objects are JSON.
 */
export const csvLine = (cells: readonly unknown[]): string => `${cells.map(cellOf).join(',')}\r\n`

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const guarded = FORMULA.test(text) ? `'${text}` : text
  return QUOTED.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}

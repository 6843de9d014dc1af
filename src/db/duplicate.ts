/** PostgreSQL's `unique_violation`, and SQLite's for unique columns and primary keys. */
const POSTGRES = '23505'
const SQLITE = [2067, 1555]

/**
 * Whether a statement failed because another row has the same unique values. The transaction it stood in can
 * only be given up: throw a refusal from it.
 */
export function isDuplicate(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown }
  return code === POSTGRES || SQLITE.includes(Number(errcode))
}

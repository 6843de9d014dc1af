/** PostgreSQL's `unique_violation`, and SQLite's for unique columns and primary keys. */
const POSTGRES = '23505'
const SQLITE = [2067, 1555]

/** PostgreSQL's `foreign_key_violation`, and SQLite's. */
const POSTGRES_REFERENCE = '23503'
const SQLITE_REFERENCE = 787

/** Whether a statement failed because rows refer to what it removes, or it refers to what is gone; as above. */
export function isReferenced(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown }
  return code === POSTGRES_REFERENCE || errcode === SQLITE_REFERENCE
}

/**
 * Whether a statement failed because another row has the same unique values. The transaction it stood in can
 * only be given up: throw a refusal from it.
 */
export function isDuplicate(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown }
  return code === POSTGRES || SQLITE.includes(Number(errcode))
}

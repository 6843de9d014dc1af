import { sql } from 'kysely'
import type { Keyring } from '../lib/keyring.ts'
import type { Reader, Writer } from './database.ts'
import { placeOf, SEALED_COLUMNS } from './sealed-columns.ts'

/** A sealed text, and what the keyring calls the column it stands in. */
export interface Sealed {
  readonly sealed: string
  readonly place: string
}

/**
 * Columns that every database with a seller has, each row of which is sealed anew with another secret, and the
 * statement that answers the newest value as `sealed`, on both engines.
 */
export const PROBES = SEALED_COLUMNS.filter(({ table }) =>
  ['developers', 'stores', 'products'].includes(table),
).map((column) => ({
  table: column.table,
  place: placeOf(column),
  statement: `select "${column.column}" as sealed from "${column.table}" order by "${column.key}" desc limit 1`,
}))

/** Whether the secrets open the newest value of one of some columns at least, where there is any. */
export async function opensAny(db: Reader, keys: Keyring): Promise<boolean> {
  const newest: Sealed[] = []
  for (const { place, statement } of PROBES) {
    const { rows } = await sql.raw<{ sealed: string }>(statement).execute(db as Writer)
    newest.push(...rows.map(({ sealed }) => ({ sealed, place })))
  }
  return opensOne(keys, newest)
}

/** Whether the secrets open one of the newest values of the probed columns, or there is none. */
export const opensOne = (keys: Keyring, newest: readonly Sealed[]): boolean =>
  newest.length === 0 || newest.some((one) => opens(keys, one))

function opens(keys: Keyring, { sealed, place }: Sealed): boolean {
  try {
    keys.open(sealed, place)
    return true
  } catch {
    return false
  }
}

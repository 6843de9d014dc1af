import { sql } from 'kysely'
import type { Keyring } from '../lib/keyring.ts'
import type { Reader, Writer } from './database.ts'
import { placeOf, SEALED_COLUMNS } from './sealed-columns.ts'

/** Columns that every database with a seller has, and each row of which is sealed anew with another secret. */
const PROBED = SEALED_COLUMNS.filter(({ table }) => ['developers', 'stores', 'products'].includes(table))

/** Whether the secrets open the newest value of one of some columns at least, where there is any. */
export async function opensAny(db: Reader, keys: Keyring): Promise<boolean> {
  let isEmpty = true
  for (const probed of PROBED) {
    const { table, column, key } = probed
    const { rows } = await sql<{ sealed: string }>`
      select ${sql.ref(column)} as sealed from ${sql.table(table)} order by ${sql.ref(key)} desc limit 1`.execute(
      db as Writer,
    )
    const [row] = rows
    if (row && opens(keys, row.sealed, placeOf(probed))) return true
    isEmpty &&= row === undefined
  }
  return isEmpty
}

function opens(keys: Keyring, sealed: string, place: string): boolean {
  try {
    keys.open(sealed, place)
    return true
  } catch {
    return false
  }
}

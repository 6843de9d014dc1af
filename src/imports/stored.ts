import { LICENSE_KEY_PURPOSE, type Keyring } from '../lib/keyring.ts'
import type { Reader } from '../db/database.ts'
import type { Cells } from '../db/many-rows.ts'
import { fold } from '../lib/fold.ts'
import { foldedName } from '../people/users/names.ts'
import type { Kind, Value, Values } from './kinds/column.ts'
import { findPersons, type StoredRow } from './queries.ts'

/** A row of a table as files have it: secrets in clear, bytes as base64. */
export function fileRow({ columns }: Kind, stored: StoredRow, keys: Keyring): Values {
  const row: Record<string, Value> = {}
  for (const [name, column] of Object.entries(columns)) {
    const value = stored[name] ?? null
    if (value instanceof Uint8Array) row[name] = Buffer.from(value).toString('base64')
    else
      row[name] =
        column.type === 'secret' && typeof value === 'string' ? keys.open(value, column.place) : value
  }
  return row
}

/** What is made here of a row of a file and is looked for before it is written: folded texts, the hash of a key. */
export function madeOf({ made, name }: Kind, row: Values, keys: Keyring): Values {
  const values: Record<string, Value> = {}
  for (const column of made) {
    const make = MAKERS[`${name}.${column}`]
    if (make) values[column] = make(row, keys)
  }
  return values
}

const text = (value: Value | undefined) => String(value ?? '')

const MAKERS: Readonly<Record<string, (row: Values, keys: Keyring) => Value>> = {
  // An erased person has no address, and is told from others by its id.
  'users.email_folded': (row) => (row['email'] === '' ? `erased ${row['id']}` : fold(text(row['email']))),
  'coupons.code_folded': (row) => fold(text(row['code'])),
  'licenses.key_hash': (row, keys) => keys.keyedHash(text(row['secret_key']), LICENSE_KEY_PURPOSE),
  'uninstalls.reason_folded': (row) => fold(text(row['reason_info'])),
  'subscriptions.lease_until': () => 0,
  'subscriptions.fence': () => 0,
  'provisional_taxes.lease_until': () => 0,
  'provisional_taxes.fence': () => 0,
}

/** Marks of work that goes on here: a row that is changed keeps its own. */
const MARKS: ReadonlySet<string> = new Set(['lease_until', 'fence'])

/** The cells that a row is given that is here already. */
export const withoutMarks = ({ made }: Kind, cells: Cells): Cells =>
  Object.fromEntries(Object.entries(cells).filter(([name]) => !(made.includes(name) && MARKS.has(name))))

/** The cells of rows as their table has them: secrets sealed with the key of this server, the account's own id. */
export async function cellsOf(
  db: Reader,
  kind: Kind,
  rows: readonly Values[],
  { keys, developerId }: { readonly keys: Keyring; readonly developerId: number },
): Promise<Cells[]> {
  const ofAccount = kind.made.includes('developer_id') ? { developer_id: developerId } : {}
  const twins = kind.name === 'product_users' ? await twinsOf(db, rows) : null
  return rows.map((row) => ({
    ...stored(kind, row, keys),
    ...madeOf(kind, row, keys),
    ...ofAccount,
    ...twins?.get(Number(row['user_id'])),
  }))
}

function stored({ columns }: Kind, row: Values, keys: Keyring): Cells {
  const cells: Record<string, Cells[string]> = {}
  for (const [name, column] of Object.entries(columns)) {
    const value = row[name] ?? null
    if (typeof value === 'string' && column.type === 'secret') cells[name] = keys.seal(value, column.place)
    else
      cells[name] =
        typeof value === 'string' && column.type === 'bytes' ? Buffer.from(value, 'base64') : value
  }
  return cells
}

/** The folded address and name that a person's place in a product has beside the person. */
async function twinsOf(db: Reader, rows: readonly Values[]): Promise<ReadonlyMap<number, Cells>> {
  const persons = await findPersons(db, [...new Set(rows.map((row) => Number(row['user_id'])))])
  return new Map(
    persons.map(({ id, email_folded, first, last }) => [
      id,
      { email_folded, name_folded: foldedName({ first, last }) },
    ]),
  )
}

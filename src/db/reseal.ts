import { sql, type RawBuilder } from 'kysely'
import { SEALED, type Keyring } from '../lib/keyring.ts'
import type { Database, Reader, Writer } from './database.ts'
import { placeOf, type SealedColumn } from './sealed-columns.ts'

const BATCH = 200

type Key = number | string

interface SealedRow {
  readonly key: Key
  readonly sealed: string
  /** Null where the column has no hash beside it. */
  readonly hash: string | null
}

export interface Resealed {
  /** How many values are sealed with the current secret now that were not. */
  readonly resealed: number
  /** `table.column key` of each value that no known secret opens; it stays as it is. */
  readonly unreadable: readonly string[]
}

/**
 * Seals every value of a column with the current secret, and hashes it with it where it is found by its hash, in transactions of some hundred rows: broken
 * off anywhere it goes on at the next call, and a value that changes meanwhile is left to who changed it.
 */
export async function resealColumn(
  database: Database,
  column: SealedColumn,
  keys: Keyring,
): Promise<Resealed> {
  const unreadable: string[] = []
  let resealed = 0
  let last: Key | null = null
  do {
    const after: Key | null = last
    const batch: Batch = await database.transaction((db) => resealBatch(db, column, keys, after))
    resealed += batch.resealed
    unreadable.push(...batch.unreadable)
    last = batch.last
  } while (last !== null)
  return { resealed, unreadable }
}

interface Batch extends Resealed {
  /** Where the next one goes on; null when nothing is left. */
  readonly last: Key | null
}

async function resealBatch(
  db: Writer,
  column: SealedColumn,
  keys: Keyring,
  after: Key | null,
): Promise<Batch> {
  const rows = await rowsAfter(db, column, after)
  const unreadable: string[] = []
  let resealed = 0
  for (const row of rows) {
    const isSealed = keys.isCurrent(row.sealed)
    if (isSealed && !column.hash) continue
    const text = opened(keys, row.sealed, column)
    const hash = text === null ? null : hashOf(keys, column, text)
    if (text === null) unreadable.push(`${placeOf(column)} ${row.key}`)
    else if (isSealed && hash === row.hash) continue
    else if (await replace(db, column, row, { sealed: keys.seal(text, placeOf(column)), hash })) resealed++
  }
  const last = rows.length === BATCH ? (rows.at(-1)?.key ?? null) : null
  return { resealed, unreadable, last }
}

async function rowsAfter(db: Reader, sealed: SealedColumn, after: Key | null): Promise<readonly SealedRow[]> {
  const { table, column, key, hash } = sealed
  const { rows } = await sql<SealedRow>`
    select ${sql.ref(key)} as key, ${sql.ref(column)} as sealed, ${hash ? sql.ref(hash.column) : sql`null`} as hash
    from ${sql.table(table)}
    where ${isSealed(sealed)}
      ${after === null ? sql`` : sql`and ${sql.ref(key)} > ${after}`}
    order by ${sql.ref(key)} limit ${BATCH}`.execute(db as Writer)
  return rows
}

/** Of a column that has values in clear too, those that are sealed. */
const isSealed = ({ column, mayBeClear }: SealedColumn): RawBuilder<boolean> =>
  mayBeClear ? sql`${sql.ref(column)} like ${`${SEALED}________.%`}` : sql`${sql.ref(column)} is not null`

const hashOf = (keys: Keyring, { hash }: SealedColumn, text: string): string | null =>
  hash ? keys.keyedHash(text, hash.purpose) : null

async function replace(
  db: Writer,
  { table, column, key, hash }: SealedColumn,
  was: SealedRow,
  to: Pick<SealedRow, 'hash' | 'sealed'>,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update ${sql.table(table)}
    set ${sql.ref(column)} = ${to.sealed} ${hash ? sql`, ${sql.ref(hash.column)} = ${to.hash}` : sql``}
    where ${sql.ref(key)} = ${was.key} and ${sql.ref(column)} = ${was.sealed}`.execute(db)
  return numAffectedRows === 1n
}

function opened(keys: Keyring, sealed: string, column: SealedColumn): string | null {
  try {
    return keys.open(sealed, placeOf(column))
  } catch {
    return null
  }
}

/** How many values of a column are sealed with the secret of this `kid`. */
export async function countSealedWith(
  db: Reader,
  { table, column }: SealedColumn,
  kid: string,
): Promise<number> {
  const { rows } = await sql<{ found: number }>`
    select count(*) as found from ${sql.table(table)}
    where ${sql.ref(column)} like ${`${SEALED}${kid}.%`}`.execute(db as Writer)
  return rows[0]?.found ?? 0
}

/** The first and the last value of a column, to see whether they open and are found. */
export async function endsOf(db: Reader, sealed: SealedColumn) {
  const { table, column, key, hash } = sealed
  const end = (order: RawBuilder<unknown>) =>
    sql<Omit<SealedRow, 'key'>>`
    select ${sql.ref(column)} as sealed, ${hash ? sql.ref(hash.column) : sql`null`} as hash from ${sql.table(table)}
    where ${isSealed(sealed)} order by ${sql.ref(key)} ${order} limit 1`.execute(db as Writer)
  const [first, last] = [await end(sql`asc`), await end(sql`desc`)]
  return [...first.rows, ...last.rows]
}

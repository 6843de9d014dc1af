import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'
import type { EventRow } from './schema.ts'

/** Whose events are read in one order. */
export interface AccountEvents {
  readonly developerId: number
  readonly productIds: readonly number[]
  /** With what is about no product, as of the stores and the team. */
  readonly isWhole: boolean
}

/** SQLite takes 500 parts of a statement that are put together. */
const PARTS = 300

/**
 * Events after a place in the order of commits, in that order: of each product by its index, all by one statement, as
 * of one moment, so that none is passed that was committed meanwhile.
 */
export async function listAccountEventsAfter(
  db: Reader,
  of: AccountEvents,
  { after, count }: { readonly after: number; readonly count: number },
): Promise<EventRow[]> {
  const order = sql`order by seq limit ${count}`
  const parts = partsOf(
    of,
    (where) => sql`select * from (select * from events where ${where} and seq > ${after} ${order}) as part`,
  )
  const { rows } = await sql<EventRow>`select * from (${parts}) as parts ${order}`.execute(ofAccount(db))
  return rows
}

/** The place of the last event that has one; 0: there is none. */
export async function lastAccountSeq(db: Reader, of: AccountEvents): Promise<number> {
  const parts = partsOf(of, (where) => sql`select max(seq) as seq from events where ${where}`)
  const { rows } = await sql<{ seq: number | null }>`select max(seq) as seq from (${parts}) as parts`.execute(
    ofAccount(db),
  )
  return rows[0]?.seq ?? 0
}

const ofAccount = (db: Reader) => unscoped(db, 'the account and its products are those of the scope')

function partsOf(
  { developerId, productIds, isWhole }: AccountEvents,
  part: (where: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const places = [
    ...productIds.map((id) => sql`product_id = ${id}`),
    // Of no account is the number 0.
    sql`product_id is null and developer_id = ${isWhole ? developerId : 0}`,
  ]
  const chunks = Array.from({ length: Math.ceil(places.length / PARTS) }, (_, n) =>
    together(places.slice(n * PARTS, (n + 1) * PARTS).map(part)),
  )
  return chunks.length === 1
    ? (chunks[0] ?? sql``)
    : together(chunks.map((chunk) => sql`select * from (${chunk}) as chunk`))
}

const together = (parts: readonly RawBuilder<unknown>[]) => sql.join(parts, sql` union all `)

import { sql, type Insertable } from 'kysely'
import type { Writer } from '../../db/database.ts'
import { preparedRow, preparedRows } from '../../db/prepared.ts'
import { scopedWrite, type Owner } from '../../db/scoped.ts'
import type { PaymentsTable, PostingsTable } from '../../db/tables/payments.ts'

/** Adds a payment unless one with its id at the gateway is there; undefined then. */
export async function insertPayment(db: Writer, row: Insertable<PaymentsTable>) {
  const [inserted] = await inserting(db, row, {})
  return inserted
}
const inserting = preparedRow((db, row: Insertable<PaymentsTable>) =>
  db
    .insertInto('payments')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll(),
)

export const insertPostings = (db: Writer, rows: Insertable<PostingsTable>[]) => posting(db, rows, {})
const posting = preparedRows((db, rows: Insertable<PostingsTable>[]) =>
  db.insertInto('postings').values(rows),
)

interface Spent {
  readonly userId: number
  readonly installId: number | null
  /** Minor units, without tax. */
  readonly gross: number
}

/** Counts what a user spent in a product, also on its install. */
export async function countSpent(
  db: Writer,
  owner: Owner,
  { userId, installId, gross }: Spent,
): Promise<void> {
  await scopedWrite(db, 'product_users', owner)
    .update()
    .set({ gross: sql<number>`product_users.gross + ${gross}` })
    .where('product_users.user_id', '=', userId)
    .execute()
  if (installId === null) return
  await scopedWrite(db, 'installs', owner)
    .update()
    .set({ gross: sql<number>`installs.gross + ${gross}` })
    .where('installs.id', '=', installId)
    .execute()
}

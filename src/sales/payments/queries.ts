import { batched } from '../../db/batched.ts'
import { changingRows } from '../../db/change-rows.ts'
import type { PaymentRow } from './schema.ts'
import { sql, type Insertable } from 'kysely'
import type { Writer } from '../../db/database.ts'
import { preparedRows } from '../../db/prepared.ts'
import { scopedWrite, type Owner } from '../../db/scoped.ts'
import type { PaymentsTable, PostingsTable } from '../../db/tables/payments.ts'

/** Adds a payment unless one with its id at the gateway is there; undefined then. */
export const insertPayment = batched({
  async one(db: Writer, row: Insertable<PaymentsTable>): Promise<PaymentRow | undefined> {
    const [inserted] = await inserting(db, [row], {})
    return inserted
  },
  async many(db, rows) {
    const inserted = await inserting(db, rows, {})
    if (inserted.length < rows.length)
      throw new Error('Which of the payments is known is found out one by one.')
    return inserted
  },
})
const inserting = preparedRows((db, rows: Insertable<PaymentsTable>[]) =>
  db
    .insertInto('payments')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll(),
)

export const insertPostings = batched({
  async many(db: Writer, lists: readonly (readonly Insertable<PostingsTable>[])[]): Promise<unknown[]> {
    await posting(db, lists.flat(), {})
    return []
  },
})
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
  await addSpent(db, { owner, userId, gross })
  if (installId === null) return
  await scopedWrite(db, 'installs', owner)
    .update()
    .set({ gross: sql<number>`installs.gross + ${gross}` })
    .where('installs.id', '=', installId)
    .execute()
}

const addSpent = batched({
  alike: ({ owner }: Spending) => String(owner.productId),
  one: (db: Writer, { owner, userId, gross }): Promise<unknown> =>
    scopedWrite(db, 'product_users', owner)
      .update()
      .set({ gross: sql<number>`product_users.gross + ${gross}` })
      .where('product_users.user_id', '=', userId)
      .execute(),
  async many(db, all) {
    const [first] = all
    const sums = new Map<number, number>()
    for (const { userId, gross } of all) sums.set(userId, (sums.get(userId) ?? 0) + gross)
    const rows = [...sums].map(([user_id, gross]) => ({ user_id, gross }))
    if (first)
      await addingSpent(
        db,
        first.owner,
        rows.toSorted((a, b) => a.user_id - b.user_id),
      )
    return []
  },
})

interface Spending extends Pick<Spent, 'userId' | 'gross'> {
  readonly owner: Owner
}

const addingSpent = changingRows('product_users', { by: 'user_id', adds: ['gross'] })

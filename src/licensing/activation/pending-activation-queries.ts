import type { Insertable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'
import type { PendingActivationsTable } from '../../db/tables/licenses.ts'
import type { UtcTime } from '../../lib/time.ts'

const BY_TOKEN = 'the token of a mailed link is the proof'

export const insertPending = (db: Writer, row: Insertable<PendingActivationsTable>) =>
  db.insertInto('pending_activations').values(row).execute()

/** A link that can still be used, with the product and the person it is for, where one was known. */
export const findPending = (db: Reader, tokenHash: string, now: UtcTime) =>
  unscoped(db, BY_TOKEN)
    .selectFrom('pending_activations')
    .innerJoin('products', 'products.id', 'pending_activations.product_id')
    .leftJoin('users', 'users.id', 'pending_activations.user_id')
    .select([
      'pending_activations.id',
      'pending_activations.product_id',
      'pending_activations.user_id',
      'pending_activations.work',
      'products.developer_id',
      'products.title',
      'users.email',
    ])
    .where('pending_activations.token_hash', '=', tokenHash)
    .where('pending_activations.used_at', 'is', null)
    .where('pending_activations.expires_at', '>', now)
    .executeTakeFirst()

/** Uses a link up; false when somebody has. One statement, so it works once. */
export async function usePending(db: Writer, id: number, now: UtcTime): Promise<boolean> {
  const { numUpdatedRows } = await unscoped(db, BY_TOKEN)
    .updateTable('pending_activations')
    .set({ used_at: now })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

import type { Reader } from '../db/database.ts'
import { inList } from '../db/in-list.ts'
import { unscoped } from '../db/scoped.ts'

/** When the newest row of the audit log was written, milliseconds since the epoch; null while it is empty. */
export async function newestAuditTime(db: Reader): Promise<number | null> {
  const row = await unscoped(db, 'the command line reads the log of the whole server')
    .selectFrom('audit_log')
    .select('at')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.at ?? null
}

const OF_SERVER = 'the state of the server is told to who runs it'

/** Whether this account has a store, and no other account has one. */
export async function isOnlySeller(db: Reader, developerId: number): Promise<boolean> {
  const rows = await unscoped(db, OF_SERVER)
    .selectFrom('developers')
    .select('id')
    .where('id', '=', developerId)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('stores').select('stores.id').where('stores.developer_id', '=', developerId)),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('stores').select('stores.id').where('stores.developer_id', '<>', developerId))),
    )
    .execute()
  return rows.length === 1
}

/** The recurring jobs of these names. */
export const jobsOf = (db: Reader, names: readonly string[]) =>
  unscoped(db, 'jobs are those of the server')
    .selectFrom('jobs')
    .selectAll()
    .where('name', 'in', inList(names))
    .orderBy('name')
    .execute()

/** So many are counted at the most. */
export const MOST = 10_000

const OF_ACCOUNT = 'what of an account waits, by its number'

/** What of an account waits: mails to be sent, those that were given up and are kept, and calls of listeners. */
export async function waitingOf(db: Reader, developerId: number) {
  const mails = (column: 'due_at' | 'keep_until') =>
    unscoped(db, OF_ACCOUNT)
      .selectFrom('mails')
      .select('id')
      .where('developer_id', '=', developerId)
      .where(column, 'is not', null)
      .limit(MOST)
      .execute()
  const deliveries = await unscoped(db, OF_ACCOUNT)
    .selectFrom('deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'deliveries.webhook_id')
    .innerJoin('products', 'products.id', 'webhooks.product_id')
    .select('deliveries.id')
    .where('products.developer_id', '=', developerId)
    .where('deliveries.due_at', 'is not', null)
    .limit(MOST)
    .execute()
  return {
    mails: (await mails('due_at')).length,
    failed: (await mails('keep_until')).length,
    deliveries: deliveries.length,
  }
}

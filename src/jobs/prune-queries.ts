import type { Writer } from '../db/database.ts'
import type { UtcTime } from '../lib/time.ts'

/** Removes up to `limit` access tokens that expired before `time`; returns how many. */
export const deleteAccessTokens = (db: Writer, time: UtcTime, limit: number): Promise<number> =>
  deleteExpired(db, 'access_tokens', { time, limit })

/** The same for the links that prove an address. */
export const deleteConfirmations = (db: Writer, time: UtcTime, limit: number): Promise<number> =>
  deleteExpired(db, 'email_confirmations', { time, limit })

async function deleteExpired(
  db: Writer,
  table: 'access_tokens' | 'email_confirmations',
  { time, limit }: { readonly time: UtcTime; readonly limit: number },
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom(table)
    .where('id', 'in', (select) =>
      select.selectFrom(table).select('id').where('expires_at', '<', time).orderBy('expires_at').limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

import type { Writer } from '../db/database.ts'
import type { UtcTime } from '../lib/time.ts'

/** Removes up to `limit` access tokens that expired before `time`; returns how many. */
export const deleteAccessTokens = (db: Writer, time: UtcTime, limit: number): Promise<number> =>
  deleteExpired(db, 'access_tokens', { time, limit })

/** The same for the links that prove an address. */
export const deleteConfirmations = (db: Writer, time: UtcTime, limit: number): Promise<number> =>
  deleteExpired(db, 'email_confirmations', { time, limit })

/** The same for the links by which members of a team choose a password. */
export const deleteInvitations = (db: Writer, time: UtcTime, limit: number): Promise<number> =>
  deleteExpired(db, 'member_invitations', { time, limit })

/** Removes up to `limit` sessions that ended by `now`, in milliseconds; returns how many. */
export async function deleteSessions(db: Writer, now: number, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('id', 'in', (select) =>
      select
        .selectFrom('sessions')
        .select('id')
        .where('expires_at', '<=', now)
        .orderBy('expires_at')
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Removes up to `limit` counts of failed logins of which the last was by `time`, in milliseconds. */
export async function deleteLoginFailures(db: Writer, time: number, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('login_failures')
    .where('key', 'in', (select) =>
      select
        .selectFrom('login_failures')
        .select('key')
        .where('last_at', '<=', time)
        .orderBy('last_at')
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Removes up to `limit` addresses of persons who last logged in from them by `time`, in milliseconds. */
export async function deleteLoginAddresses(db: Writer, time: number, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('login_addresses')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('person_id', 'address'),
        'in',
        selectFrom('login_addresses')
          .select(['person_id', 'address'])
          .where('last_at', '<=', time)
          .orderBy('last_at')
          .limit(limit)
          .$asTuple('person_id', 'address'),
      ),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

async function deleteExpired(
  db: Writer,
  table: 'access_tokens' | 'email_confirmations' | 'member_invitations',
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

import type { Insertable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'
import type { SessionsTable } from '../../db/tables/accounts.ts'
import { OWN } from './session-rows.ts'

export const insertSession = (db: Writer, row: Insertable<SessionsTable>) =>
  db.insertInto('sessions').values(row).returning('id').executeTakeFirstOrThrow()

export const findOwnSession = (db: Reader, id: number) =>
  unscoped(db, OWN)
    .selectFrom('sessions')
    .select(['token_hash', 'expires_at'])
    .where('id', '=', id)
    .executeTakeFirst()

/** The teams that a person has joined, by the account's number, with what it may do there. */
export const listTeamsOf = (db: Reader, personId: number) =>
  unscoped(db, OWN)
    .selectFrom('members')
    .innerJoin('developers', 'developers.id', 'members.developer_id')
    .select([
      'developers.id',
      'developers.first',
      'developers.last',
      'developers.email',
      'developers.public_key',
    ])
    .select(['members.role', 'members.can_refund'])
    .where('members.person_id', '=', personId)
    .where('members.accepted_at', 'is not', null)
    .orderBy('developers.id')
    .execute()

/** The sessions of a person that have not ended, the latest first. */
export const listSessions = (
  db: Reader,
  {
    personId,
    now,
    count,
    offset,
  }: {
    readonly personId: number
    readonly now: number
    readonly count: number
    readonly offset: number
  },
) =>
  unscoped(db, OWN)
    .selectFrom('sessions')
    .select(['id', 'created_at', 'expires_at', 'last_used_ip', 'last_used_agent', 'last_used_at'])
    .where('person_id', '=', personId)
    .where('expires_at', '>', now)
    .orderBy('id', 'desc')
    .limit(count)
    .offset(offset)
    .execute()

/** False when the person has no such session. */
export async function deleteSessionOf(db: Writer, personId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await unscoped(db, OWN)
    .deleteFrom('sessions')
    .where('person_id', '=', personId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export const deleteSession = (db: Writer, id: number) =>
  unscoped(db, OWN).deleteFrom('sessions').where('id', '=', id).execute()

import { sql } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'

export const OWN = "a person's own sessions"

/** Ends every session of a person but one, and with them the access tokens that were taken in any. */
export async function deleteOtherSessions(db: Writer, personId: number, kept: number): Promise<void> {
  await unscoped(db, OWN)
    .deleteFrom('sessions')
    .where('person_id', '=', personId)
    .where('id', '<>', kept)
    .execute()
  await unscoped(db, OWN).deleteFrom('access_tokens').where('person_id', '=', personId).execute()
}

/** A developer as it is shown, with its two-factor. */
export const findDeveloper = (db: Reader, id: number) =>
  unscoped(db, 'the person who is logged in')
    .selectFrom('developers')
    .leftJoin('two_factor', 'two_factor.person_id', 'developers.id')
    .select([
      'developers.id',
      'developers.email',
      'developers.first',
      'developers.last',
      'developers.picture',
      'developers.ip',
      'developers.is_verified',
      'developers.public_key',
      'developers.language',
      'developers.zone',
      'developers.created',
      'developers.updated',
      'two_factor.confirmed_at',
      sql<number>`(select coalesce(sum(earnings), 0) from products
        where products.developer_id = developers.id)`.as('earnings'),
    ])
    .where('developers.id', '=', id)
    .executeTakeFirst()

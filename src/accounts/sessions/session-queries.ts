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

export const deleteSession = (db: Writer, id: number) =>
  unscoped(db, OWN).deleteFrom('sessions').where('id', '=', id).execute()

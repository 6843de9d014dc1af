import type { Insertable } from 'kysely'
import type { Writer } from '../../db/database.ts'
import type { MembersTable } from '../../db/tables/accounts.ts'

/** Undefined when the person is in the team or invited already. */
export const insertMember = (db: Writer, row: Insertable<MembersTable>) =>
  db
    .insertInto('members')
    .values(row)
    .onConflict((conflict) => conflict.columns(['developer_id', 'person_id']).doNothing())
    .returning('id')
    .executeTakeFirst()

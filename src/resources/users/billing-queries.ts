import type { Insertable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'
import type { BillingTable } from '../../db/tables/billing.ts'

const OF_PERSON = 'one billing address a person; the caller has found the person in its scope'

export const findBilling = (db: Reader, userId: number) =>
  unscoped(db, OF_PERSON).selectFrom('billing').selectAll().where('user_id', '=', userId).executeTakeFirst()

/** Writes the whole address, whether or not there was one. */
export const putBilling = (db: Writer, row: Insertable<BillingTable>, updated: BillingTable['updated']) => {
  const { created: _created, user_id: _userId, ...address } = row
  return db
    .insertInto('billing')
    .values(row)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ ...address, updated }))
    .returningAll()
    .executeTakeFirstOrThrow()
}

import type { Insertable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'
import type { OwnReach } from '../../db/tables/reach.ts'
import type { BillingTable } from '../../db/tables/billing.ts'
import type { UserKeyBillingTable } from '../../db/tables/user-keys.ts'

const OF_PAIR = 'what the holder of the pair that calls has written'

/** What a caller of own reach, or the holder of the pair of an install that calls, wrote as its address. */
export const findBillingInReach = (db: Reader, { of, id }: OwnReach) => {
  const query = unscoped(db, OF_PAIR)
    .selectFrom('user_key_billing')
    .innerJoin('user_keys', 'user_keys.id', 'user_key_billing.user_key_id')
    .selectAll('user_key_billing')
  const column = of === 'pair' ? 'user_keys.id' : 'user_keys.install_id'
  return query.where(column, '=', id).executeTakeFirst()
}

export const putBillingOfPair = (
  db: Writer,
  row: Insertable<UserKeyBillingTable>,
  updated: BillingTable['updated'],
) => {
  const { created: _created, user_key_id: _pairId, ...address } = row
  return db
    .insertInto('user_key_billing')
    .values(row)
    .onConflict((conflict) => conflict.column('user_key_id').doUpdateSet({ ...address, updated }))
    .returningAll()
    .executeTakeFirstOrThrow()
}

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

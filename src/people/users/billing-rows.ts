import type { Reader } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'

const OF_PERSON = 'one billing address a person; the caller has found the person in its scope'

export const findBilling = (db: Reader, userId: number) =>
  unscoped(db, OF_PERSON).selectFrom('billing').selectAll().where('user_id', '=', userId).executeTakeFirst()

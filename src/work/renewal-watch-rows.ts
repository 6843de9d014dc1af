import type { Reader } from '../db/database.ts'
import { unscoped } from '../db/scoped.ts'

export const WATCH = 'renewals of every seller wait together'

/** Undefined until the jobs have run. */
export const findRenewalWatch = (db: Reader) =>
  unscoped(db, WATCH).selectFrom('renewal_watch').selectAll().where('id', '=', 1).executeTakeFirst()

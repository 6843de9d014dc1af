import type { Reader } from '../../db/database.ts'
import { inList } from '../../db/in-list.ts'
import { scoped, type Owner } from '../../db/scoped.ts'

/** The postings of some payments of the owner, payment by payment, in the order in which they were written. */
export const postingsOfPayments = (db: Reader, owner: Owner, ids: readonly number[]) =>
  scoped(db, 'postings', owner)
    .select()
    .select(['id', 'payment_id', 'account', 'amount', 'currency', 'created'])
    .where('payment_id', 'in', inList(ids))
    .orderBy('payment_id')
    .orderBy('id')
    .execute()

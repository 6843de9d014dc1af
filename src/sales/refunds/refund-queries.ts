import type { Reader } from '../../db/database.ts'
import { scoped, type Owner } from '../../db/scoped.ts'

/** The refund that became a payment, by its id. */
export const refundThatBecame = (db: Reader, owner: Owner, paymentId: number) =>
  scoped(db, 'charges', owner)
    .select()
    .selectAll()
    .where('charges.outcome_id', '=', paymentId)
    .where('charges.purpose', '=', 'refund')
    .executeTakeFirst()

import type { Reader, Writer } from '../../db/database.ts'
import { holding } from '../../db/hold.ts'
import { scoped, scopedWrite, type Owner } from '../../db/scoped.ts'
import type { UtcTime } from '../../lib/time.ts'

/** Whose refunds: those of a payment, or of a charge that became none. */
type Of = 'payment_id' | 'of_charge_id'

/** Holds refunds that are not decided until the end of the transaction, so that nobody takes them in hand. */
export const holdRefunds = (db: Writer, owner: Owner, of: Of, id: number) =>
  holding(
    db,
    scoped(db, 'charges', owner)
      .select()
      .selectAll()
      .where(`charges.${of}`, '=', id)
      .where('charges.purpose', '=', 'refund')
      .where('charges.state', 'in', ['started', 'pending']),
  ).execute()

/** Takes back that a refund was made, once; undefined when it is not taken for made. One statement decides. */
export const undoRefund = (
  db: Writer,
  owner: Owner,
  { id, at }: { readonly id: number; readonly at: UtcTime },
) =>
  scopedWrite(db, 'charges', owner)
    .update()
    .set({ state: 'declined', updated: at })
    .where('charges.id', '=', id)
    .where('charges.purpose', '=', 'refund')
    .where('charges.state', '=', 'settled')
    .returningAll()
    .executeTakeFirst()

/** Refunds that were asked for here, however they stand, in order. */
export const refundsOf = (db: Reader, owner: Owner, of: Of, id: number) =>
  scoped(db, 'charges', owner)
    .select()
    .selectAll()
    .where(`charges.${of}`, '=', id)
    .where('charges.purpose', '=', 'refund')
    .orderBy('charges.id')
    .execute()

import { sql } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { scoped, scopedWrite, type Owner } from '../../db/scoped.ts'
import type { UtcTime } from '../../lib/time.ts'

/** Holds refunds of a payment that are not decided until the end of the transaction, so that nobody takes them in hand. */
export const holdRefunds = (db: Writer, owner: Owner, paymentId: number) =>
  scopedWrite(db, 'charges', owner)
    .update()
    .set((eb) => ({ lease_until: eb.ref('charges.lease_until') }))
    .where('charges.payment_id', '=', paymentId)
    .where('charges.purpose', '=', 'refund')
    .where('charges.state', 'in', ['started', 'pending'])
    .returningAll()
    .execute()

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

/** The refund that became a payment, by its id. */
export const refundThatBecame = (db: Reader, owner: Owner, paymentId: number) =>
  scoped(db, 'charges', owner)
    .select()
    .selectAll()
    .where('charges.outcome_id', '=', paymentId)
    .where('charges.purpose', '=', 'refund')
    .executeTakeFirst()

/** The last refund of a payment that its buyer is owed, however it stands. */
export const lastOwedRefund = (db: Reader, owner: Owner, paymentId: number) =>
  scoped(db, 'charges', owner)
    .select()
    .selectAll()
    .where('charges.payment_id', '=', paymentId)
    .where(sql<boolean>`charges.is_owed = 1`)
    .orderBy('charges.id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The refunds of a charge that became no payment, the last first. */
export const refundsOfCharge = (db: Reader, owner: Owner, id: number) =>
  scoped(db, 'charges', owner)
    .select()
    .selectAll()
    .where('charges.of_charge_id', '=', id)
    .orderBy('charges.id', 'desc')
    .execute()

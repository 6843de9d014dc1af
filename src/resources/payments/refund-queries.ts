import type { Reader, Writer } from '../../db/database.ts'
import { scoped, scopedWrite, type Owner } from '../../db/scoped.ts'
import type { UtcTime } from '../../lib/time.ts'
import type { ChargeRow } from './charge-queries.ts'

/** Ends a refund that rests until a moment because its gateway refused it, once; false when somebody has it in hand. */
export async function endResting(
  db: Writer,
  owner: Owner,
  { id, restsUntil, at }: { readonly id: number; readonly restsUntil: number; readonly at: UtcTime },
): Promise<boolean> {
  const { numUpdatedRows } = await scopedWrite(db, 'charges', owner)
    .update()
    .set({ state: 'declined', settled_at: at, updated: at })
    .where('charges.id', '=', id)
    .where('charges.state', '=', 'pending')
    .where('charges.lease_until', '=', restsUntil)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

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
    .where('charges.purpose', '=', 'refund')
    .where('charges.details', 'like', '%"isOwed":true%')
    .orderBy('charges.id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The refunds of a charge that became no payment, the last first. */
export const refundsOfCharge = (
  db: Reader,
  owner: Owner,
  { id, product_id }: Pick<ChargeRow, 'id' | 'product_id'>,
) =>
  scoped(db, 'charges', owner)
    .select()
    .selectAll()
    .where('charges.product_id', '=', product_id)
    .where('charges.purpose', '=', 'refund')
    .where('charges.payment_id', 'is', null)
    .where((is) =>
      is.or([
        is('charges.key', '=', `refund:charge:${id}`),
        is('charges.key', 'like', `refund:charge:${id}:%`),
      ]),
    )
    .orderBy('charges.id', 'desc')
    .execute()

/** How often the tax of a payment was to be given back by itself. */
export async function countTaxRefunds(db: Reader, owner: Owner, paymentId: number): Promise<number> {
  const rows = await scoped(db, 'charges', owner)
    .select()
    .select('charges.id')
    .where('charges.payment_id', '=', paymentId)
    .where('charges.purpose', '=', 'refund')
    .where('charges.key', 'like', 'tax:%')
    .execute()
  return rows.length
}

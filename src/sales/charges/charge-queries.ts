import { sql } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { scoped, scopedWrite, type Owner } from '../../db/scoped.ts'
import type { ChargeRow } from './charge-rows.ts'

/** Gives back what the caller took in hand, unless somebody has it since, or it is decided. One statement decides. */
export const dropLease = (db: Writer, owner: Owner, taken: Pick<ChargeRow, 'id' | 'lease_until'>) =>
  scopedWrite(db, 'charges', owner)
    .update()
    .set({ lease_until: 0 })
    .where('charges.id', '=', taken.id)
    .where('charges.state', 'in', ['started', 'pending'])
    .where('charges.lease_until', '=', taken.lease_until)
    .execute()

/**
 * Opens a charge that was taken for declined or never made and is paid after all, once; undefined when it is not so.
 */
export const reopenCharge = (db: Writer, owner: Owner, id: number) =>
  scopedWrite(db, 'charges', owner)
    .update()
    .set({ state: 'pending' })
    .where('charges.id', '=', id)
    .where('charges.state', 'in', ['declined', 'unmade'])
    .returningAll()
    .executeTakeFirst()

/**
 * Takes back that a charge was opened again, in the transaction that has opened it; it is looked up at `lookAt` at the
 * latest.
 */
export const restoreState = (
  db: Writer,
  owner: Owner,
  { id, state }: Pick<ChargeRow, 'id' | 'state'>,
  lookAt: number,
) =>
  scopedWrite(db, 'charges', owner)
    .update()
    .set({ state, look_at: sql<number>`coalesce(charges.look_at, ${lookAt})` })
    .where('charges.id', '=', id)
    .execute()

/** Whether another charge of a subscription is not decided. */
export async function hasOtherOpen(
  db: Reader,
  owner: Owner,
  { id, subscription_id: subscriptionId }: Pick<ChargeRow, 'id' | 'subscription_id'>,
): Promise<boolean> {
  const found = await scoped(db, 'charges', owner)
    .select()
    .select('charges.id')
    .where('charges.subscription_id', '=', subscriptionId)
    .where('charges.purpose', '<>', 'refund')
    .where('charges.state', 'in', ['started', 'pending'])
    .where('charges.id', '<>', id)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Keeps the method of payment no longer that a charge was to be asked for with. */
export const forgetToken = (db: Writer, owner: Owner, id: number) =>
  scopedWrite(db, 'charges', owner).update().set({ token: null }).where('charges.id', '=', id).execute()

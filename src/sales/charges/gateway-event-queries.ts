import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { holding } from '../../db/hold.ts'
import { columnHasCome, dueWithin } from '../../db/has-come.ts'
import { inList } from '../../db/in-list.ts'
import { scoped, scopedWrite, unscoped, type Owner } from '../../db/scoped.ts'
import type { GatewayEventsTable } from '../../db/tables/payments.ts'
import { HOUR, type UtcTime } from '../../lib/time.ts'
import type { PaymentRow } from '../payments/schema.ts'
import { chargesAt, ALL } from './reported-charge-rows.ts'

export type GatewayEventRow = Selectable<GatewayEventsTable>

/** Takes an event; undefined when it was taken before. One statement decides. */
export const takeEvent = (db: Writer, row: Insertable<GatewayEventsTable>) =>
  unscoped(db, ALL)
    .insertInto('gateway_events')
    .values(row)
    .onConflict((known) => known.columns(['gateway', 'event_id']).doNothing())
    .returning(['id', 'created'])
    .executeTakeFirst()

/** What was charged under the key that it was asked for with, with whose it is. */
export const findChargeByKey = (db: Reader, gateway: string, key: string) =>
  chargesAt(db, gateway).where('charges.key', '=', key).executeTakeFirst()

/** What a gateway was paid in the sandbox since a time, by its ids, the last first. */
export const paidInSandbox = (
  db: Reader,
  gateway: string,
  { since, limit }: { readonly since: UtcTime; readonly limit: number },
) =>
  unscoped(db, ALL)
    .selectFrom('charges')
    .select('external_id')
    .where(sql<boolean>`environment = 1`)
    .where('settled_at', '>=', since)
    .where('gateway', '=', gateway)
    .where('state', '=', 'settled')
    .where('purpose', '<>', 'refund')
    .orderBy('settled_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** What was reported of a refund, as JSON. */
export const reportsOfRefund = (db: Reader, gateway: string, refundId: string) =>
  unscoped(db, ALL)
    .selectFrom('gateway_events')
    .select('report')
    .where('refund_id', '=', refundId)
    .where('gateway', '=', gateway)
    .execute()

/** Events that could not be taken yet and are looked at again; `now` is real time in milliseconds. */
export const waitingEvents = (db: Reader, now: number, limit: number) =>
  unscoped(db, ALL)
    .selectFrom('gateway_events')
    .selectAll()
    .where(columnHasCome('due_at', dueWithin(now, HOUR)))
    .orderBy('due_at')
    .orderBy('id')
    .limit(limit)
    .execute()

/** Holds an event that waits until the end of the transaction; undefined when somebody else took it meanwhile. */
export const holdEvent = (db: Writer, id: number, due: number) =>
  holding(
    db,
    unscoped(db, ALL).selectFrom('gateway_events').selectAll().where('id', '=', id).where('due_at', '=', due),
  ).executeTakeFirst()

/** When an event is looked at again, null: it was taken; and what of it is kept until then. */
export const changeEvent = (
  db: Writer,
  id: number,
  change: Pick<Updateable<GatewayEventsTable>, 'due_at' | 'report' | 'method'>,
) => unscoped(db, ALL).updateTable('gateway_events').set(change).where('id', '=', id).execute()

/** Has refunds that got no answer asked for again at once. */
export const wakeRefunds = (db: Writer, owner: Owner, ids: readonly number[]) =>
  scopedWrite(db, 'charges', owner)
    .update()
    .set({ lease_until: 0 })
    .where('charges.id', 'in', inList(ids))
    .where('charges.purpose', '=', 'refund')
    .where('charges.state', '=', 'pending')
    .execute()

/** The refund of a payment that its gateway knows by this id. */
export const findRefundAt = (db: Reader, owner: Owner, payment: PaymentRow, refundId: string) =>
  scoped(db, 'payments', owner)
    .select()
    .selectAll()
    .where('payments.bound_payment_id', '=', payment.id)
    .where('payments.type', '=', 'refund')
    .where('payments.external_id', '=', refundId)
    .executeTakeFirst()

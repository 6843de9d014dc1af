import { sql, type Insertable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { inList } from '../../db/in-list.ts'
import { preparedFor, preparedRow } from '../../db/prepared.ts'
import { scoped, scopedWrite, unscoped, type Owner } from '../../db/scoped.ts'
import type { DiscountsTable, PaymentMethodsTable } from '../../db/tables/payments.ts'
import type { PaidParts } from '../refunds/refunds.ts'
import type { UtcTime } from '../../lib/time.ts'

export const findPayment = preparedFor((db, owner, { id }: { id: number }) =>
  scoped(db, 'payments', owner).select().selectAll().where('payments.id', '=', id),
)

export const findPayments = (db: Reader, owner: Owner, ids: readonly number[]) =>
  scoped(db, 'payments', owner).select().selectAll().where('payments.id', 'in', inList(ids)).execute()

export const insertDiscounts = (db: Writer, rows: Insertable<DiscountsTable>[]) =>
  db.insertInto('discounts').values(rows).execute()

/**
 * Takes a part of what is left of a payment, so that nothing else gives it back too; undefined when so much is
 * not left. One statement decides.
 */
export const takeFromPayment = (
  db: Writer,
  owner: Owner,
  { id, gross, tax, updated }: PaidParts & { readonly id: number; readonly updated: UtcTime },
) =>
  scopedWrite(db, 'payments', owner)
    .update()
    .set({
      refunded_gross: sql<number>`payments.refunded_gross + ${gross}`,
      refunded_tax: sql<number>`payments.refunded_tax + ${tax}`,
      updated,
    })
    .where('payments.id', '=', id)
    .where('payments.type', '=', 'payment')
    .where(sql<boolean>`payments.refunded_gross + ${gross} <= payments.gross`)
    .where(sql<boolean>`payments.refunded_tax + ${tax} <= payments.tax`)
    .returningAll()
    .executeTakeFirst()

/** Puts back what was taken and not given back after all. */
export const returnToPayment = (
  db: Writer,
  owner: Owner,
  { id, gross, tax, updated }: PaidParts & { readonly id: number; readonly updated: UtcTime },
) =>
  scopedWrite(db, 'payments', owner)
    .update()
    .set({
      refunded_gross: sql<number>`payments.refunded_gross - ${gross}`,
      refunded_tax: sql<number>`payments.refunded_tax - ${tax}`,
      updated,
    })
    .where('payments.id', '=', id)
    .execute()

/** Has a dispute be more by what was missing of it; the parts are 0 where another row has them. */
export const raiseDisputed = (
  db: Writer,
  owner: Owner,
  {
    id,
    gross,
    tax,
    booked,
    updated,
  }: PaidParts & { readonly id: number; readonly booked: number; readonly updated: UtcTime },
) =>
  scopedWrite(db, 'payments', owner)
    .update()
    .set({
      gross: sql<number>`payments.gross - ${gross}`,
      tax: sql<number>`payments.tax - ${tax}`,
      refunded_gross: sql<number>`payments.refunded_gross - ${booked}`,
      updated,
    })
    .where('payments.id', '=', id)
    .where('payments.type', '=', 'disputed')
    .returningAll()
    .executeTakeFirstOrThrow()

/** What is bound to a payment: its refunds and disputes, in order. */
export const boundTo = (db: Reader, owner: Owner, id: number) =>
  scoped(db, 'payments', owner)
    .select()
    .selectAll()
    .where('payments.bound_payment_id', '=', id)
    .orderBy('payments.id')
    .execute()

/** What was taken off payments or subscriptions, which the caller was found to own. */
export const discountsOf = (db: Reader, type: 'payment' | 'subscription', ids: readonly number[]) =>
  unscoped(db, 'of rows that a scoped query has found')
    .selectFrom('discounts')
    .selectAll()
    .where('entity_type', '=', type)
    .where('entity_id', 'in', inList(ids))
    .orderBy('id')
    .execute()

/** Whether a license that the caller was found to own has had its coupon against cancelling. */
export async function hasRetention(db: Reader, licenseId: number): Promise<boolean> {
  const found = await unscoped(db, 'of rows that a scoped query has found')
    .selectFrom('discounts')
    .select('id')
    .where('license_id', '=', licenseId)
    .where('type', '=', 'subscription_cancellation')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Stores a method of payment. */
export async function insertMethod(db: Writer, row: Insertable<PaymentMethodsTable>) {
  const [inserted] = await storing(db, row, {})
  if (!inserted) throw new Error('An insert answers its id.')
  return inserted
}
const storing = preparedRow((db, row: Insertable<PaymentMethodsTable>) =>
  db.insertInto('payment_methods').values(row).returning('id'),
)

import type { Insertable, Selectable } from 'kysely'
import type { Writer } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'
import type { ProvisionalTaxesTable } from '../../db/tables/payments.ts'

export type ProvisionalTaxRow = Selectable<ProvisionalTaxesTable>

export const insertProvisionalTax = (db: Writer, row: Insertable<ProvisionalTaxesTable>) =>
  db.insertInto('provisional_taxes').values(row).execute()

/** Owes the tax of a payment that was taken for credited: it is given back at `due_at`, real time in milliseconds. */
export const oweTax = (
  db: Writer,
  paymentId: number,
  { due_at, updated }: Pick<ProvisionalTaxRow, 'due_at' | 'updated'>,
) =>
  unscoped(db, 'of a payment that the caller has found')
    .updateTable('provisional_taxes')
    .set({ state: 'owed', due_at, lease_until: 0, updated })
    .where('payment_id', '=', paymentId)
    .execute()

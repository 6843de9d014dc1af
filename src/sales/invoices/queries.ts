import type { Insertable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { prepared, preparedRows } from '../../db/prepared.ts'
import { notLeftAlone } from '../../db/failed-rows.ts'
import { scoped, unscoped, type Owner } from '../../db/scoped.ts'
import type { InvoiceNumbersTable, InvoicesTable } from '../../db/tables/invoices.ts'

export type Series = Omit<InvoiceNumbersTable, 'last'>

/**
 * Takes the next `count` numbers of a series; returns the last of them. One statement; others wait for its
 * transaction to end, and one that is undone puts its numbers back, so there is no gap.
 */
export async function takeNumbers(db: Writer, series: Series, count: number): Promise<number> {
  const { developer_id, environment, kind } = series
  const [taken] = await taking(db, { developer_id, environment, kind, count })
  if (!taken) throw new Error('An insert answers its row.')
  return taken.last
}
const taking = prepared(
  (db: Writer, { developer_id, environment, kind, count }: Series & { readonly count: number }) =>
    db
      .insertInto('invoice_numbers')
      .values({ developer_id, environment, kind, last: count })
      .onConflict((conflict) =>
        conflict
          .columns(['developer_id', 'environment', 'kind'])
          .doUpdateSet((eb) => ({ last: eb('invoice_numbers.last', '+', count) })),
      )
      .returning('last'),
)

export const insertInvoices = (db: Writer, rows: readonly Insertable<InvoicesTable>[]) =>
  inserting(db, rows, {})
const inserting = preparedRows((db, rows: Insertable<InvoicesTable>[]) =>
  db.insertInto('invoices').values(rows),
)

/** Of payments that a scoped query has found. */
export const findInvoice = (db: Reader, owner: Owner, paymentId: number) =>
  scoped(db, 'invoices', owner).select().selectAll().where('payment_id', '=', paymentId).executeTakeFirst()

const UNKEPT = 'work of the server, over all sellers'

/** Invoices that were issued before their content was kept and are not left alone at a real time, oldest first. */
export const unkeptInvoices = (db: Reader, now: number, limit: number) =>
  unscoped(db, UNKEPT)
    .selectFrom('invoices')
    .select(['id', 'developer_id', 'product_id', 'payment_id'])
    .where('content', 'is', null)
    .where(notLeftAlone('keep-invoices', now))
    .orderBy('id')
    .limit(limit)
    .execute()

/** Keeps what an invoice says, unless that is kept already. */
export const keepContent = (db: Writer, id: number, content: string) =>
  unscoped(db, UNKEPT)
    .updateTable('invoices')
    .set({ content })
    .where('id', '=', id)
    .where('content', 'is', null)
    .execute()

/** What the invoice of a payment says, as it was kept; null: there is none. */
export async function contentOf(db: Reader, paymentId: number): Promise<string | null> {
  const row = await unscoped(db, 'the payment that a caller takes back')
    .selectFrom('invoices')
    .select('content')
    .where('payment_id', '=', paymentId)
    .executeTakeFirst()
  return row?.content ?? null
}

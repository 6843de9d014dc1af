import type { Insertable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { notLeftAlone } from '../../db/failed-rows.ts'
import { inList } from '../../db/in-list.ts'
import { prepared } from '../../db/prepared.ts'
import { scoped, unscoped, type Owner } from '../../db/scoped.ts'
import type { InvoiceNumbersTable, InvoicesTable } from '../../db/tables/invoices.ts'

export type Series = Omit<InvoiceNumbersTable, 'last'>

/**
 * Takes the next `count` numbers of a series; returns the last of them. One statement; others wait for its
 * transaction to end, and one that is undone puts its numbers back, so there is no gap.
 */
export async function takeNumbers(db: Writer, series: Series, count: number): Promise<number> {
  const { last } = await db
    .insertInto('invoice_numbers')
    .values({ ...series, last: count })
    .onConflict((conflict) =>
      conflict
        .columns(['developer_id', 'environment', 'kind'])
        .doUpdateSet((eb) => ({ last: eb('invoice_numbers.last', '+', count) })),
    )
    .returning('last')
    .executeTakeFirstOrThrow()
  return last
}

export const insertInvoices = (db: Writer, rows: readonly Insertable<InvoicesTable>[]) =>
  db.insertInto('invoices').values(rows).execute()

/** Of payments that a scoped query has found. */
export const findInvoice = (db: Reader, owner: Owner, paymentId: number) =>
  scoped(db, 'invoices', owner).select().selectAll().where('payment_id', '=', paymentId).executeTakeFirst()

/** Those of payments that the caller has written. */
export const findInvoices = (db: Reader, paymentIds: readonly number[]) =>
  unscoped(db, 'payments that the caller has written')
    .selectFrom('invoices')
    .select(['payment_id', 'environment', 'kind', 'number'])
    .where('payment_id', 'in', inList(paymentIds))
    .execute()

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

const OF_PAYMENT = 'what a payment names that a scoped query has found'

const boughtBy = prepared((db, { paymentId }: { paymentId: number }) =>
  unscoped(db, OF_PAYMENT)
    .selectFrom('payments')
    .innerJoin('users', 'users.id', 'payments.user_id')
    .innerJoin('products', 'products.id', 'payments.product_id')
    .innerJoin('developers', 'developers.id', 'products.developer_id')
    .innerJoin('plans', 'plans.id', 'payments.plan_id')
    .leftJoin('pricing', 'pricing.id', 'payments.pricing_id')
    .leftJoin('payment_methods', 'payment_methods.id', 'payments.payment_method_id')
    .leftJoin('billing', 'billing.user_id', 'payments.user_id')
    .leftJoin('tax_settings', 'tax_settings.developer_id', 'products.developer_id')
    .select([
      'users.first as user_first',
      'users.last as user_last',
      'users.email as user_email',
      'products.title as product_title',
      'plans.title as plan_title',
      'pricing.id as priced',
      'pricing.licenses as licenses',
      'payment_methods.kind as method_kind',
      'payment_methods.brand as method_brand',
      'payment_methods.last4 as method_last4',
      'developers.first as seller_first',
      'developers.last as seller_last',
      'developers.email as seller_email',
      'tax_settings.legal_name as seller_name',
      'tax_settings.address as seller_address',
      'tax_settings.country as seller_country',
      'tax_settings.vat_id as seller_vat_id',
      'billing.business_name',
      'billing.first as billing_first',
      'billing.last as billing_last',
      'billing.tax_id',
      'billing.address_street',
      'billing.address_apt',
      'billing.address_city',
      'billing.address_country',
      'billing.address_country_code',
      'billing.address_state',
      'billing.address_zip',
    ])
    .where('payments.id', '=', paymentId),
)

/** Who bought what, as an invoice tells it; what was deleted since is null. */
export async function findBought(db: Reader, paymentId: number) {
  const [bought] = await boughtBy(db, { paymentId })
  if (!bought) throw new Error(`There is no payment ${paymentId}.`)
  return bought
}
export type Bought = Awaited<ReturnType<typeof findBought>>

import { batched, inOrder } from '../../db/batched.ts'
import { preparedList } from '../../db/prepared-list.ts'
import type { Reader } from '../../db/database.ts'
import { inList } from '../../db/in-list.ts'
import { unscoped } from '../../db/scoped.ts'

/** Those of payments that the caller has written. */
export const findInvoices = (db: Reader, paymentIds: readonly number[]) =>
  unscoped(db, 'payments that the caller has written')
    .selectFrom('invoices')
    .select(['payment_id', 'environment', 'kind', 'number'])
    .where('payment_id', 'in', inList(paymentIds))
    .execute()

const OF_PAYMENT = 'what a payment names that a scoped query has found'

const boughtBy = preparedList((db, paymentIds) =>
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
      'payments.id as payment_id',
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
    .where('payments.id', 'in', paymentIds),
)

/** Who bought what, as an invoice tells it; what was deleted since is null. */
export async function findBought(db: Reader, paymentId: number): Promise<Bought> {
  const bought = await findOne(db, paymentId)
  if (!bought) throw new Error(`There is no payment ${paymentId}.`)
  return bought
}

const findOne = batched({
  many: async (db: Reader, ids: readonly number[]) =>
    inOrder(await boughtBy(db, ids), ids, ({ payment_id: id }) => id),
})
export type Bought = Awaited<ReturnType<typeof boughtBy>>[number]

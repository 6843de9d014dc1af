import { prepared } from '../../db/prepared.ts'
import { unscoped } from '../../db/scoped.ts'

/** What the page of a checkout says of a product, whoever opens it; whom a buyer writes to is of the product, else of its store. */
export const findCheckoutProduct = prepared((db, { productId }: { readonly productId: number }) =>
  unscoped(db, 'whoever knows a product may buy it')
    .selectFrom('products')
    .leftJoin('email_addresses as own', 'own.product_id', 'products.id')
    .leftJoin('email_addresses as inherited', (join) =>
      join
        .on((on) => on('inherited.store_id', '=', on.fn.coalesce('own.store_id', 'products.store_id')))
        .on('inherited.product_id', 'is', null),
    )
    .select([
      'products.id',
      'products.public_key',
      'products.title',
      'products.type',
      'products.icon',
      'products.is_active',
      'products.is_released',
      'products.plans',
      'products.features',
      'products.default_plan_id',
      'products.money_back_period',
      'products.refund_policy',
      'products.is_consumptive_usage',
      'products.selling_unit_singular',
      'products.selling_unit_plural',
      'products.accepted_payments',
      'products.terms_url',
      'products.privacy_url',
      'products.embed_hosts',
      'products.checkout_accent',
      'products.checkout_logo_url',
      'products.keywright_badge',
      'products.catalogue_version',
    ])
    .select(({ fn }) =>
      fn.coalesce('products.support_email', 'own.support', 'inherited.support').as('support_email'),
    )
    .where('products.id', '=', productId),
)

export type CheckoutProductRow = Awaited<ReturnType<typeof findCheckoutProduct>>[number]

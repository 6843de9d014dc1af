import type { ReadContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { notFound } from '../../lib/errors.ts'
import type { Affiliation } from './affiliation-schema.ts'
import { findProduct } from './product-rows.ts'

/**
 * The terms of a product for affiliates: it has none, and says so in the words of a client whose page ends with an
 * error where there are no terms at all (`docs/interface.md` 4.7). 404 without a product.
 */
export async function getAffiliation({ db }: ReadContext, scope: Scope): Promise<Affiliation> {
  const [product] = await findProduct(db, scope, {})
  if (!product) throw notFound('product')
  return {
    id: String(product.id),
    created: product.created,
    updated: product.updated,
    plugin_id: String(product.id),
    is_active: false,
    type: 'affiliation',
    commission: 0,
    commission_type: 'percentage',
    commission_renewals_days: 0,
    future_payments_days: 0,
    cookie_days: 0,
    is_any_site_allowed: false,
  }
}

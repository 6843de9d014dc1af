import { readOperation, type AnyOperation } from '../../http/operation.ts'
import { PricingId } from '../../catalogue/plans/pricing-schema.ts'
import { PriceUse, PriceUseQuery } from './schema.ts'
import { useOfPrice } from './service.ts'

/** Ours: what a seller looks at before a price is changed. */
export const priceUseOperations: readonly AnyOperation[] = [
  readOperation({
    id: 'keywright/retrieve-price-use',
    summary: 'Count whom a change of a price concerns, and whom it does not',
    method: 'GET',
    path: '/plans/{plan_id}/pricing/{pricing_id}/use.json',
    scopes: ['product', 'developer', 'store'],
    access: 'catalogue.read',
    params: PricingId,
    query: PriceUseQuery,
    status: 200,
    response: PriceUse,
    handle: (ctx, { scope, params, query }) => useOfPrice(ctx, scope, params, query),
  }),
]

import { readOperation } from '../../http/operation.ts'
import { checkoutProduct, pageState } from './checkout-product.ts'
import { CheckoutProduct, CheckoutProductId, CheckoutProductQuery } from './checkout-product-schema.ts'

export const checkoutProductOperations = [
  readOperation({
    id: 'keywright/retrieve-checkout-product',
    summary: 'Retrieve what the page of a checkout shows of its product',
    method: 'GET',
    path: '/checkout/products/{product_id}.json',
    scopes: ['root'],
    caller: 'open',
    access: 'everybody',
    isForPages: true,
    params: CheckoutProductId,
    query: CheckoutProductQuery,
    status: 200,
    response: CheckoutProduct,
    state: (ctx, { params, query }) => pageState(ctx, params.product_id, query),
    handle: (ctx, _request, shown) => checkoutProduct(ctx, shown),
  }),
]

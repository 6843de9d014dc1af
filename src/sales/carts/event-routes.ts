import { eventsOfCart } from '../../events/log/read-events.ts'
import { CartEventPage, Events } from '../../events/log/schema.ts'
import { readOperation } from '../../http/operation.ts'
import { Arguments, Id } from '../../http/wire.ts'
import { getCart } from './service.ts'

/** What has happened to a cart. */
export const cartEventOperations = [
  readOperation({
    id: 'carts/retrieve-events',
    summary: 'List the events of a cart, newest first',
    method: 'GET',
    path: '/carts/{cart_id}/events.json',
    scopes: ['product', 'developer', 'store'],
    access: 'customers.read',
    params: Arguments({ cart_id: Id('ID of the cart.') }),
    query: CartEventPage,
    status: 200,
    response: Events,
    items: 'events',
    handle: async (ctx, { scope, params, query }) => {
      await getCart(ctx, scope, params.cart_id)
      return eventsOfCart(ctx, scope, params.cart_id, query)
    },
  }),
]

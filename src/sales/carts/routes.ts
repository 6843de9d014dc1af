import { Type } from '../../lib/type.ts'
import { updateCart } from './update-cart.ts'
import { readOperation, writeOperation, type AnyOperation } from '../../http/operation.ts'
import { Arguments, Fields } from '../../http/wire.ts'
import {
  Cart,
  CartId,
  CartList,
  CartQuery,
  CartUpdate,
  ListedCart,
  presentCart,
  presentEnriched,
  RecoverySwitch,
} from './schema.ts'
import { checkCartUpdate, deleteCart, getCart, getCarts, switchRecovery, totalOfCarts } from './service.ts'

const scopes = ['product', 'developer', 'store'] as const

/** The carts of a product; the events of a cart are in `events/`. */
export const cartOperations: readonly AnyOperation[] = [
  readOperation({
    id: 'carts/list',
    summary: 'List the carts of a product, newest first',
    method: 'GET',
    path: '/carts.json',
    scopes,
    access: 'customers.read',
    query: CartList,
    status: 200,
    response: Type.Object({ carts: Type.Array(ListedCart) }),
    items: 'carts',
    total: (ctx, { scope, query }) => totalOfCarts(ctx, scope, query),
    handle: async (ctx, { scope, query }) => ({ carts: await getCarts(ctx, scope, query) }),
  }),
  readOperation({
    id: 'carts/retrieve',
    summary: 'Retrieve a cart',
    method: 'GET',
    path: '/carts/{cart_id}.json',
    scopes,
    access: 'customers.read',
    params: CartId,
    query: CartQuery,
    status: 200,
    response: ListedCart,
    handle: async (ctx, { scope, params, query }) => {
      const present = query.enriched ? presentEnriched : presentCart
      return present(await getCart(ctx, scope, params.cart_id))
    },
  }),
  writeOperation({
    id: 'carts/update',
    summary: 'Update a cart whose checkout is not completed',
    method: 'PUT',
    path: '/carts/{cart_id}.json',
    scopes,
    access: 'customers.write',
    params: CartId,
    query: Arguments(Fields),
    body: CartUpdate,
    status: 200,
    response: Cart,
    emits: ['cart.updated'],
    refuses: ['cart_completed', 'cart_email_taken', 'coupon_not_found'],
    check: (ctx, { scope, params, body }, problems) =>
      checkCartUpdate(ctx, scope, { id: params.cart_id, body }, problems),
    handle: (ctx, { scope, params, body }) => updateCart(ctx, scope, params.cart_id, body),
  }),
  writeOperation({
    id: 'carts/delete',
    summary: 'Delete a cart',
    method: 'DELETE',
    path: '/carts/{cart_id}.json',
    scopes,
    access: 'customers.write',
    params: CartId,
    status: 204,
    emits: [],
    handle: (ctx, { scope, params }) => deleteCart(ctx, scope, params.cart_id),
  }),
  writeOperation({
    id: 'keywright/switch-cart-recovery',
    summary: 'End the recovery mails to a cart, or go on with them',
    method: 'PUT',
    path: '/carts/{cart_id}/recovery.json',
    scopes,
    access: 'customers.write',
    params: CartId,
    body: RecoverySwitch,
    status: 200,
    response: Cart,
    emits: ['cart.recovery.deactivated', 'cart.recovery.reactivated'],
    refuses: ['cart_completed', 'cart_unsubscribed'],
    handle: (ctx, { scope, params, body }) =>
      switchRecovery(ctx, scope, { id: params.cart_id, isDisabled: body.is_disabled }),
  }),
]

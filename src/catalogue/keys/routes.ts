import { writeOperation, type AnyOperation } from '../../http/operation.ts'
import { StoreId } from '../stores/schema.ts'
import { Renewal, RenewedKeys } from './schema.ts'
import { renewOwnKeys } from './service.ts'

/** Keys are renewed by the account alone, so that no key that was lost shuts its owner out. */
export const keyOperations: readonly AnyOperation[] = [
  writeOperation({
    id: 'keywright/renew-developer-keys',
    summary: 'Replace the secret key of the developer; the one so far goes on for some hours',
    method: 'POST',
    path: '/keys.json',
    scopes: ['account'],
    access: 'tokens.write',
    body: Renewal,
    status: 200,
    response: RenewedKeys,
    emits: [],
    handle: (ctx, { scope, body }) =>
      renewOwnKeys(ctx, scope, { owner: 'developers', id: scope.developerId }, body.overlap_hours),
  }),
  writeOperation({
    id: 'keywright/renew-store-keys',
    summary: 'Replace the secret key of a store; the one so far goes on for some hours',
    method: 'POST',
    path: '/stores/{store_id}/keys.json',
    scopes: ['account'],
    access: 'tokens.write',
    params: StoreId,
    body: Renewal,
    status: 200,
    response: RenewedKeys,
    emits: [],
    handle: (ctx, { scope, params, body }) =>
      renewOwnKeys(ctx, scope, { owner: 'stores', id: params.store_id }, body.overlap_hours),
  }),
  writeOperation({
    id: 'keywright/renew-product-keys',
    summary: 'Replace the secret key of a product; the one so far goes on for some hours',
    method: 'POST',
    path: '/keys.json',
    scopes: ['developer'],
    access: 'tokens.write',
    body: Renewal,
    status: 200,
    response: RenewedKeys,
    emits: [],
    handle: (ctx, { scope, body }) =>
      renewOwnKeys(ctx, scope, { owner: 'products', id: scope.productId }, body.overlap_hours),
  }),
]

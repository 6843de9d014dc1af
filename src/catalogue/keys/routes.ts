import { checkOwnPassword } from '../../accounts/developers/passwords.ts'
import { OwnPassword } from '../../accounts/developers/schema.ts'
import { writeOperation, type AnyOperation } from '../../http/operation.ts'
import { StoreId } from '../stores/schema.ts'
import { checkRenewal, prepareRenewal, renewOwnKeys, showOwnKeys } from './own-keys.ts'
import { Renewal, RenewedKeys, ShownKeys } from './schema.ts'

const renewing = {
  method: 'POST',
  access: 'tokens.write',
  body: Renewal,
  status: 200,
  response: RenewedKeys,
  emits: [],
  refuses: ['invalid_credentials'],
  check: checkRenewal,
  prepare: prepareRenewal,
} as const

const showing = {
  method: 'POST',
  caller: 'session',
  access: 'tokens.write',
  body: OwnPassword,
  status: 200,
  response: ShownKeys,
  emits: [],
  refuses: ['invalid_credentials'],
} as const

/**
 * Keys are renewed by the account alone, so that no key that was lost shuts its owner out. They are shown to whoever is
 * logged in, with the password once more.
 */
export const keyOperations: readonly AnyOperation[] = [
  writeOperation({
    ...showing,
    id: 'keywright/show-developer-keys',
    summary: 'Show the keys of the developer to who gives the password again, which is in the audit log',
    path: '/keys/show.json',
    scopes: ['account'],
    prepare: (ctx, { scope, body }) => checkOwnPassword(ctx, scope, body.current_password),
    handle: (ctx, { scope }, checked) =>
      showOwnKeys(ctx, scope, { owner: 'developers', id: scope.developerId }, checked),
  }),
  writeOperation({
    ...showing,
    id: 'keywright/show-store-keys',
    summary: 'Show the keys of a store to who gives the password again, which is in the audit log',
    path: '/stores/{store_id}/keys/show.json',
    scopes: ['account'],
    params: StoreId,
    prepare: (ctx, { scope, body }) => checkOwnPassword(ctx, scope, body.current_password),
    handle: (ctx, { scope, params }, checked) =>
      showOwnKeys(ctx, scope, { owner: 'stores', id: params.store_id }, checked),
  }),
  writeOperation({
    ...showing,
    id: 'keywright/show-product-keys',
    summary: 'Show the keys of a product to who gives the password again, which is in the audit log',
    path: '/keys/show.json',
    scopes: ['developer'],
    prepare: (ctx, { scope, body }) => checkOwnPassword(ctx, scope, body.current_password),
    handle: (ctx, { scope }, checked) =>
      showOwnKeys(ctx, scope, { owner: 'products', id: scope.productId }, checked),
  }),
  writeOperation({
    ...renewing,
    id: 'keywright/renew-developer-keys',
    summary: 'Replace the secret key of the developer; the one so far goes on for some hours',
    path: '/keys.json',
    scopes: ['account'],
    handle: (ctx, { scope }, asked) =>
      renewOwnKeys(ctx, scope, { owner: 'developers', id: scope.developerId }, asked),
  }),
  writeOperation({
    ...renewing,
    id: 'keywright/renew-store-keys',
    summary: 'Replace the secret key of a store; the one so far goes on for some hours',
    path: '/stores/{store_id}/keys.json',
    scopes: ['account'],
    params: StoreId,
    handle: (ctx, { scope, params }, asked) =>
      renewOwnKeys(ctx, scope, { owner: 'stores', id: params.store_id }, asked),
  }),
  writeOperation({
    ...renewing,
    id: 'keywright/renew-product-keys',
    summary: 'Replace the secret key of a product; the one so far goes on for some hours',
    path: '/keys.json',
    scopes: ['developer'],
    handle: (ctx, { scope }, asked) =>
      renewOwnKeys(ctx, scope, { owner: 'products', id: scope.productId }, asked),
  }),
]

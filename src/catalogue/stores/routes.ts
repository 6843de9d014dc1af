import { Type } from '../../lib/type.ts'
import { readOperation, writeOperation, type AnyOperation } from '../../http/operation.ts'
import { keysShownTo } from '../../access/scope.ts'
import { Arguments, Fields } from '../../http/wire.ts'
import {
  getProductAddresses,
  getStoreAddresses,
  removeProductAddresses,
  removeStoreAddresses,
  updateProductAddresses,
  updateStoreAddresses,
} from './addresses.ts'
import {
  AddressesUpdate,
  PluginEmailAddress,
  ProductAddressesUpdate,
  StoreEmailAddress,
} from './addresses-schema.ts'
import { deleteStore } from './delete-store.ts'
import { presentStore, Store, StoreCreate, StoreId, StoreList, StoreUpdate } from './schema.ts'
import { addStore, checkStore, getStore, getStores, totalOfStores, updateStore } from './service.ts'

const scopes = ['product', 'developer', 'store'] as const

/** Under the store's developer, and under the store itself. */
const ofStore = ['account', 'store_account'] as const

const onStore: readonly AnyOperation[] = [
  readOperation({
    id: 'keywright/retrieve-store',
    summary: 'Retrieve a store',
    method: 'GET',
    path: '/stores/{store_id}.json',
    scopes: ofStore,
    access: 'catalogue.read',
    params: StoreId,
    query: Arguments(Fields),
    status: 200,
    response: Store,
    handle: async (ctx, { scope, params }) =>
      presentStore(await getStore(ctx, scope, params.store_id), keysShownTo(scope, ctx.keys)),
  }),
  writeOperation({
    id: 'keywright/update-store',
    summary: 'Update a store',
    method: 'PUT',
    path: '/stores/{store_id}.json',
    scopes: ofStore,
    access: 'catalogue.write',
    params: StoreId,
    query: Arguments(Fields),
    body: StoreUpdate,
    status: 200,
    response: Store,
    emits: ['store.url.updated', 'store.dashboard_url.updated'],
    check: (_, { body }, problems) => checkStore(body, problems),
    handle: (ctx, { scope, params, body }) => updateStore(ctx, scope, params.store_id, body),
  }),
]

/** The sender addresses of a store. */
const onStoreAddresses: readonly AnyOperation[] = [
  readOperation({
    id: 'keywright/retrieve-store-addresses',
    summary: "Retrieve a store's sender addresses, which its products inherit",
    method: 'GET',
    path: '/stores/{store_id}/emails/addresses.json',
    scopes: ofStore,
    access: 'catalogue.read',
    params: StoreId,
    query: Arguments(Fields),
    status: 200,
    response: StoreEmailAddress,
    handle: (ctx, { scope, params }) => getStoreAddresses(ctx, scope, params.store_id),
  }),
  writeOperation({
    id: 'keywright/update-store-addresses',
    summary: "Write a store's sender addresses",
    method: 'PUT',
    path: '/stores/{store_id}/emails/addresses.json',
    scopes: ofStore,
    access: 'catalogue.write',
    params: StoreId,
    body: AddressesUpdate,
    status: 200,
    response: StoreEmailAddress,
    emits: [],
    handle: (ctx, { scope, params, body }) => updateStoreAddresses(ctx, scope, params.store_id, body),
  }),
  writeOperation({
    id: 'keywright/delete-store-addresses',
    summary: "Delete a store's sender addresses",
    method: 'DELETE',
    path: '/stores/{store_id}/emails/addresses.json',
    scopes: ofStore,
    access: 'catalogue.write',
    params: StoreId,
    status: 204,
    emits: [],
    handle: (ctx, { scope, params }) => removeStoreAddresses(ctx, scope, params.store_id),
  }),
]

/** A product's own sender addresses, in place of its store's. */
const productAddressOperations: readonly AnyOperation[] = [
  readOperation({
    id: 'products/list-email-addresses',
    summary: 'Retrieve the sender addresses of a product that has its own',
    method: 'GET',
    path: '/emails/addresses.json',
    scopes,
    access: 'catalogue.read',
    query: Arguments(Fields),
    status: 200,
    response: PluginEmailAddress,
    handle: (ctx, { scope }) => getProductAddresses(ctx, scope),
  }),
  writeOperation({
    id: 'products/update-email-addressses',
    summary: 'Write the sender addresses of a product',
    method: 'PUT',
    path: '/emails/addresses.json',
    scopes: ['developer'],
    access: 'catalogue.write',
    body: ProductAddressesUpdate,
    status: 204,
    emits: [],
    handle: (ctx, { scope, body }) => updateProductAddresses(ctx, scope, body),
  }),
  writeOperation({
    id: 'products/delete-email-addresses',
    summary: "Delete a product's sender addresses: it has its store's again",
    method: 'DELETE',
    path: '/emails/addresses.json',
    scopes,
    access: 'catalogue.write',
    status: 204,
    emits: [],
    handle: (ctx, { scope }) => removeProductAddresses(ctx, scope),
  }),
]

export const storeOperations: readonly AnyOperation[] = [
  readOperation({
    id: 'keywright/list-stores',
    summary: 'List the stores of a developer, newest first',
    method: 'GET',
    path: '/stores.json',
    scopes: ['account'],
    access: 'catalogue.read',
    query: StoreList,
    status: 200,
    response: Type.Object({ stores: Type.Array(Store) }),
    items: 'stores',
    total: (ctx, { scope, query }) => totalOfStores(ctx, scope, query),
    handle: async (ctx, { scope, query }) => ({ stores: await getStores(ctx, scope, query) }),
  }),
  writeOperation({
    id: 'keywright/create-store',
    summary: 'Open a store',
    method: 'POST',
    path: '/stores.json',
    scopes: ['account'],
    access: 'catalogue.write',
    body: StoreCreate,
    status: 201,
    response: Store,
    emits: ['store.created'],
    check: (_, { body }, problems) => checkStore(body, problems),
    handle: async (ctx, { scope, body }) =>
      presentStore(await addStore(ctx, scope, body), keysShownTo(scope, ctx.keys)),
  }),
  ...onStore,
  writeOperation({
    id: 'keywright/delete-store',
    summary: 'Delete a store that has no products or coupons',
    method: 'DELETE',
    path: '/stores/{store_id}.json',
    scopes: ['account'],
    access: 'catalogue.write',
    params: StoreId,
    status: 204,
    emits: ['store.deleted'],
    refuses: ['store_in_use', 'last_store'],
    handle: (ctx, { scope, params }) => deleteStore(ctx, scope, params.store_id),
  }),
  ...onStoreAddresses,
  ...productAddressOperations,
]

import { Type } from '../../lib/type.ts'
import { rewriteProduct } from './rewrite-product.ts'
import { readOperation, writeOperation, type AnyOperation } from '../../http/operation.ts'
import { keysShownTo } from '../../access/scope.ts'
import { Arguments, Fields } from '../../http/wire.ts'
import { PICTURE_MAX_BYTES } from '../pictures/picture.ts'
import { checkPicture } from '../pictures/service.ts'
import { StoreId } from '../stores/schema.ts'
import { getStore } from '../stores/service.ts'
import { getAffiliation } from './affiliation.ts'
import { Affiliation } from './affiliation-schema.ts'
import { getMembers, setMembers } from '../bundles/bundle.ts'
import { addProduct } from './create.ts'
import { getInfo, updateInfo } from './info.ts'
import { InfoUpdate, PluginInfo } from './info-schema.ts'
import {
  BundleMembers,
  ProductCreate,
  ProductList,
  ProductUpdate,
  StoreProductCreate,
} from './input-schema.ts'
import { Plugin, presentProduct } from './schema.ts'
import { getProduct, getProducts, totalOfProducts } from './service.ts'
import { settingOperations } from './settings-routes.ts'
import { getStatus, ping } from './status.ts'
import { PingQuery, Pong, Status, StatusQuery } from './status-schema.ts'
import { checkTitle } from './update.ts'

const scopes = ['product', 'developer', 'store'] as const
const Plugins = Type.Object({ plugins: Type.Array(Plugin) })

const ofProduct: readonly AnyOperation[] = [
  readOperation({
    id: 'products/retrieve',
    summary: 'Retrieve a product',
    method: 'GET',
    path: '.json',
    scopes,
    access: 'catalogue.read',
    query: Arguments(Fields),
    status: 200,
    response: Plugin,
    handle: async (ctx, { scope }) =>
      presentProduct(await getProduct(ctx, scope), keysShownTo(scope, ctx.keys), ctx),
  }),
  writeOperation({
    id: 'products/update',
    summary: 'Update a product',
    method: 'PUT',
    path: '.json',
    scopes,
    access: 'catalogue.write',
    query: Arguments(Fields),
    body: ProductUpdate,
    status: 200,
    response: Plugin,
    files: { icon: { maxBytes: PICTURE_MAX_BYTES } },
    emits: [],
    refuses: ['product_slug_taken'],
    check: async (_, { body, files }, problems) => {
      await checkTitle(body, problems)
      checkPicture('icon', files['icon'], problems)
    },
    handle: async (ctx, { scope, body, files }) =>
      presentProduct(await rewriteProduct(ctx, scope, { body, files }), keysShownTo(scope, ctx.keys), ctx),
  }),
  readOperation({
    id: 'products/check-status',
    summary: 'Say whether a product is active',
    method: 'GET',
    path: '/is_active.json',
    scopes,
    caller: 'public',
    access: 'catalogue.read',
    query: StatusQuery,
    status: 200,
    response: Status,
    handle: (ctx, { scope, query }) => getStatus(ctx, scope, query),
  }),
  readOperation({
    id: 'products/gdpr-compliance-check',
    summary: 'Answer a client that asks whether it must ask for consent',
    method: 'GET',
    path: '/ping.json',
    scopes,
    caller: 'public',
    access: 'catalogue.read',
    query: PingQuery,
    status: 200,
    response: Pong,
    refuses: ['invalid_uid'],
    handle: (ctx, { scope, query }) => ping(ctx, scope, query),
  }),
  readOperation({
    id: 'keywright/retrieve-affiliation',
    summary: 'Answer a client that asks for the terms of affiliates, of which there are none',
    method: 'GET',
    path: '/aff.json',
    scopes,
    caller: 'public',
    access: 'catalogue.read',
    query: Arguments(Fields),
    status: 200,
    response: Affiliation,
    handle: (ctx, { scope }) => getAffiliation(ctx, scope),
  }),
  readOperation({
    id: 'products/get-info',
    summary: 'Retrieve what an add-on market shows of a product',
    method: 'GET',
    path: '/info.json',
    scopes,
    caller: 'public',
    access: 'catalogue.read',
    query: Arguments(Fields),
    status: 200,
    response: PluginInfo,
    handle: (ctx, { scope }) => getInfo(ctx, scope),
  }),
  writeOperation({
    id: 'keywright/update-info',
    summary: 'Write what an add-on market shows of a product',
    method: 'PUT',
    path: '/info.json',
    scopes: ['developer'],
    access: 'catalogue.write',
    body: InfoUpdate,
    status: 200,
    response: PluginInfo,
    emits: [],
    handle: (ctx, { scope, body }) => updateInfo(ctx, scope, body),
  }),
]

const ofBundle: readonly AnyOperation[] = [
  readOperation({
    id: 'keywright/list-bundle-members',
    summary: 'List the products in a bundle, the earliest first',
    method: 'GET',
    path: '/bundle/members.json',
    scopes: ['developer'],
    access: 'catalogue.read',
    isForNarrowed: false,
    query: Arguments(Fields),
    status: 200,
    response: Plugins,
    items: 'plugins',
    handle: async (ctx, { scope }) => ({ plugins: await getMembers(ctx, scope) }),
  }),
  writeOperation({
    id: 'keywright/update-bundle-members',
    summary: 'Say which products are in a bundle',
    method: 'PUT',
    path: '/bundle/members.json',
    scopes: ['developer'],
    access: 'catalogue.write',
    isForNarrowed: false,
    query: Arguments(Fields),
    body: BundleMembers,
    status: 200,
    response: Plugins,
    items: 'plugins',
    emits: [],
    handle: async (ctx, { scope, body }) => ({ plugins: await setMembers(ctx, scope, body) }),
  }),
]

const ofAccount: readonly AnyOperation[] = [
  readOperation({
    id: 'keywright/list-products',
    summary: 'List the products of a developer, newest first',
    method: 'GET',
    path: '/products.json',
    scopes: ['account'],
    access: 'catalogue.read',
    isForNarrowed: true,
    query: ProductList,
    status: 200,
    response: Plugins,
    items: 'plugins',
    total: (ctx, { scope, query }) => totalOfProducts(ctx, scope, query),
    handle: async (ctx, { scope, query }) => ({ plugins: await getProducts(ctx, scope, query) }),
  }),
  writeOperation({
    id: 'keywright/create-product',
    summary: 'Create a product, an add-on or a bundle',
    method: 'POST',
    path: '/products.json',
    scopes: ['account'],
    access: 'catalogue.write',
    query: Arguments(Fields),
    body: ProductCreate,
    status: 200,
    response: Plugin,
    emits: ['store.plugin.added'],
    refuses: ['product_slug_taken'],
    check: (_, { body }, problems) => checkTitle(body, problems),
    handle: (ctx, { scope, body }) => addProduct(ctx, scope, body),
  }),
  readOperation({
    id: 'keywright/list-store-products',
    summary: 'List the products of a store, newest first',
    method: 'GET',
    path: '/stores/{store_id}/products.json',
    scopes: ['account', 'store_account'],
    access: 'catalogue.read',
    params: StoreId,
    query: ProductList,
    status: 200,
    response: Plugins,
    items: 'plugins',
    handle: async (ctx, { scope, params, query }) => {
      const { id } = await getStore(ctx, scope, params.store_id)
      return { plugins: await getProducts(ctx, scope, query, id) }
    },
  }),
  writeOperation({
    id: 'keywright/create-store-product',
    summary: 'Create a product, an add-on or a bundle in a store',
    method: 'POST',
    path: '/stores/{store_id}/products.json',
    scopes: ['account', 'store_account'],
    access: 'catalogue.write',
    params: StoreId,
    query: Arguments(Fields),
    body: StoreProductCreate,
    status: 200,
    response: Plugin,
    emits: ['store.plugin.added'],
    refuses: ['product_slug_taken'],
    check: (_, { body }, problems) => checkTitle(body, problems),
    handle: async (ctx, { scope, params, body }) => {
      const { id } = await getStore(ctx, scope, params.store_id)
      return addProduct(ctx, scope, { ...body, store_id: id })
    },
  }),
]

export const productOperations: readonly AnyOperation[] = [
  ...ofProduct,
  ...ofBundle,
  ...ofAccount,
  ...settingOperations,
]

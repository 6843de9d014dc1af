import { Type, type Static } from '../../lib/type.ts'
import { Arguments, Fields, Id, MadeBetween, Optional, Paging, SortedByTitle } from '../../http/wire.ts'
import { IdList, PRODUCT } from './product.entity.ts'

/** What of the contract's `Plugin` a seller may change. */
export const ProductUpdate = Arguments(PRODUCT.update)
export type ProductUpdate = Static<typeof ProductUpdate>

const created = {
  ...PRODUCT.create,
  is_bundle: Type.Boolean({ default: false, description: 'Its licenses open its members.' }),
  members: Optional(IdList('Comma-separated IDs of the products in a bundle.')),
}

/** In a store: a product, an add-on (`parent_plugin_id`) or a bundle (`is_bundle`). */
export const StoreProductCreate = Arguments(created)
export type StoreProductCreate = Static<typeof StoreProductCreate>

export const ProductCreate = Arguments({
  ...created,
  store_id: Optional(Id("Default: the parent's store, or the developer's first.")),
})
export type ProductCreate = Static<typeof ProductCreate>

export const ProductList = Arguments({
  all: Type.Boolean({ default: false, description: 'True: up to 1,000 products in one reply.' }),
  ...MadeBetween,
  ...SortedByTitle,
  ...Paging,
  ...Fields,
})
export type ProductList = Static<typeof ProductList>

export const BundleMembers = Arguments({
  members: IdList('Comma-separated IDs of products of the developer that are no bundles; empty: none.'),
})

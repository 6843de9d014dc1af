import type { ReadContext, TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { invalidFields, notFound } from '../../lib/errors.ts'
import {
  deleteProductAddresses,
  deleteStoreAddresses,
  findProductAddresses,
  findStoreAddresses,
  findStoreOfProduct,
  putProductAddresses,
  putStoreAddresses,
} from './addresses-queries.ts'
import {
  ADDRESS_COLUMNS,
  presentProductAddresses,
  presentStoreAddresses,
  type AddressesUpdate,
  type PluginEmailAddress,
  type StoreEmailAddress,
} from './addresses-schema.ts'
import { keepStore } from './delete-store.ts'
import { keepStoreRow } from './queries.ts'
import { getStore } from './service.ts'

/** A product's own sender addresses; 404 while it has the store's. */
export async function getProductAddresses(ctx: ReadContext, scope: Scope): Promise<PluginEmailAddress> {
  const row = await findProductAddresses(ctx.db, scope)
  if (!row) throw notFound('sender address')
  return presentProductAddresses(row)
}

/**
 * Gives the product addresses of its own, or changes them. What they do not say it inherits from the store that
 * `store_id` names, at first its own one; 400 for a store that is not the developer's.
 */
export async function updateProductAddresses(
  ctx: TxContext,
  scope: Scope,
  { store_id: wanted, ...input }: AddressesUpdate & { readonly store_id?: number },
): Promise<void> {
  const product = await findStoreOfProduct(ctx.db, scope)
  if (!product) throw notFound('product')
  if (wanted !== undefined && !(await keepStoreRow(ctx.db, scope, wanted))) {
    throw invalidFields([{ field: 'store_id', message: 'must be a store of the developer' }])
  }
  const { row, change } = rowOf(ctx, input)
  const owner = { store_id: wanted ?? product.store_id, product_id: scope.productId }
  await putProductAddresses(
    ctx.db,
    { ...row, ...owner },
    { ...change, ...(wanted !== undefined && { store_id: wanted }) },
  )
}

/** The product has its store's addresses again; 404 when it had them already. */
export async function removeProductAddresses(ctx: TxContext, scope: Scope): Promise<void> {
  if (!(await deleteProductAddresses(ctx.db, scope))) {
    throw notFound('sender address')
  }
}

/** 404 when the developer has no such store, or the store no sender addresses. */
export async function getStoreAddresses(
  ctx: ReadContext,
  scope: Scope,
  storeId: number,
): Promise<StoreEmailAddress> {
  await getStore(ctx, scope, storeId)
  const row = await findStoreAddresses(ctx.db, storeId)
  if (!row) throw notFound('sender address')
  return presentStoreAddresses(row)
}

/** Writes what was given; what is left out stays. */
export async function updateStoreAddresses(
  ctx: TxContext,
  scope: Scope,
  storeId: number,
  input: AddressesUpdate,
): Promise<StoreEmailAddress> {
  await keepStore(ctx, scope, storeId)
  const { row, change } = rowOf(ctx, input)
  return presentStoreAddresses(
    await putStoreAddresses(ctx.db, { ...row, store_id: storeId, product_id: null }, change),
  )
}

/** 404 when the developer has no such store, or the store no sender addresses. */
export async function removeStoreAddresses(ctx: TxContext, scope: Scope, storeId: number): Promise<void> {
  await getStore(ctx, scope, storeId)
  if (!(await deleteStoreAddresses(ctx.db, storeId))) throw notFound('sender address')
}

const NO_ADDRESSES = Object.fromEntries(ADDRESS_COLUMNS.map((column) => [column, null])) as Record<
  (typeof ADDRESS_COLUMNS)[number],
  null
>

/** What stands there when nothing did, and what changes when something did. */
function rowOf(ctx: TxContext, input: AddressesUpdate) {
  const now = ctx.clock.now()
  return {
    row: { ...NO_ADDRESSES, ...input, created: now, updated: null },
    change: { ...input, updated: now },
  }
}

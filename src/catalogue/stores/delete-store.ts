import type { Scope } from '../../access/scope.ts'
import type { TxContext } from '../../context.ts'
import { invalid, notFound } from '../../lib/errors.ts'
import { recordEvent } from '../../events/log/record.ts'
import { endFormer } from '../keys/service.ts'
import { deleteStoreAddresses } from './addresses-queries.ts'
import {
  deleteStoreRow,
  excludeStoreRow,
  hasOtherStore,
  holdAccount,
  isStoreInUse,
  keepStoreRow,
} from './queries.ts'

/**
 * Deletes a store that nothing refers to, with its sender addresses and keys. 404 when the developer has no such store,
 * 400 `store_in_use` where a product, a coupon, also one that was deleted, or a sender address is of it, `last_store` of
 * the only one, as products need one.
 */
export async function deleteStore(ctx: TxContext, scope: Scope, id: number): Promise<void> {
  const { db } = ctx
  await holdAccount(db, scope)
  if (!(await excludeStoreRow(db, scope, id))) throw notFound('store')
  if (await isStoreInUse(db, id))
    throw invalid('store_in_use', 'This store has, or had, products or coupons.')
  if (!(await hasOtherStore(db, scope, id))) throw invalid('last_store', 'This is the only store.')
  await deleteStoreAddresses(db, id)
  await endFormer(ctx, { owner: 'stores', id, developerId: scope.developerId })
  await deleteStoreRow(db, scope, id)
  await recordEvent(ctx, scope, { type: 'store.deleted', data: { store_id: String(id) } })
}

/** Keeps a store from who deletes it, until what is added to it is there; 404 when the developer has no such store. */
export async function keepStore({ db }: TxContext, scope: Scope, id: number): Promise<void> {
  if (!(await keepStoreRow(db, scope, id))) throw notFound('store')
}

import { hold } from '../../db/hold.ts'
import type { Context, ReadContext, TxContext } from '../../context.ts'
import type { Problems } from '../../http/decode.ts'
import { keysShownTo, systemScope, type Scope } from '../../access/scope.ts'
import { newKeyPair } from '../../lib/credentials.ts'
import { differences } from '../../lib/differences.ts'
import { notFound } from '../../lib/errors.ts'
import { spanOf } from '../../lib/time-text.ts'
import { recordEvent } from '../../events/log/record.ts'
import { countStores, findStore, insertStore, listStores, updateStoreRow } from './queries.ts'
import {
  presentStore,
  type Store,
  type StoreCreate,
  type StoreList,
  type StoreRow,
  type StoreUpdate,
} from './schema.ts'
import { STORE } from './store.entity.ts'

/** Opens a store of a developer, for a job or the command line; returns its id. */
export async function createStore(
  ctx: TxContext,
  { developerId, title }: { readonly developerId: number; readonly title: string },
): Promise<number> {
  return (await addStore(ctx, systemScope({ developerId, productId: 0 }), { title })).id
}

/** Opens a store of the scope's developer, with keys of its own. */
export async function addStore(ctx: TxContext, scope: Scope, input: StoreCreate): Promise<StoreRow> {
  const { publicKey, secretKey } = newKeyPair()
  const store = await insertStore(ctx.db, {
    ...STORE.initial,
    ...STORE.columns(STORE.read('create', input)),
    developer_id: scope.developerId,
    title: input.title,
    public_key: publicKey,
    secret_key: ctx.keys.seal(secretKey, 'stores.secret_key'),
    created: ctx.clock.now(),
    updated: null,
  })
  await recordEvent(ctx, scope, { type: 'store.created', data: { store_id: String(store.id) } })
  return store
}

/** The store's row; 404 when the developer has no such store. */
export async function getStore(ctx: ReadContext, scope: Scope, id: number): Promise<StoreRow> {
  const store = await findStore(ctx.db, scope, id)
  if (!store) throw notFound('store')
  return store
}

/** A page of the developer's stores, newest first. */
export async function getStores(ctx: ReadContext, scope: Scope, query: StoreList): Promise<Store[]> {
  const rows = await listStores(ctx.db, scope, { ...query, made: spanOf(query) })
  const keys = keysShownTo(scope, ctx.keys)
  return rows.map((row) => presentStore(row, keys))
}

/** How many stores the list of an account has, counted no further than its `count`. */
export const totalOfStores = (
  { database }: Pick<Context, 'database'>,
  scope: Scope,
  query: StoreList,
): Promise<number> => countStores(database.background, scope, { count: query.count, made: spanOf(query) })

/** A title that was given has something to read. */
export async function checkStore({ title }: StoreUpdate, problems: Problems): Promise<void> {
  if (title?.trim() === '') problems.malformed.push({ field: 'title', message: 'must not be empty' })
}

/** Writes what was given and differs; a changed address of the store or its portal is an event of its own. */
export async function updateStore(
  ctx: TxContext,
  scope: Scope,
  id: number,
  input: StoreUpdate,
): Promise<Store> {
  const before = await hold(ctx.db, 'stores', scope, id)
  if (!before) throw notFound('store')
  const keys = keysShownTo(scope, ctx.keys)
  const changed = differences<Partial<StoreRow>>(before, STORE.columns(STORE.read('update', input)))
  if (!changed) return presentStore(before, keys)
  const updated = ctx.clock.now()
  const after = await updateStoreRow(ctx.db, scope, id, { ...changed.to, updated })
  for (const { type, data } of STORE.told(changed).own) {
    await recordEvent(ctx, scope, { type, data: { store_id: String(id), ...data } })
  }
  return presentStore(after, keys)
}

import type { StartOfType } from './types.ts'
import type { Context, ReadContext, TxContext } from '../../context.ts'
import { keysShownTo, systemScope, type Scope } from '../../access/scope.ts'
import { newKeyPair } from '../../lib/credentials.ts'
import { notFound } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import { spanOf } from '../../lib/time-text.ts'
import { slugOf } from '../../lib/slug.ts'
import { recordEvent } from '../../events/log/record.ts'
import type { ProductList } from './input-schema.ts'
import { countProducts, insertProduct, listProducts } from './queries.ts'
import { findProduct } from './product-rows.ts'
import { presentProduct, type Plugin, type ProductChange, type ProductRow } from './schema.ts'
import { insertSettings } from './settings-queries.ts'
import { SETTING_NUMBERS } from './settings-schema.ts'
import { slugTaken } from './update.ts'

/** The row of the scope's product; 404 where the scope has none. */
export async function getProduct(ctx: ReadContext, scope: Scope): Promise<ProductRow> {
  const [product] = await findProduct(ctx.db, scope, {})
  if (!product) throw notFound('product')
  return product
}

/** How many products one reply may hold when all are asked for. */
const ALL = 1_000

/** A page of the developer's products that the caller opens, newest first; of one store where it is given. */
export async function getProducts(
  ctx: ReadContext,
  scope: Scope,
  query: ProductList,
  storeId: number | null = null,
): Promise<Plugin[]> {
  const { all, count, offset, sort } = query
  const page = { ...searchOf(scope, query), storeId, count: all ? ALL : count, offset, sort }
  const rows = await listProducts(ctx.db, scope, page)
  const keys = keysShownTo(scope, ctx.keys)
  return rows.map((row) => presentProduct(row, keys, ctx))
}

/** How many products the list of an account has, counted no further than its `count`. */
export const totalOfProducts = (
  { database }: Pick<Context, 'database'>,
  scope: Scope,
  query: ProductList,
): Promise<number> =>
  countProducts(database.background, scope, { ...searchOf(scope, query), storeId: null, count: query.count })

const searchOf = ({ actor }: Scope, query: ProductList) => ({ ids: actor.productIds, made: spanOf(query) })

export interface NewProduct {
  readonly developerId: number
  readonly storeId: number
  readonly title: string
  /** Host names that links of this product may lead to (`docs/decisions.md` 3.10). */
  readonly redirectHosts: readonly string[]
  /** Default: the title as it stands in an address. */
  readonly slug?: string | undefined
  /** Set for an add-on. */
  readonly parentId?: number | null
  /** Whether who opts in confirms the address by a mailed link (`docs/decisions.md` 3.14); default: true. */
  readonly confirmsOptIn?: boolean | undefined
  /** Further columns. */
  readonly more?: Pick<ProductChange, 'kind' | 'type_alias'> & Pick<ProductRow, 'type'> & StartOfType
}

/**
 * Adds a product to a store, with every setting; returns its id. 400 `product_slug_taken` when the developer
 * has one of this name. `by` says who is the cause of the event; by default the system is.
 */
export async function createProduct(ctx: TxContext, input: NewProduct, by?: Scope): Promise<number> {
  const { developerId, storeId, title, parentId = null } = input
  const { publicKey, secretKey } = newKeyPair()
  const created = ctx.clock.now()
  const product = await insertProduct(ctx.db, {
    developer_id: developerId,
    store_id: storeId,
    parent_plugin_id: parentId,
    title,
    slug: input.slug === undefined ? slugOf(title) || 'product' : fold(input.slug),
    can_create_users: true,
    confirms_opt_in: input.confirmsOptIn !== false,
    redirect_hosts: JSON.stringify(input.redirectHosts),
    public_key: publicKey,
    secret_key: ctx.keys.seal(secretKey, 'products.secret_key'),
    created,
    updated: null,
    type: 'plugin',
    ...input.more,
  })
  if (!product) throw slugTaken()
  await insertSettings(ctx.db, { productId: product.id }, SETTING_NUMBERS, created)
  const scope = { ...(by ?? systemScope({ developerId, productId: 0 })), productId: product.id }
  const data = { store_id: String(storeId), plugin_id: String(product.id) }
  await recordEvent(ctx, scope, { type: 'store.plugin.added', data })
  return product.id
}

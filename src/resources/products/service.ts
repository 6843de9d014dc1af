import type { TxContext } from '../../context.ts'
import { systemScope } from '../../http/scope.ts'
import { newKeyPair } from '../../lib/credentials.ts'
import { invalid } from '../../lib/errors.ts'
import { toUtcTime } from '../../lib/time.ts'
import { recordEvent } from '../events/record.ts'
import { insertProduct } from './queries.ts'

export interface NewProduct {
  readonly developerId: number
  readonly storeId: number
  readonly title: string
  /** Host names that links of this product may lead to (DECISIONS 3.10). */
  readonly redirectHosts: readonly string[]
}

/** Adds a product to a store; 400 `product_slug_taken` when the developer has one of this name. */
export async function createProduct(ctx: TxContext, input: NewProduct): Promise<number> {
  const { publicKey, secretKey } = newKeyPair()
  const created = await insertProduct(ctx.db, {
    developer_id: input.developerId,
    store_id: input.storeId,
    parent_plugin_id: null,
    title: input.title,
    slug: slugOf(input.title),
    type: 'plugin',
    can_create_users: 1,
    redirect_hosts: JSON.stringify(input.redirectHosts),
    public_key: publicKey,
    secret_key: ctx.keys.seal(secretKey, 'products.secret_key'),
    created: toUtcTime(ctx.clock.real()),
    updated: null,
  })
  if (!created) throw invalid('product_slug_taken', 'There is a product of this name.')
  const scope = systemScope({ developerId: input.developerId, productId: created.id })
  const data = { store_id: String(input.storeId), plugin_id: String(created.id) }
  await recordEvent(ctx, scope, { type: 'store.plugin.added', data })
  return created.id
}

/** A title as it stands in an address: `My Product!` → `my-product`. */
const slugOf = (title: string): string =>
  title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}]+/gu, '-')
    .replaceAll(/^-|-$/g, '') || 'product'

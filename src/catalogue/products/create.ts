import type { ReadContext, TxContext } from '../../context.ts'
import { keysShownTo, type Scope } from '../../access/scope.ts'
import { invalidFields, type FieldError } from '../../lib/errors.ts'
import { memberIds } from '../bundles/bundle.ts'
import { replaceMembers } from '../bundles/bundle-rows.ts'
import type { StoreProductCreate } from './input-schema.ts'
import { keepStoreOf } from './queries.ts'
import { findKinds } from './product-rows.ts'
import { presentProduct, type Plugin, type WholeProduct } from './schema.ts'
import { createProduct, getProduct } from './service.ts'
import { columnsOfType, isOwn, PRODUCT_TYPES, startOfType } from './types.ts'

type Wanted = StoreProductCreate & { readonly store_id?: number }

/**
 * Adds a product, an add-on or a bundle with its members to a store of the developer. 400 naming every field
 * that does not fit, 400 `product_slug_taken`.
 */
export async function addProduct(ctx: TxContext, scope: Scope, input: Wanted): Promise<Plugin> {
  const problems: FieldError[] = []
  const parent = await parentOf(ctx, scope, input, problems)
  const storeId = await storeOf(ctx, scope, { wanted: input.store_id, parent }, problems)
  const members = await membersOf(ctx, scope, input, problems)
  if (input.is_bundle && isOwn(input.type))
    problems.push({ field: 'type', message: `must be one of ${PRODUCT_TYPES.join(', ')} for a bundle` })
  if (problems.length > 0 || storeId === null) throw invalidFields(problems)
  const kind = kindOf(input)
  const alias = input.type_alias ?? (kind === 'bundle' ? 'bundle' : undefined)
  const { title, slug, type } = input
  const columns = {
    developerId: scope.developerId,
    storeId,
    title,
    slug,
    redirectHosts: [],
    parentId: parent?.id ?? null,
    more: { kind, ...columnsOfType({ type, type_alias: alias }), ...startOfType(type) },
  }
  const productId = await createProduct(ctx, columns, scope)
  const own = { ...scope, productId }
  await replaceMembers(ctx.db, own, members)
  return presentProduct(await getProduct(ctx, own), keysShownTo(scope, ctx.keys), ctx)
}

const isAddOn = ({ parent_plugin_id: id }: Wanted) => id !== undefined && id !== null

const kindOf = (input: Wanted): WholeProduct['kind'] =>
  isAddOn(input) ? 'addon' : input.is_bundle ? 'bundle' : 'product'

type Parent = Awaited<ReturnType<typeof findKinds>>[number]

async function parentOf(
  ctx: ReadContext,
  scope: Scope,
  { parent_plugin_id: id, is_bundle: isBundle }: Wanted,
  problems: FieldError[],
): Promise<Parent | undefined> {
  if (id === undefined || id === null) return undefined
  if (isBundle) problems.push({ field: 'is_bundle', message: 'must be false for an add-on' })
  const [parent] = await findKinds(ctx.db, scope, [id])
  if (parent?.kind === 'product') return parent
  const message = 'must be a product of the developer that is no add-on and no bundle'
  problems.push({ field: 'parent_plugin_id', message })
  return undefined
}

/** An add-on stands in its parent's store. */
async function storeOf(
  ctx: TxContext,
  scope: Scope,
  { wanted, parent }: { readonly wanted: number | undefined; readonly parent: Parent | undefined },
  problems: FieldError[],
): Promise<number | null> {
  if (parent && wanted !== undefined && wanted !== parent.store_id) {
    problems.push({ field: 'parent_plugin_id', message: 'must be a product of the same store' })
    return null
  }
  const store = await keepStoreOf(ctx.db, scope, wanted ?? parent?.store_id)
  if (!store) problems.push({ field: 'store_id', message: 'must be a store of the developer' })
  return store?.id ?? null
}

async function membersOf(
  ctx: ReadContext,
  scope: Scope,
  { members, is_bundle: isBundle }: Wanted,
  problems: FieldError[],
): Promise<readonly number[]> {
  if (members === undefined || members.trim() === '') return []
  if (isBundle) return memberIds(ctx, scope, members, problems)
  problems.push({ field: 'members', message: 'must be left out but for a bundle' })
  return []
}

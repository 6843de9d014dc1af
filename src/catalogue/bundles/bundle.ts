import { hold } from '../../db/hold.ts'
import type { ReadContext, TxContext } from '../../context.ts'
import { keysShownTo, type Scope } from '../../access/scope.ts'
import { invalidFields, notFound, type FieldError } from '../../lib/errors.ts'
import { parseIdList } from '../../lib/id-list.ts'
import { listMembers } from './bundle-queries.ts'
import { replaceMembers } from './bundle-rows.ts'
import { touchCatalogue } from '../products/catalogue.ts'
import { findKinds } from '../products/product-rows.ts'
import { presentProduct, type Plugin } from '../products/schema.ts'

const MAX_MEMBERS = 200

/** The products in a bundle, the earliest first; a product that is no bundle has none. */
export async function getMembers(ctx: ReadContext, scope: Scope): Promise<Plugin[]> {
  const rows = await listMembers(ctx.db, scope)
  const keys = keysShownTo(scope, ctx.keys)
  return rows.map((row) => presentProduct(row, keys, ctx))
}

/** Says which products are in a bundle; 400 for members that cannot be, and for any in what is no bundle. */
export async function setMembers(
  ctx: TxContext,
  scope: Scope,
  { members }: { readonly members: string },
): Promise<Plugin[]> {
  const bundle = await hold(ctx.db, 'products', scope, scope.productId)
  if (!bundle) throw notFound('product')
  const problems: FieldError[] = []
  const ids = await memberIds(ctx, scope, members, problems)
  if (bundle.kind !== 'bundle' && ids.length > 0) {
    problems.push({ field: 'members', message: 'must be empty but in a bundle' })
  }
  if (problems.length > 0) throw invalidFields(problems)
  await replaceMembers(ctx.db, scope, ids)
  await touchCatalogue(ctx.db, scope)
  return getMembers(ctx, scope)
}

/** Ids of products of the developer that are no bundles; what does not fit is added to `problems`. */
export async function memberIds(
  ctx: ReadContext,
  scope: Scope,
  members: string,
  problems: FieldError[],
): Promise<readonly number[]> {
  const ids = parseIdList(members)
  const found = ids && ids.length > 0 ? await findKinds(ctx.db, scope, ids) : []
  const fitting = found.filter(({ kind }) => kind !== 'bundle')
  if (ids?.length === fitting.length && ids.length <= MAX_MEMBERS) return ids
  const message = `must be ids of at most ${MAX_MEMBERS} products of the developer that are no bundles, each once`
  problems.push({ field: 'members', message })
  return []
}

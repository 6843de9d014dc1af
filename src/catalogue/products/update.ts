import { hold } from '../../db/hold.ts'
import type { TxContext } from '../../context.ts'
import { isDuplicate } from '../../db/duplicate.ts'
import type { Problems } from '../../http/decode.ts'
import type { Scope } from '../../access/scope.ts'
import { differences } from '../../lib/differences.ts'
import { invalid, invalidFields, notFound, type FieldError } from '../../lib/errors.ts'
import { parseIdList } from '../../lib/id-list.ts'
import { inOrderOf } from '../../lib/order-list.ts'
import type { ProductUpdate } from './input-schema.ts'
import { PRODUCT } from './product.entity.ts'
import { findFeatureIds, findPlanIds, updateProductRow } from './queries.ts'
import { changedType } from './types.ts'
import type { ProductChange, ProductRow, WholeProduct } from './schema.ts'

/** Hundredths of a percent. */
const WHOLE = 10_000

/** A title that was given has something to read. */
export async function checkTitle({ title }: { readonly title?: string }, problems: Problems): Promise<void> {
  if (title?.trim() === '') problems.malformed.push({ field: 'title', message: 'must not be empty' })
}

/**
 * Writes what was given; `icon` is the path of a kept picture. Orders of plans and features hold ids of the product only, and are completed by
 * those they leave out. 400 naming every field that does not fit, 400 `product_slug_taken`.
 */
export async function updateProduct(
  ctx: TxContext,
  scope: Scope,
  input: ProductUpdate,
  icon: string | undefined,
): Promise<ProductRow> {
  const before = await hold(ctx.db, 'products', scope, scope.productId)
  if (!before) throw notFound('product')
  const problems: FieldError[] = []
  const plans = await findPlanIds(ctx.db, scope)
  const features = input.features === undefined ? [] : await findFeatureIds(ctx.db, scope)
  const change = {
    ...plainChange(input),
    ...(input.type !== undefined && changedType(before, input.type)),
    ...(icon !== undefined && { icon }),
    ...order('plans', input.plans, { before: before.plans, rows: plans, problems }),
    ...order('features', input.features, { before: before.features, rows: features, problems }),
  }
  const defaultPlan = input.default_plan_id ?? null
  if (defaultPlan !== null && !plans.some(({ id }) => id === defaultPlan)) {
    problems.push({ field: 'default_plan_id', message: 'must be a plan of the product' })
  }
  if (isAboveAll(before, change)) {
    problems.push({ field: 'annual_renewals_discount', message: 'must be at most 100 percent' })
  }
  if (problems.length > 0) throw invalidFields(problems)
  return changeProduct(ctx, scope, before, change)
}

/**
 * Writes the columns that differ; a change of nothing writes nothing. 400 `product_slug_taken` when another
 * product of the developer has the slug.
 */
export async function changeProduct(
  ctx: TxContext,
  scope: Scope,
  before: WholeProduct,
  change: ProductChange,
): Promise<ProductRow> {
  if (!differences<ProductChange>(before, change)) return before
  try {
    return await updateProductRow(ctx.db, scope, { ...change, updated: ctx.clock.now() })
  } catch (error) {
    if (isDuplicate(error)) throw slugTaken()
    throw error
  }
}

export const slugTaken = () =>
  invalid('product_slug_taken', 'There is a product of this name among those of the developer.', 'slug')

/** What needs no look at other rows; a key that was not given is not there. */
function plainChange(input: ProductUpdate): ProductChange {
  const { plans: _, features: _1, type: _2, default_plan_id: plan, ...same } = PRODUCT.read('update', input)
  return { ...same, ...(typeof plan === 'number' && { default_plan_id: plan }) }
}

interface Order {
  /** As it stands. */
  readonly before: string
  /** Everything that can stand in it. */
  readonly rows: readonly { readonly id: number }[]
  readonly problems: FieldError[]
}

function order(
  field: 'plans' | 'features',
  given: string | undefined,
  { before, rows, problems }: Order,
): ProductChange {
  if (given === undefined) return {}
  const ids = parseIdList(given)
  if (ids?.every((id) => rows.some((row) => row.id === id)) !== true) {
    problems.push({ field, message: `must be ids of ${field} of the product, each once` })
    return {}
  }
  const rest = inOrderOf(before, rows).filter(({ id }) => !ids.includes(id))
  return { [field]: [...ids, ...rest.map(({ id }) => id)].join(',') }
}

/** Whether the discount of renewals is more than the whole price. */
function isAboveAll(before: WholeProduct, change: ProductChange): boolean {
  const { annual_renewals_discount: discount, renewals_discount_type: type } = { ...before, ...change }
  return type === 'percentage' && (discount ?? 0) > WHOLE
}

import type { ReadContext, TxContext } from '../../context.ts'
import type { Problems } from '../../http/decode.ts'
import type { Scope } from '../../access/scope.ts'
import { differences } from '../../lib/differences.ts'
import { invalid, notFound } from '../../lib/errors.ts'
import { inOrderOf } from '../../lib/order-list.ts'
import { slugOf } from '../../lib/slug.ts'
import { recordEvent } from '../../events/log/record.ts'
import { addToPlanOrder, removeFromPlanOrder, touchCatalogue } from '../products/catalogue.ts'
import { refuseWhenInUse, removeUnlessHeld } from './in-use.ts'
import { deletePricingOf } from './pricing-queries.ts'
import { PLAN } from './plan.entity.ts'
import { deletePlanRow, findPlan, insertPlan, listPlans, updatePlanRow } from './queries.ts'
import { presentPlan, type Plan, type PlanCreate, type PlanRow, type PlanUpdate } from './schema.ts'

/** The plan's row; 404 when the product has no such plan. */
export async function getPlan(ctx: ReadContext, scope: Scope, id: number): Promise<PlanRow> {
  const [plan] = await findPlan(ctx.db, scope, { id })
  if (!plan) throw notFound('plan')
  return plan
}

export interface PlanFilter {
  readonly type: 'all' | 'visible'
  readonly show_pending: boolean
}

/**
 * The plans of a product in the seller's order, the default one first: a client takes the first one for an
 * installation whose license ended (`docs/interface.md` 1.8). Of an unreleased product only on request.
 */
export async function getPlans(
  ctx: ReadContext,
  scope: Scope,
  { type, show_pending: showPending }: PlanFilter = { type: 'all', show_pending: true },
): Promise<Plan[]> {
  const rows = await listPlans(ctx.db, scope, {})
  const [first] = rows
  if (!first || (!first.is_released && !showPending)) return []
  return inOrderOf(first.plan_order, rows, first.default_plan_id)
    .filter((plan) => type === 'all' || !plan.is_hidden)
    .map(presentPlan)
}

/** Of name and title one is needed; the other is taken from it. */
export async function checkPlanCreate({ name, title }: PlanCreate, problems: Problems): Promise<void> {
  if (name !== undefined || problems.has('name') || problems.has('title')) return
  if (title === undefined) {
    problems.missing.push({ field: 'name', message: 'or title is required' })
    problems.missing.push({ field: 'title', message: 'or name is required' })
  } else if (slugOf(title) === '') {
    problems.missing.push({ field: 'name', message: 'is required where the title has no letters' })
  }
}

/** Adds a plan at the end of the product's order; 400 `plan_name_taken` when it has one of this name. */
export async function createPlan(ctx: TxContext, scope: Scope, input: PlanCreate): Promise<Plan> {
  await touchCatalogue(ctx.db, scope)
  const name = input.name ?? slugOf(input.title ?? '')
  const columns = {
    ...PLAN.initial,
    name,
    title: name,
    ...PLAN.columns(PLAN.read('create', { ...input, name })),
    product_id: scope.productId,
    created: ctx.clock.now(),
    updated: null,
  }
  const created = await insertPlan(ctx.db, columns)
  if (!created) throw nameTaken()
  await addToPlanOrder(ctx.db, scope, created.id)
  await recordEvent(ctx, scope, { type: 'plan.created', data: { plan_id: String(created.id) } })
  return presentPlan({ ...columns, id: created.id })
}

/** Writes what was given and differs; 400 `plan_name_taken` when another plan has the new name. */
export async function updatePlan(ctx: TxContext, scope: Scope, id: number, input: PlanUpdate): Promise<Plan> {
  const seen = await getPlan(ctx, scope, id)
  if (!changeOf(seen, input)) return presentPlan(seen)
  await touchCatalogue(ctx.db, scope)
  const before = await getPlan(ctx, scope, id)
  const change = { ...writtenBy(input), updated: ctx.clock.now() }
  if (!(await updatePlanRow(ctx.db, scope, id, change))) throw nameTaken()
  const data = { plan_id: String(id), ...changeOf(before, input) }
  await recordEvent(ctx, scope, { type: 'plan.updated', data })
  return presentPlan({ ...before, ...change })
}

/**
 * Removes a plan with its prices and its features' values; 404 when the product has no such plan, 400 `plan_in_use`
 * when something holds it.
 */
export async function deletePlan(ctx: TxContext, scope: Scope, id: number): Promise<void> {
  await touchCatalogue(ctx.db, scope)
  await getPlan(ctx, scope, id)
  await refuseWhenInUse(ctx, scope, { planId: id })
  const sold = { planId: id }
  const prices = await removeUnlessHeld(ctx, sold, () => deletePricingOf(ctx.db, scope, id))
  if (!(await removeUnlessHeld(ctx, sold, () => deletePlanRow(ctx.db, scope, id)))) throw notFound('plan')
  await removeFromPlanOrder(ctx.db, scope, id)
  for (const price of prices) {
    const data = { pricing_id: String(price.id), plan_id: String(id) }
    await recordEvent(ctx, scope, { type: 'pricing.deleted', data })
  }
  await recordEvent(ctx, scope, { type: 'plan.deleted', data: { plan_id: String(id) } })
}

const nameTaken = () => invalid('plan_name_taken', 'The product has a plan of this name.', 'name')

const writtenBy = (input: PlanUpdate) => PLAN.columns(PLAN.read('update', input))

const changeOf = (row: PlanRow, input: PlanUpdate) =>
  differences(presentPlan(row), presentPlan({ ...row, ...writtenBy(input) }))

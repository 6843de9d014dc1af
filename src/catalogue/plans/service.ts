import type { ReadContext, TxContext } from '../../context.ts'
import type { Flag } from '../../db/tables/columns.ts'
import type { Problems } from '../../http/decode.ts'
import type { Scope } from '../../access/scope.ts'
import { differences } from '../../lib/differences.ts'
import { invalid, notFound } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import { inOrderOf } from '../../lib/order-list.ts'
import { slugOf } from '../../lib/slug.ts'
import { toUtcTime } from '../../lib/time.ts'
import { recordEvent } from '../../events/log/record.ts'
import { addToPlanOrder, removeFromPlanOrder, touchCatalogue } from '../products/catalogue.ts'
import { refuseWhenInUse, removeUnlessHeld } from './in-use.ts'
import { deletePricingOf } from './pricing-queries.ts'
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
  if (!first || (first.is_released === 0 && !showPending)) return []
  return inOrderOf(first.plan_order, rows, first.default_plan_id)
    .filter((plan) => type === 'all' || plan.is_hidden === 0)
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
    ...written({ ...NEW, title: name }, { ...input, name }),
    product_id: scope.productId,
    created: toUtcTime(ctx.clock.real()),
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
  const change = { ...written(before, input), updated: toUtcTime(ctx.clock.real()) }
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

const changeOf = (row: PlanRow, input: PlanUpdate) =>
  differences(presentPlan(row), presentPlan({ ...row, ...written(row, input) }))

type Columns = Omit<PlanRow, 'id' | 'created' | 'updated' | 'product_id'>

const NEW: Columns = {
  name: '',
  title: '',
  description: null,
  is_free_localhost: 1,
  is_block_features: 1,
  is_block_features_monthly: 1,
  license_type: 0,
  trial_period: null,
  is_require_subscription: 0,
  support_kb: null,
  support_forum: null,
  support_email: null,
  support_phone: null,
  is_success_manager: 0,
  is_featured: 0,
  is_hidden: 0,
}

/** The columns with what was given in the place of what was. */
const written = (was: Columns, given: PlanUpdate): Columns => ({
  name: given.name === undefined ? was.name : fold(given.name),
  title: or(given.title, was.title),
  description: or(given.description, was.description),
  is_free_localhost: flagOr(given.is_free_localhost, was.is_free_localhost),
  is_block_features: flagOr(given.is_block_features, was.is_block_features),
  is_block_features_monthly: flagOr(given.is_block_features_monthly, was.is_block_features_monthly),
  license_type: or(given.license_type, was.license_type),
  trial_period: or(given.trial_period, was.trial_period) || null,
  is_require_subscription: flagOr(given.is_require_subscription, was.is_require_subscription),
  support_kb: or(given.support_kb, was.support_kb),
  support_forum: or(given.support_forum, was.support_forum),
  support_email: or(given.support_email, was.support_email),
  support_phone: or(given.support_phone, was.support_phone),
  is_success_manager: flagOr(given.is_success_manager, was.is_success_manager),
  is_featured: flagOr(given.is_featured, was.is_featured),
  is_hidden: flagOr(given.is_hidden, was.is_hidden),
})

const or = <T>(given: T | undefined, was: T): T => (given === undefined ? was : given)
const flagOr = (given: boolean | undefined, was: Flag): Flag => (given === undefined ? was : given ? 1 : 0)

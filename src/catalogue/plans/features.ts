import type { ReadContext, TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import type { Paged } from '../../http/wire.ts'
import { differences } from '../../lib/differences.ts'
import { notFound } from '../../lib/errors.ts'
import { inOrderOf } from '../../lib/order-list.ts'
import { addToFeatureOrder, removeFromFeatureOrder, touchCatalogue } from '../products/catalogue.ts'
import {
  deleteFeatureRow,
  deleteFeatureValue,
  findFeature,
  insertFeature,
  listFeatures,
  updateFeatureRow,
  upsertFeatureValue,
} from './feature-queries.ts'
import { listFeaturesOfPlan } from './feature-rows.ts'
import {
  presentFeature,
  presentFeatureOfPlan,
  type Feature,
  type FeatureCreate,
  type FeatureOfPlan,
  type FeatureRow,
  type FeatureUpdate,
  type FeatureValueRow,
} from './feature-schema.ts'
import { getPlan } from './service.ts'

interface FeatureOfPlanId {
  readonly plan_id: number
  readonly feature_id: number
}

/** The feature's row; 404 when the product has no such feature. */
export async function getFeature(ctx: ReadContext, scope: Scope, id: number): Promise<FeatureRow> {
  const [feature] = await findFeature(ctx.db, scope, { id })
  if (!feature) throw notFound('feature')
  return feature
}

/** A page of the product's features in the seller's order. */
export async function getFeatures(ctx: ReadContext, scope: Scope, page: Paged): Promise<Feature[]> {
  return pageOf(await listFeatures(ctx.db, scope, {}), page).map(presentFeature)
}

/** A page of the features that a plan has, in the seller's order; 404 when there is no such plan. */
export async function getFeaturesOfPlan(
  ctx: ReadContext,
  scope: Scope,
  planId: number,
  page: Paged,
): Promise<FeatureValueRow[]> {
  await getPlan(ctx, scope, planId)
  return pageOf(await listFeaturesOfPlan(ctx.db, scope, { planId }), page)
}

/** The order is text of the product, so that a page is cut from all features of it. */
function pageOf<T extends { readonly id: number; readonly feature_order: string }>(
  rows: readonly T[],
  { count, offset }: Paged,
): T[] {
  return inOrderOf(rows[0]?.feature_order ?? '', rows).slice(offset, offset + count)
}

/** Adds a feature at the end of the product's order; no plan has it yet. */
export async function createFeature(ctx: TxContext, scope: Scope, input: FeatureCreate): Promise<Feature> {
  await touchCatalogue(ctx.db, scope)
  const row = await insertFeature(ctx.db, {
    product_id: scope.productId,
    title: input.title,
    description: input.description ?? '',
    is_featured: input.is_featured,
    created: ctx.clock.now(),
    updated: null,
  })
  await addToFeatureOrder(ctx.db, scope, row.id)
  return presentFeature(row)
}

/** Writes what was given and differs. */
export async function updateFeature(
  ctx: TxContext,
  scope: Scope,
  id: number,
  input: FeatureUpdate,
): Promise<Feature> {
  const seen = await getFeature(ctx, scope, id)
  const { is_featured: featured = seen.is_featured } = input
  const change = {
    title: input.title ?? seen.title,
    description: input.description ?? seen.description,
    is_featured: featured,
  } as const
  if (!differences(seen, { ...seen, ...change })) return presentFeature(seen)
  await touchCatalogue(ctx.db, scope)
  const updated = ctx.clock.now()
  await updateFeatureRow(ctx.db, scope, id, { ...change, updated })
  return presentFeature(await getFeature(ctx, scope, id))
}

/** Removes a feature, and with it its values in plans. */
export async function deleteFeature(ctx: TxContext, scope: Scope, id: number): Promise<void> {
  await touchCatalogue(ctx.db, scope)
  if (!(await deleteFeatureRow(ctx.db, scope, id))) throw notFound('feature')
  await removeFromFeatureOrder(ctx.db, scope, id)
}

/** Gives a plan a feature with this value, or without one (null); 404 when either does not exist. */
export async function setFeatureValue(
  ctx: TxContext,
  scope: Scope,
  { plan_id: planId, feature_id: featureId }: FeatureOfPlanId,
  value: string | null,
): Promise<FeatureOfPlan> {
  await touchCatalogue(ctx.db, scope)
  await getPlan(ctx, scope, planId)
  const feature = await getFeature(ctx, scope, featureId)
  await upsertFeatureValue(ctx.db, {
    product_id: scope.productId,
    plan_id: planId,
    feature_id: featureId,
    value,
    created: ctx.clock.now(),
    updated: null,
  })
  return presentFeatureOfPlan({ ...feature, plan_id: planId, value })
}

/** Takes a feature from a plan; 404 when the plan does not have it. */
export async function removeFeatureValue(
  ctx: TxContext,
  scope: Scope,
  { plan_id: planId, feature_id: featureId }: FeatureOfPlanId,
): Promise<void> {
  await touchCatalogue(ctx.db, scope)
  if (!(await deleteFeatureValue(ctx.db, scope, { planId, featureId }))) throw notFound('feature of the plan')
}

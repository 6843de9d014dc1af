import type { Selectable } from 'kysely'
import { Type, type Static } from '../../lib/type.ts'
import type { FeaturesTable, FeatureValuesTable } from '../../db/tables/plans.ts'
import { Arguments, Id, IdText, Nullable, Optional, Text, Time } from '../../http/wire.ts'

export type FeatureRow = Selectable<FeaturesTable>
/** A feature with what a plan says of it. */
export type FeatureValueRow = FeatureRow & Pick<Selectable<FeatureValuesTable>, 'plan_id' | 'value'>

/** The columns of a feature, with the table's name, so that a query may join. */
export const FEATURE_COLUMNS = [
  'features.id',
  'features.created',
  'features.updated',
  'features.product_id',
  'features.title',
  'features.description',
  'features.is_featured',
] as const satisfies readonly `features.${keyof FeatureRow}`[]

const fields = {
  id: IdText(),
  created: Time(),
  updated: Nullable(Time()),
  plugin_id: IdText(),
  title: Type.String(),
  description: Type.String({ description: 'Tooltip.' }),
  is_featured: Type.Boolean({ description: 'In the main table; otherwise only in the comparison.' }),
}

/** The contract's `Feature`. */
export const Feature = Type.Object(fields, { title: 'Feature' })
export type Feature = Static<typeof Feature>

/** A feature merged with a plan's value of it; the id is the feature's. */
export const FeatureOfPlan = Type.Object(
  { ...fields, plan_id: IdText(), value: Nullable(Type.String()) },
  { title: 'FeatureOfPlan' },
)
export type FeatureOfPlan = Static<typeof FeatureOfPlan>

/** The contract's `FeatureEnriched`: in a pricing table the value is text, empty where there is none. */
export const FeatureEnriched = Type.Object(
  { ...fields, plan_id: IdText(), value: Type.String() },
  { title: 'FeatureEnriched' },
)
export type FeatureEnriched = Static<typeof FeatureEnriched>

export const FeatureId = Arguments({ feature_id: Id('ID of the feature.') })
export const PlanFeatureId = Arguments({
  plan_id: Id('ID of the plan.'),
  feature_id: Id('ID of the feature.'),
})

const description = Optional(Text({ max: 256, format: 'text', description: 'Tooltip.' }))

export const FeatureCreate = Arguments({
  title: Text({ min: 1, max: 255, description: 'Shown name.' }),
  description,
  is_featured: Type.Boolean({ default: true, description: 'In the main table.' }),
})
export type FeatureCreate = Static<typeof FeatureCreate>

/** The body of products/update-feature; a value belongs to a plan. */
export const FeatureUpdate = Arguments({
  title: Optional(Text({ min: 1, max: 255, description: 'Shown name.' })),
  description,
  is_featured: Optional(Type.Boolean()),
})
export type FeatureUpdate = Static<typeof FeatureUpdate>

export const FeatureValue = Arguments({
  value: Optional(Nullable(Text({ max: 255, description: 'Value of the feature in the plan.' }))),
})
export type FeatureValue = Static<typeof FeatureValue>

/** Row → wire. */
export const presentFeature = (row: FeatureRow): Feature => ({
  id: String(row.id),
  created: row.created,
  updated: row.updated,
  plugin_id: String(row.product_id),
  title: row.title,
  description: row.description,
  is_featured: row.is_featured,
})

/** Row → wire. */
export const presentFeatureOfPlan = (row: FeatureValueRow): FeatureOfPlan => ({
  ...presentFeature(row),
  plan_id: String(row.plan_id),
  value: row.value,
})

/** A feature as it stands in a pricing table. */
export const enriched = (feature: Feature, planId: number, value: string | null): FeatureEnriched => ({
  ...feature,
  plan_id: String(planId),
  value: value ?? '',
})

import type { Selectable } from 'kysely'
import { Type, type Static } from 'typebox'
import type { PlansTable } from '../../db/tables/plans.ts'
import { Arguments, Choice, Id, IdText, Nullable, Optional, Text, Time } from '../../http/wire.ts'

export type PlanRow = Selectable<PlansTable>

/** The columns of a plan, with the table's name, so that a query may join. */
export const PLAN_COLUMNS = [
  'plans.id',
  'plans.created',
  'plans.updated',
  'plans.product_id',
  'plans.name',
  'plans.title',
  'plans.description',
  'plans.is_free_localhost',
  'plans.is_block_features',
  'plans.is_block_features_monthly',
  'plans.license_type',
  'plans.trial_period',
  'plans.is_require_subscription',
  'plans.support_kb',
  'plans.support_forum',
  'plans.support_email',
  'plans.support_phone',
  'plans.is_success_manager',
  'plans.is_featured',
  'plans.is_hidden',
] as const satisfies readonly `plans.${keyof PlanRow}`[]

const LICENSE_TYPES = [0, 1] as const

const fields = {
  id: IdText(),
  created: Time(),
  updated: Nullable(Time()),
  plugin_id: IdText(),
  name: Type.String({ description: 'Lower-case slug, unique in its product.' }),
  title: Type.String(),
  description: Nullable(Type.String()),
  is_free_localhost: Type.Boolean(),
  is_block_features: Type.Boolean(),
  is_block_features_monthly: Type.Boolean(),
  license_type: Choice(LICENSE_TYPES),
  trial_period: Nullable(Type.Integer({ description: 'Days; null: no trial.' })),
  is_require_subscription: Type.Boolean(),
  support_kb: Nullable(Type.String()),
  support_forum: Nullable(Type.String()),
  support_email: Nullable(Type.String()),
  support_phone: Nullable(Type.String()),
  is_success_manager: Type.Boolean(),
  is_featured: Type.Boolean(),
  is_hidden: Type.Boolean(),
}
export const PLAN_FIELDS = fields

/** The contract's `Plan`; flat, since a client fails on a list in it (`docs/interface.md` 1.8). */
export const Plan = Type.Object(fields, { title: 'Plan' })
export type Plan = Static<typeof Plan>

export const PlanId = Arguments({ plan_id: Id('ID of the plan.') })

const url = () => Optional(Nullable(Text({ max: 2048, format: 'http-url' })))

const written = {
  name: Optional(Text({ max: 100, format: 'slug', description: 'Lower-case slug; taken from the title.' })),
  title: Optional(Text({ min: 1, max: 100, description: 'Shown name, without the word "Plan".' })),
  description: Optional(Nullable(Text({ max: 1000, format: 'text' }))),
  trial_period: Optional(Nullable(Type.Integer({ minimum: 0, maximum: 3650, description: 'Days.' }))),
  is_require_subscription: Optional(Type.Boolean()),
  support_kb: url(),
  support_forum: url(),
  support_email: Optional(Nullable(Text({ max: 254, format: 'email' }))),
  support_phone: Optional(Nullable(Text({ max: 50 }))),
  is_success_manager: Optional(Type.Boolean()),
  is_featured: Optional(Type.Boolean()),
}

/** The body of plans/create: of name and title one is enough. */
export const PlanCreate = Arguments({
  ...written,
  is_free_localhost: Type.Boolean({ default: true }),
  is_block_features: Type.Boolean({ default: true }),
  is_block_features_monthly: Type.Boolean({ default: true }),
  license_type: Choice(LICENSE_TYPES, { default: 0 }),
})
export type PlanCreate = Static<typeof PlanCreate>

/** The body of plans/update: what is not given stays. */
export const PlanUpdate = Arguments({
  ...written,
  is_free_localhost: Optional(Type.Boolean()),
  is_block_features: Optional(Type.Boolean()),
  is_block_features_monthly: Optional(Type.Boolean()),
  license_type: Optional(Choice(LICENSE_TYPES)),
  is_hidden: Optional(Type.Boolean()),
})
export type PlanUpdate = Static<typeof PlanUpdate>

/** Row → wire. */
export const presentPlan = (row: PlanRow): Plan => ({
  id: String(row.id),
  created: row.created,
  updated: row.updated,
  plugin_id: String(row.product_id),
  name: row.name,
  title: row.title,
  description: row.description,
  is_free_localhost: row.is_free_localhost === 1,
  is_block_features: row.is_block_features === 1,
  is_block_features_monthly: row.is_block_features_monthly === 1,
  license_type: row.license_type,
  trial_period: row.trial_period,
  is_require_subscription: row.is_require_subscription === 1,
  support_kb: row.support_kb,
  support_forum: row.support_forum,
  support_email: row.support_email,
  support_phone: row.support_phone,
  is_success_manager: row.is_success_manager === 1,
  is_featured: row.is_featured === 1,
  is_hidden: row.is_hidden === 1,
})

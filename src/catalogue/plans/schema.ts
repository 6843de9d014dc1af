import type { Selectable } from 'kysely'
import { Type, type Static } from '../../lib/type.ts'
import type { PlansTable } from '../../db/tables/plans.ts'
import { withLast } from '../../http/entity.ts'
import { Arguments, Id, Text } from '../../http/wire.ts'
import { PLAN } from './plan.entity.ts'

export type PlanRow = Selectable<PlansTable>

/** The columns of a plan, with the table's name, so that a query may join. */
export const PLAN_COLUMNS = Object.keys(PLAN.fields).map(
  (name) => `plans.${name}`,
) as `plans.${keyof PlanRow}`[]

/** The contract's `Plan`; flat, since a client fails on a list in it (`docs/interface.md` 1.8). */
export const Plan = Type.Object(PLAN.shown, { title: 'Plan' })
export type Plan = Static<typeof Plan>

export const PlanId = Arguments({ plan_id: Id('ID of the plan.') })

const RULES = ['is_free_localhost', 'is_block_features', 'is_block_features_monthly', 'license_type'] as const

/** The body of plans/create: of name and title one is enough. */
export const PlanCreate = Arguments(withLast(PLAN.create, RULES))
export type PlanCreate = Static<typeof PlanCreate>

/** The body of plans/update: what is not given stays. */
export const PlanUpdate = Arguments(withLast(PLAN.update, [...RULES, 'is_hidden']))
export type PlanUpdate = Static<typeof PlanUpdate>

/** The body of an order of plans. */
export const PlanOrder = Arguments({
  ids: Text({
    max: 20_000,
    format: 'ids',
    description: 'Each plan of the product once, by commas, in their order.',
  }),
})
export type PlanOrder = Static<typeof PlanOrder>

/** Row → wire. */
export const presentPlan: (row: PlanRow) => Plan = PLAN.present

import type { Selectable } from 'kysely'
import { Type, type Static } from '../../lib/type.ts'
import type { PricingTable } from '../../db/tables/plans.ts'
import { withLast } from '../../http/entity.ts'
import { Arguments, Choice, Id, Optional } from '../../http/wire.ts'
import { CURRENCIES } from '../../lib/money.ts'
import { PRICE } from './price.entity.ts'

export type PricingRow = Selectable<PricingTable>

/** The contract's `Pricing`; prices in units of its currency, null where a cycle is not sold. */
export const Pricing = Type.Object(PRICE.shown, { title: 'Pricing' })
export type Pricing = Static<typeof Pricing>

export const PricingId = Arguments({
  plan_id: Id('ID of the plan.'),
  pricing_id: Id('ID of the price.'),
})

export const CurrencyFilter = PRICE.filter

/** The body of plans/create-pricing. */
export const PricingCreate = Arguments(withLast(PRICE.create, ['licenses', 'currency']))
export type PricingCreate = Static<typeof PricingCreate>

/** The body of plans/update-pricing: what is not given stays. */
export const PricingUpdate = Arguments(
  withLast(PRICE.update, ['licenses', 'currency', 'plan_id', 'is_whitelabeled', 'is_hidden']),
)
export type PricingUpdate = Static<typeof PricingUpdate>

/** The body of plans/clone-pricing-other-currency. */
export const PricingClone = Arguments({
  to_currency: Optional(Choice(CURRENCIES)),
  from_currency: Choice(CURRENCIES, { default: 'usd' }),
})
export type PricingClone = Static<typeof PricingClone>

/** Row → wire. */
export const presentPricing: (row: Omit<PricingRow, 'twin_of'>) => Pricing = PRICE.present

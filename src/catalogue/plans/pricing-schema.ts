import type { Selectable } from 'kysely'
import { Type, type Static } from 'typebox'
import type { PricingTable } from '../../db/tables/plans.ts'
import { Arguments, Choice, Id, IdText, Nullable, Optional, Price, Time } from '../../http/wire.ts'
import { CURRENCIES, toDecimal } from '../../lib/money.ts'

export type PricingRow = Selectable<PricingTable>

/** The contract's `Pricing`; prices in units of its currency, null where a cycle is not sold. */
export const Pricing = Type.Object(
  {
    id: IdText(),
    created: Time(),
    updated: Nullable(Time()),
    currency: Choice(CURRENCIES),
    plan_id: IdText(),
    licenses: Nullable(Type.Integer({ description: 'Activations of a license; null: unlimited.' })),
    monthly_price: Nullable(Type.Number()),
    annual_price: Nullable(Type.Number()),
    lifetime_price: Nullable(Type.Number()),
    is_whitelabeled: Type.Boolean(),
    is_hidden: Type.Boolean(),
  },
  { title: 'Pricing' },
)
export type Pricing = Static<typeof Pricing>

export const PricingId = Arguments({
  plan_id: Id('ID of the plan.'),
  pricing_id: Id('ID of the price.'),
})

export const CurrencyFilter = { currency: Optional(Choice(CURRENCIES, { description: 'Keeps one.' })) }

const prices = {
  monthly_price: Optional(Nullable(Price('Price of a month; null: not sold.'))),
  annual_price: Optional(Nullable(Price('Price of a year; null: not sold.'))),
  lifetime_price: Optional(Nullable(Price('One-time price; null: not sold.'))),
}

const licenses = (description: string) =>
  Optional(Nullable(Type.Integer({ minimum: 0, maximum: 1_000_000_000, description })))

/** The body of plans/create-pricing. */
export const PricingCreate = Arguments({
  ...prices,
  licenses: licenses('Activations of a license; null or 0: unlimited; absent: 1.'),
  currency: Optional(Choice(CURRENCIES, { description: 'Absent: as in the query, otherwise usd.' })),
})
export type PricingCreate = Static<typeof PricingCreate>

/** The body of plans/update-pricing: what is not given stays. */
export const PricingUpdate = Arguments({
  ...prices,
  licenses: licenses('Activations of a license; null or 0: unlimited.'),
  currency: Optional(Choice(CURRENCIES)),
  plan_id: Optional(Id('ID of another plan of the product, to which the price moves.')),
  is_whitelabeled: Optional(Type.Boolean()),
  is_hidden: Optional(Type.Boolean()),
})
export type PricingUpdate = Static<typeof PricingUpdate>

/** The body of plans/clone-pricing-other-currency. */
export const PricingClone = Arguments({
  to_currency: Optional(Choice(CURRENCIES)),
  from_currency: Choice(CURRENCIES, { default: 'usd' }),
})
export type PricingClone = Static<typeof PricingClone>

/** Row → wire. */
export const presentPricing = (row: Omit<PricingRow, 'twin_of'>): Pricing => ({
  id: String(row.id),
  created: row.created,
  updated: row.updated,
  currency: row.currency,
  plan_id: String(row.plan_id),
  licenses: row.licenses,
  monthly_price: decimalOf(row.monthly_price),
  annual_price: decimalOf(row.annual_price),
  lifetime_price: decimalOf(row.lifetime_price),
  is_whitelabeled: row.is_whitelabeled === 1,
  is_hidden: row.is_hidden === 1,
})

const decimalOf = (minor: number | null) => (minor === null ? null : toDecimal(minor))

import { Type } from '../../lib/type.ts'
import { entity } from '../../http/entity.ts'
import { choice, flag, id, integer, money, time } from '../../http/entity-fields.ts'
import { Nullable, Optional } from '../../http/wire.ts'
import { CURRENCIES } from '../../lib/money.ts'

/** Null where a cycle is not sold. */
const price = (description: string) =>
  ({ null: true, initial: null, create: description, update: description }) as const

/** 0 licenses are unlimited ones. */
const licenses = (description: string) => ({
  schema: Optional(Nullable(Type.Integer({ minimum: 0, maximum: 1_000_000_000, description }))),
  read: (sent: number | null) => sent || null,
})

/** What a plan costs for a number of licenses in a currency; fields in the order of the reply. */
export const PRICE = entity(
  'pricing',
  {
    id: id({ filled: true }),
    created: time({}),
    updated: time({ null: true }),
    product_id: id({ hidden: true }),
    currency: choice(CURRENCIES, {
      initial: 'usd',
      create: 'Absent: as in the query, otherwise usd.',
      update: true,
      filter: 'Keeps one.',
    }),
    plan_id: id({ update: 'ID of another plan of the product, to which the price moves.' }),
    licenses: integer({
      null: true,
      initial: 1,
      description: 'Activations of a license; null: unlimited.',
      create: licenses('Activations of a license; null or 0: unlimited; absent: 1.'),
      update: licenses('Activations of a license; null or 0: unlimited.'),
    }),
    monthly_price: money(price('Price of a month; null: not sold.')),
    annual_price: money(price('Price of a year; null: not sold.')),
    lifetime_price: money(price('One-time price; null: not sold.')),
    is_whitelabeled: flag({ initial: false, update: true }),
    is_hidden: flag({ initial: false, update: true }),
    /** Of a price that stood twice before that was refused: the id of the other one; else 0. */
    twin_of: id({ filled: true, hidden: true }),
  },
  { told: 'pricing.updated' },
)

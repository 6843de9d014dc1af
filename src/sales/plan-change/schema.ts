import { Type, type Static } from '../../lib/type.ts'
import { Arguments, Choice, Fields, Id, IdText, Nullable, Optional, Time } from '../../http/wire.ts'

/** Which plan a license shall have; of a price the number of sites too. */
const choice = {
  plan_id: Id('A plan of the product.'),
  pricing_id: Optional(
    Nullable(Id('A price of the plan, whose number of sites the license gets; null: it keeps those it has.')),
  ),
}

export const PlanChange = Arguments(choice)
export type PlanChange = Static<typeof PlanChange>

export const PlanChangeQuery = Arguments({ ...choice, ...Fields })

const Standing = Type.Object(
  {
    plan_id: IdText(),
    plan_title: Type.String(),
    pricing_id: Nullable(IdText()),
    quota: Nullable(Type.Integer({ description: 'Null: unlimited.' })),
  },
  { title: 'PlanStanding' },
)

/** Ours: what a license is before and after a change of its plan by the seller. */
export const PlanChangePreview = Type.Object(
  {
    license_id: IdText(),
    from: Standing,
    to: Standing,
    features: Type.Array(
      Type.Object({
        id: IdText(),
        title: Type.String(),
        from: Nullable(Type.String({ description: 'Empty: it is given without a value; null: it is not.' })),
        to: Nullable(Type.String()),
      }),
      { description: 'What the plans give differently, in the order of the product.' },
    ),
    expiration: Nullable(Time('It stays.')),
    over_quota: Type.Integer({
      description: 'Sites above the number of sites: each stays, and none is activated until they are fewer.',
    }),
    subscription: Nullable(
      Type.Object(
        {
          id: IdText(),
          currency: Type.String(),
          billing_cycle: Choice([0, 1, 12], { description: 'Months.' }),
          renewal_amount: Type.Number({
            description: 'Without tax. It stays, as that is what was agreed to.',
          }),
          next_payment: Nullable(Time()),
          price: Nullable(
            Type.Number({ description: 'What who buys it now pays for a cycle; null: it is not sold so.' }),
          ),
        },
        { description: 'What renews it; null: nothing does.' },
      ),
    ),
  },
  { title: 'PlanChangePreview' },
)
export type PlanChangePreview = Static<typeof PlanChangePreview>

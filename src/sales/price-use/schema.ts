import { Type, type Static } from '../../lib/type.ts'
import { Arguments, Choice, Fields, IdText, Nullable } from '../../http/wire.ts'

export const PriceUseQuery = Arguments({
  environment: Type.Unsafe<0 | 1>(
    Choice([0, 1], { default: 0, description: 'Counts what is live (0), or of the sandbox (1).' }),
  ),
  ...Fields,
})
export type PriceUseQuery = Static<typeof PriceUseQuery>

/** Ours: whom a change of a price concerns; null of what the caller's role may not read. */
export const PriceUse = Type.Object(
  {
    pricing_id: IdText(),
    environment: Choice([0, 1]),
    subscriptions_keeping: Nullable(
      Type.Integer({
        description: 'Not cancelled: each goes on at its own amount, whatever becomes of the price.',
      }),
    ),
    licenses_renewed_at_price: Nullable(
      Type.Integer({
        description: 'They end, no subscription was ever for them: renewed at what the price is then.',
      }),
    ),
  },
  { title: 'PriceUse' },
)
export type PriceUse = Static<typeof PriceUse>

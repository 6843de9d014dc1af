import { Type, type Static } from '../../lib/type.ts'
import { withLast } from '../../http/entity.ts'
import { Arguments, Nullable, Optional } from '../../http/wire.ts'
import { CURRENCIES, MAX_PRICE } from '../../lib/money.ts'
import { COUPON } from './coupon.entity.ts'

const Amount = () => Optional(Nullable(Type.Integer({ minimum: 0, maximum: MAX_PRICE })))

const discounts = Optional(
  Type.Refine(
    Type.Object(
      { usd: Amount(), eur: Amount(), gbp: Amount() },
      {
        title: 'DiscountAmounts',
        description:
          'For discount_type dollar: the amount off in each currency, in whole units; usd is the same as ' +
          'discount. Where a currency has none, or null, as many as of US dollars.',
      },
    ),
    (amounts) => Object.keys(amounts).every((name) => (CURRENCIES as readonly string[]).includes(name)),
    () => `must be amounts by ${CURRENCIES.join(', ')}`,
  ),
)

const LAST = [
  'user_type',
  'plans',
  'licenses',
  'billing_cycles',
  'start_date',
  'end_date',
  'redemptions_limit',
  'discounts',
  'has_renewals_discount',
  'has_addons_discount',
  'is_one_per_user',
  'is_active',
] as const

/** The body that creates a coupon. */
export const CouponCreate = Arguments(withLast({ ...COUPON.create, discounts }, LAST))
export type CouponCreate = Static<typeof CouponCreate>

/** The body that changes a coupon: what is not given stays. */
export const CouponUpdate = Arguments(withLast({ ...COUPON.update, discounts }, LAST))
export type CouponUpdate = Static<typeof CouponUpdate>

import { Type, type Static } from 'typebox'
import { DISCOUNT_TYPES, USER_TYPES } from '../../db/tables/coupons.ts'
import { Arguments, Choice, Nullable, Optional } from '../../http/wire.ts'
import { CURRENCIES, MAX_PRICE } from '../../lib/money.ts'
import { parseNumberList } from '../../lib/number-list.ts'
import { parseTimeText } from '../../lib/time-text.ts'
import type { UtcTime } from '../../lib/time.ts'

/** The end of a coupon that has none. */
export const NO_END = '9999-12-31 23:59:59' as UtcTime

const List = (isNumber: (number: number) => boolean, is: string, description: string) =>
  Optional(
    Nullable(
      Type.Refine(
        Type.String({ maxLength: 2000, description }),
        (text) => parseNumberList(text)?.every(isNumber) === true,
        () => `must be a comma-separated list of ${is}`,
      ),
    ),
  )

const DateText = (description: string) =>
  Optional(
    Nullable(
      Type.Refine(
        Type.String({ maxLength: 19, description }),
        (text) => parseTimeText(text, 'first second') !== null,
        () => 'must be a time YYYY-MM-DD HH:MM:SS in UTC, or a date YYYY-MM-DD',
      ),
    ),
  )

/** A code can be seen and typed: no control and no invisible character, and nothing but spaces between words. */
const isCode = (text: string) => /^[[\p{L}\p{M}\p{N}\p{P}\p{S} ]--\p{DI}]+$/v.test(text) && text.trim() !== ''

const Code = () =>
  Type.Refine(
    Type.String({ maxLength: 100, description: 'What the buyer types; compared whatever its case.' }),
    isCode,
    () => 'must be visible characters, not only spaces',
  )

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

const flag = (description: string) => Type.Boolean({ description })

const lists = {
  plans: List((id) => id > 0, 'IDs of plans', 'Comma-separated IDs of plans; null or empty: all.'),
  licenses: List(
    () => true,
    'license quotas',
    'Comma-separated license quotas; 0: unlimited; null or empty: all.',
  ),
  billing_cycles: List(
    (cycle) => [0, 1, 12].includes(cycle),
    '1, 12 and 0',
    'Comma-separated billing cycles; 0: lifetime; null or empty: all.',
  ),
}

const rest = {
  ...lists,
  start_date: DateText('A date alone: its first second. Null: now.'),
  end_date: DateText(`A date alone: its last second. Null: no end, ${NO_END}.`),
  redemptions_limit: Optional(
    Nullable(Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'Null: no limit.' })),
  ),
  discounts,
}

const discount = () =>
  Type.Integer({
    minimum: 0,
    maximum: MAX_PRICE,
    description: 'Whole percent up to 100, or whole US dollars, as discount_type says.',
  })

const flags = {
  has_renewals_discount: flag('Renewals are discounted too.'),
  has_addons_discount: flag('Add-ons are discounted too.'),
  is_one_per_user: flag('Once for each user.'),
  is_active: flag('False: switched off for now.'),
}

/** The body that creates a coupon. */
export const CouponCreate = Arguments({
  code: Code(),
  discount: discount(),
  discount_type: Choice(DISCOUNT_TYPES),
  user_type: Type.Unsafe<(typeof USER_TYPES)[number]>(Choice(USER_TYPES, { default: 'all' })),
  ...rest,
  has_renewals_discount: Type.Boolean({ ...flags.has_renewals_discount, default: false }),
  has_addons_discount: Type.Boolean({ ...flags.has_addons_discount, default: false }),
  is_one_per_user: Type.Boolean({ ...flags.is_one_per_user, default: false }),
  is_active: Type.Boolean({ ...flags.is_active, default: true }),
})
export type CouponCreate = Static<typeof CouponCreate>

/** The body that changes a coupon: what is not given stays. */
export const CouponUpdate = Arguments({
  code: Optional(Code()),
  discount: Optional(discount()),
  discount_type: Optional(Choice(DISCOUNT_TYPES)),
  user_type: Optional(Choice(USER_TYPES)),
  ...rest,
  has_renewals_discount: Optional(flags.has_renewals_discount),
  has_addons_discount: Optional(flags.has_addons_discount),
  is_one_per_user: Optional(flags.is_one_per_user),
  is_active: Optional(flags.is_active),
})
export type CouponUpdate = Static<typeof CouponUpdate>

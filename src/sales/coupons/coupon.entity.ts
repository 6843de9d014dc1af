import { Type } from '../../lib/type.ts'
import { entity } from '../../http/entity.ts'
import { asked, choice, derived, flag, given, id, integer, text, time } from '../../http/entity-fields.ts'
import { Choice, IdText, Nullable, Optional } from '../../http/wire.ts'
import { MAX_PRICE, toDecimal } from '../../lib/money.ts'
import { SOURCE_IDS } from '../../licensing/licenses/license.entity.ts'
import { parseNumberList } from '../../lib/number-list.ts'
import { parseTimeText } from '../../lib/time-text.ts'
import type { UtcTime } from '../../lib/time.ts'

/** The end of a coupon that has none. */
const NO_END = '9999-12-31 23:59:59' as UtcTime

const DISCOUNT_TYPES = ['dollar', 'percentage'] as const
const USER_TYPES = ['all', 'new', 'current', 'previous', 'customer', 'migrated'] as const

/** Kept in ascending order, each number once; null: all. */
const list = (isNumber: (number: number) => boolean, is: string, description: string) =>
  ({
    null: true,
    initial: null,
    ...given({
      schema: Optional(
        Nullable(
          Type.Refine(
            Type.String({ maxLength: 2000, description }),
            (sent) => parseNumberList(sent)?.every(isNumber) === true,
            () => `must be a comma-separated list of ${is}`,
          ),
        ),
      ),
      read: (sent: string | null) => (sent === null ? [] : (parseNumberList(sent) ?? [])).join(',') || null,
    }),
  }) as const

const DateText = (description: string) =>
  Optional(
    Nullable(
      Type.Refine(
        Type.String({ maxLength: 19, description }),
        (sent) => parseTimeText(sent, 'first second') !== null,
        () => 'must be a time YYYY-MM-DD HH:MM:SS in UTC, or a date YYYY-MM-DD',
      ),
    ),
  )

/** A code can be seen and typed: no control and no invisible character, and nothing but spaces between words. */
const isCode = (sent: string) => /^[[\p{L}\p{M}\p{N}\p{P}\p{S} ]--\p{DI}]+$/v.test(sent) && sent.trim() !== ''

const Code = Type.Refine(
  Type.String({ maxLength: 100, description: 'What the buyer types; compared whatever its case.' }),
  isCode,
  () => 'must be visible characters, not only spaces',
)

const Discount = Type.Integer({
  minimum: 0,
  maximum: MAX_PRICE,
  description: 'Whole percent up to 100, or whole US dollars, as discount_type says.',
})

const flagged = <const D extends boolean>(initial: D, description: string) =>
  ({
    initial,
    create: { schema: Type.Boolean({ description, default: initial }) },
    update: description,
  }) as const

interface Discounted {
  readonly discount_type: (typeof DISCOUNT_TYPES)[number]
  readonly discount: number
}

/** The number on the wire: whole percent, or whole units of US dollars. */
export const discountOf = ({ discount, discount_type: type }: Discounted): number =>
  type === 'dollar' ? toDecimal(discount) : discount

interface Owned {
  readonly product_id: number | null
  readonly store_id: number | null
}

/** A coupon of one product, or of a store and so of all its products; fields in the order of the reply. */
export const COUPON = entity(
  'coupons',
  {
    id: id({ filled: true }),
    created: time({}),
    updated: time({ null: true }),
    /** Exactly one of the two is set. */
    product_id: id({ null: true, hidden: true }),
    store_id: id({ null: true, hidden: true }),
    entity_id: derived(IdText(), ({ product_id, store_id }: Owned) => String(product_id ?? store_id)),
    entity_type: derived(Choice(['plugin', 'store', 'marketplace']), ({ product_id }: Owned) =>
      product_id === null ? ('store' as const) : ('plugin' as const),
    ),
    plans: text(list((one) => one > 0, 'IDs of plans', 'Comma-separated IDs of plans; null or empty: all.')),
    licenses: text(
      list(() => true, 'license quotas', 'Comma-separated license quotas; 0: unlimited; null or empty: all.'),
    ),
    billing_cycles: text(
      list(
        (cycle) => [0, 1, 12].includes(cycle),
        '1, 12 and 0',
        'Comma-separated billing cycles; 0: lifetime; null or empty: all.',
      ),
    ),
    code: text({
      create: { schema: Code, read: (sent: string) => sent.trim() },
      update: { schema: Optional(Code), read: (sent: string) => sent.trim() },
    }),
    /** Several coupons may have one code. */
    code_folded: text({ hidden: true }),
    /** Whole percent, or minor units of US dollars. */
    discount: integer({
      shown: Type.Integer({
        minimum: 0,
        description: 'Whole percent, or whole US dollars, as discount_type says.',
      }),
      present: discountOf,
      ...asked(Discount),
    }),
    discount_type: choice(DISCOUNT_TYPES, asked(Choice(DISCOUNT_TYPES))),
    /** Minor units where euros and pounds have an amount of their own; null: as many as dollars. */
    discount_eur: integer({ null: true, hidden: true, initial: null }),
    discount_gbp: integer({ null: true, hidden: true, initial: null }),
    start_date: time({
      ...given({
        schema: DateText('A date alone: its first second. Null: now.'),
        read: (sent: string) => parseTimeText(sent, 'first second'),
      }),
    }),
    /** The first moment at which it is no longer valid. */
    end_date: time({
      initial: NO_END,
      ...given({
        schema: DateText(`A date alone: its last second. Null: no end, ${NO_END}.`),
        read: (sent: string | null) => (sent === null ? NO_END : parseTimeText(sent, 'last second')),
      }),
    }),
    redemptions: integer({
      initial: 0,
      shown: Type.Integer({ minimum: 0, description: 'Live; the sandbox counts for itself.' }),
    }),
    /** In sandboxes, which `redemptions_limit` bounds for itself. */
    sandbox_redemptions: integer({ filled: true, hidden: true }),
    redemptions_limit: integer({
      null: true,
      initial: null,
      shown: Nullable(Type.Integer({ minimum: 1 })),
      ...given({
        schema: Optional(
          Nullable(Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'Null: no limit.' })),
        ),
      }),
    }),
    has_renewals_discount: flag(flagged(false, 'Renewals are discounted too.')),
    has_addons_discount: flag(flagged(false, 'Add-ons are discounted too.')),
    is_one_per_user: flag(flagged(false, 'Once for each user.')),
    is_active: flag(flagged(true, 'False: switched off for now.')),
    user_type: choice(USER_TYPES, {
      initial: 'all',
      shown: Choice(USER_TYPES, { default: 'all' }),
      create: { schema: Type.Unsafe<(typeof USER_TYPES)[number]>(Choice(USER_TYPES, { default: 'all' })) },
      update: true,
    }),
    /** Origin of migrated data, 0 to 11 (`docs/interface.md` 1.6). */
    source: choice(SOURCE_IDS, { initial: 0 }),
    deleted_at: time({ null: true, hidden: true, initial: null }),
  },
  { told: 'coupon.updated' },
)

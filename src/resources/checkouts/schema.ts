import type { Selectable } from 'kysely'
import { Type, type Static } from 'typebox'
import type { CheckoutsTable } from '../../db/tables/checkouts.ts'
import { Arguments, Choice, Id, Nullable, Optional, SecretText, Text, Time } from '../../http/wire.ts'
import { CURRENCIES } from '../../lib/money.ts'

export type CheckoutRow = Selectable<CheckoutsTable>

/** Cycles by their names in a checkout (`spec/behaviour/checkout.md` 2). */
export const CYCLE_NAMES = { monthly: 1, annual: 12, lifetime: 0 } as const
export type CycleName = keyof typeof CYCLE_NAMES
export const NAMES_OF_CYCLES = ['monthly', 'annual', 'lifetime'] as const

/** A number of licenses, or the word `unlimited`. */
const Licenses = Type.String({
  pattern: '^([1-9][0-9]{0,8}|unlimited)$',
  description: 'How many licenses, or `unlimited`.',
})

const BUYER = {
  user_email: Optional(Text({ format: 'email', description: 'Address of the buyer.' })),
  user_firstname: Optional(Text()),
  user_lastname: Optional(Text()),
  country_code: Optional(Text({ format: 'country-or-empty', description: 'ISO 3166-1, two letters.' })),
  region: Optional(Text({ description: 'Of countries that tax by region: its code, `CA`.' })),
  zip_postal_code: Optional(Text()),
  vat_id: Optional(Text()),
}

const OFFER = {
  plan_id: Optional(Id('Plan; default: the cheapest that is visible.')),
  pricing_id: Optional(Id('Price of the plan; default: that for `licenses` in `currency`.')),
  licenses: Optional(Licenses),
  billing_cycle: Optional(Choice(NAMES_OF_CYCLES, { anyCase: true })),
  currency: Optional(Choice([...CURRENCIES, 'auto'] as const, { anyCase: true })),
  coupon: Optional(Text({ description: 'Code of a coupon; empty: none.' })),
}

/** What a checkout is opened with; the names are those of the hosted one. */
export const CheckoutOpen = Arguments({
  product_id: Id('Product.'),
  ...OFFER,
  default_currency: Optional(Choice(CURRENCIES, { anyCase: true })),
  ...BUYER,
  user_token: Optional(SecretText({ description: 'Token of a user, which names the buyer.' })),
  sandbox: Optional(SecretText({ description: 'Token of the sandbox, made for `s_ctx_ts`.' })),
  s_ctx_ts: Optional(Text({ max: 64 })),
  visitor: Optional(
    SecretText({ max: 64, description: 'What the browser is known by, 16 characters or more.' }),
  ),
  cart: Optional(Type.Boolean({ description: 'false: no cart is recorded.' })),
  redirect_url: Optional(Text({ max: 2048, format: 'http-url' })),
})
export type CheckoutOpen = Static<typeof CheckoutOpen>

export const CheckoutChange = Arguments({ ...OFFER, ...BUYER })
export type CheckoutChange = Static<typeof CheckoutChange>

export const CheckoutPay = Arguments({
  payment_token: Optional(
    SecretText({ max: 255, description: 'The method of payment, as the form of the gateway gave it.' }),
  ),
  return_url: Optional(Text({ max: 2048, format: 'http-url' })),
})
export type CheckoutPay = Static<typeof CheckoutPay>

export const CheckoutId = Arguments({ checkout_token: SecretText({ max: 64 }) })

export const QuoteLine = Type.Object({
  kind: Choice(['price', 'proration', 'renewals_discount', 'coupon', 'tax']),
  amount: Type.Number(),
})

const Parts = {
  /** Without tax. */
  gross: Type.Number(),
  tax: Type.Number(),
  total: Type.Number({ description: 'What is charged.' }),
}

export const Checkout = Type.Object(
  {
    id: Type.String(),
    state: Choice(['open', 'paying', 'paid']),
    environment: Choice([0, 1]),
    product: Type.Object({ id: Type.String(), title: Type.String() }),
    plan: Type.Object({ id: Type.String(), name: Type.String(), title: Type.String() }),
    pricing_id: Type.String(),
    licenses: Nullable(Type.Integer({ description: 'null: unlimited.' })),
    billing_cycle: Choice(NAMES_OF_CYCLES),
    currency: Choice(CURRENCIES),
    buyer: Type.Object({
      email: Type.String(),
      first: Type.String(),
      last: Type.String(),
      country_code: Nullable(Type.String()),
      region: Nullable(Type.String()),
      zip_postal_code: Nullable(Type.String()),
      vat_id: Nullable(Type.String()),
      is_readonly: Type.Boolean(),
    }),
    discount: Nullable(
      Type.Object({
        code: Type.String(),
        applies: Type.Boolean(),
        reason: Nullable(Type.String({ description: 'Why it takes nothing off.' })),
      }),
    ),
    quote: Type.Object({
      lines: Type.Array(QuoteLine),
      ...Parts,
      tax_rate: Type.Number({ description: 'A fraction.' }),
      tax_rule: Type.String(),
    }),
    renewal: Nullable(Type.Object({ at: Time(), ...Parts })),
    expires_at: Time(),
  },
  { title: 'Checkout' },
)
export type Checkout = Static<typeof Checkout>

import type { Selectable } from 'kysely'
import { SellingUnit } from '../../http/selling-unit.ts'
import { Type, type Static } from '../../lib/type.ts'
import { CART_MODES } from '../../db/tables/carts.ts'
import {
  CHECKOUT_ACTIONS,
  type CheckoutsTable,
  CONSENT_MODES,
  VAT_CHECKS,
} from '../../db/tables/checkouts.ts'
import { Arguments, Choice, Id, Nullable, Optional, Price, SecretText, Text, Time } from '../../http/wire.ts'
import { CURRENCIES } from '../../lib/money.ts'
import { REFUND_POLICIES } from '../../catalogue/products/product.entity.ts'
import { PaymentForm } from './payment-form.ts'

export type CheckoutRow = Selectable<CheckoutsTable>

/** Cycles by their names in a checkout (`docs/interface.md` 1.5). */
export const CYCLE_NAMES = { monthly: 1, annual: 12, lifetime: 0 } as const
export type CycleName = keyof typeof CYCLE_NAMES
export const NAMES_OF_CYCLES = ['monthly', 'annual', 'lifetime'] as const

/** A number of licenses, or the word `unlimited`. */
const Licenses = Type.Union([
  Type.String({
    pattern: '^([1-9][0-9]{0,8}|unlimited)$',
    description: 'How many licenses, or `unlimited`.',
  }),
  Type.Integer({ minimum: 1, maximum: 999_999_999 }),
])

const BUYER = {
  user_email: Optional(Text({ format: 'email', description: 'Address of the buyer.' })),
  user_firstname: Optional(Text()),
  user_lastname: Optional(Text()),
  country_code: Optional(Text({ format: 'country-or-empty', description: 'ISO 3166-1, two letters.' })),
  region: Optional(Text({ description: 'State of the country by its code of ISO 3166-2: `CA` of the US.' })),
  zip_postal_code: Optional(Text({ max: 20 })),
  vat_id: Optional(Text()),
  business_name: Optional(Text({ description: 'Company that is bought for, as its invoice names it.' })),
  address_street: Optional(Text({ description: 'Street and number, on the invoice.' })),
  address_apt: Optional(Text({ description: 'A second line of the street.' })),
  address_city: Optional(Text({ description: 'City of that address.' })),
}

const OFFER = {
  plan_id: Optional(Id('Plan; default: the cheapest that is visible.')),
  pricing_id: Optional(Id('Price of the plan; default: that for `licenses` in `currency`.')),
  licenses: Optional(Licenses),
  billing_cycle: Optional(Choice(NAMES_OF_CYCLES, { anyCase: true })),
  currency: Optional(Choice([...CURRENCIES, 'auto'] as const, { anyCase: true })),
  coupon: Optional(Text({ description: 'Code of a coupon; empty: none.' })),
}

const READING = {
  language: Optional(
    Text({ max: 20, description: 'What the buyer reads, such as `de_DE`; `auto`: nobody knows it.' }),
  ),
  locale: Optional(Text({ max: 20, description: 'Another name of `language`, which counts.' })),
}

/** What a checkout is opened with; the names are those of the hosted one. */
export const CheckoutOpen = Arguments({
  product_id: Id('Product.'),
  ...OFFER,
  default_currency: Optional(Choice(CURRENCIES, { anyCase: true })),
  ...BUYER,
  user_token: Optional(SecretText({ description: 'Token of a user, which names the buyer.' })),
  license_key: Optional(SecretText({ description: 'Key of the license that is renewed or changed.' })),
  license_id: Optional(Id('The same, with `authorization` or the `user_token` of its owner.')),
  authorization: Optional(
    SecretText({ max: 2048, description: 'What a link to the checkout of a license has in its settings.' }),
  ),
  is_payment_method_update: Optional(
    Type.Boolean({ description: 'true: only the method of payment of the license is replaced.' }),
  ),
  ...READING,
  cart_token: Optional(SecretText({ max: 2048, description: 'What mails about a cart lead back with.' })),
  __fs_authorization: Optional(
    SecretText({ max: 2100, description: 'The same in the form of the overlay client: `FSE 1:…`.' }),
  ),
  __fs_auth_date: Optional(Text({ max: 64, description: 'When that was made, in UTC.' })),
  __fs_expires_in: Optional(
    Text({ max: 20, description: 'For how many seconds after it the client takes it.' }),
  ),
  sandbox: Optional(SecretText({ description: 'Token of the sandbox, made for `s_ctx_ts`.' })),
  s_ctx_ts: Optional(
    Text({ max: 64, description: 'What the token of the sandbox and the proof of a site were made for.' }),
  ),
  s_ctx_type: Optional(
    Text({ max: 20, description: '`install`: it is opened from that site; `user`: for that user.' }),
  ),
  s_ctx_id: Optional(Text({ max: 20, description: 'ID of the install or user.' })),
  s_ctx_secure: Optional(
    SecretText({
      max: 100,
      description:
        'MD5 of `s_ctx_ts`, in Unix seconds and good for 15 minutes, id, secret key, public key and `checkout`.',
    }),
  ),
  visitor: Optional(
    SecretText({ max: 64, description: 'What the browser is known by, 16 characters or more.' }),
  ),
  cart: Optional(Type.Boolean({ description: 'false: no cart is recorded.' })),
  mode: Optional(
    Choice(CART_MODES, { description: 'Where it is shown, for its cart; `dialog` unless it is told.' }),
  ),
  url: Optional(
    Text({ max: 2048, format: 'http-url', description: 'The page that holds it, for its cart.' }),
  ),
  redirect_url: Optional(Text({ max: 2048, format: 'http-url' })),
  gdpr: Optional(
    Choice(CONSENT_MODES, {
      description:
        'How consent to marketing is asked for: where the law says so (the default), everywhere, or not at all.',
    }),
  ),
  trial: Optional(
    Choice(['true', 'free', 'paid'], { description: 'A trial, with or without a payment method.' }),
  ),
  is_trial: Optional(Type.Boolean({ description: 'true: the same as `trial` with that value.' })),
})
export type CheckoutOpen = Static<typeof CheckoutOpen>

export const CheckoutChange = Arguments({ ...OFFER, ...BUYER, ...READING })
export type CheckoutChange = Static<typeof CheckoutChange>

export const CheckoutPay = Arguments({
  payment_token: Optional(
    SecretText({ max: 255, description: 'The method of payment, as the form of the gateway gave it.' }),
  ),
  gateway: Optional(
    Text({
      max: 64,
      description:
        'The code of the gateway that `payment_token` is of; without it, of the first that takes it.',
    }),
  ),
  return_url: Optional(Text({ max: 2048, format: 'http-url' })),
  total: Optional(Price('What the buyer was told; another total is refused.')),
  is_waiver_accepted: Optional(
    Type.Boolean({
      description: 'Whether the buyer agreed to `waiver`, which is required where there is one.',
    }),
  ),
  is_marketing_allowed: Optional(
    Type.Boolean({ description: 'What the buyer said where `marketing` asks for it; ignored elsewhere.' }),
  ),
})
export type CheckoutPay = Static<typeof CheckoutPay>

export const CheckoutId = Arguments({ checkout_token: SecretText({ max: 64 }) })

const QuoteLine = Type.Object(
  {
    kind: Choice(['price', 'proration', 'renewals_discount', 'coupon', 'tax']),
    amount: Type.Number(),
    rule: Type.String({ description: 'Why: `list_price`, `unused_days`, `coupon`, the tax rule, …' }),
    days_left: Nullable(Type.Integer({ description: 'Of what was paid, the days that are left.' })),
    days: Nullable(Type.Integer()),
  },
  { title: 'QuoteLine' },
)

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
    action: Choice(CHECKOUT_ACTIONS),
    trial: Nullable(Choice(['free', 'paid'])),
    trial_ends_at: Nullable(Time()),
    environment: Choice([0, 1]),
    product: Type.Object({
      id: Type.String(),
      title: Type.String(),
      icon: Nullable(Type.String({ description: 'Address of the logo of the checkout, else of the icon.' })),
      selling_unit_label: SellingUnit,
      terms_url: Nullable(Type.String()),
      privacy_url: Nullable(Type.String()),
      money_back_period: Type.Integer({ description: 'Days.' }),
      refund_policy: Choice(REFUND_POLICIES),
      is_consumptive_usage: Type.Boolean({
        description: 'Sold for one use or by what is used, which limits refunds.',
      }),
    }),
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
      vat_check: Nullable(Choice(VAT_CHECKS, { description: 'What the check of `vat_id` said.' })),
      business_name: Nullable(Type.String({ description: 'Company that is bought for.' })),
      address_street: Nullable(Type.String()),
      address_apt: Nullable(Type.String()),
      address_city: Nullable(Type.String()),
      is_readonly: Type.Boolean(),
    }),
    discount: Nullable(
      Type.Object({
        code: Nullable(Type.String({ description: 'null: it is hidden.' })),
        applies: Type.Boolean(),
        reason: Nullable(Type.String({ description: 'Why it takes nothing off.' })),
      }),
    ),
    exit_intent: Nullable(
      Type.Object(
        {
          code: Type.String({ description: 'What `coupon` is set to when the offer is taken.' }),
          amount: Type.Number({ description: 'What it takes off the price.' }),
          seconds: Type.Integer({ description: 'How long the page offers it.' }),
        },
        { description: 'Offered once to who leaves before an address was typed; null: nothing is.' },
      ),
    ),
    quote: Type.Object({
      lines: Type.Array(QuoteLine),
      ...Parts,
      tax_rate: Type.Number({ description: 'A fraction.' }),
      tax_rule: Type.String(),
      is_tax_provisional: Type.Boolean({
        description: 'Whether the tax is given back once the VAT id, which could not be checked, is found.',
      }),
    }),
    after_trial: Nullable(
      Type.Object(
        { at: Time(), lines: Type.Array(QuoteLine), ...Parts },
        { description: 'What is charged when a trial with a method of payment ends.' },
      ),
    ),
    renewal: Nullable(Type.Object({ at: Time(), ...Parts })),
    change: Nullable(
      Type.Object(
        {
          kind: Choice(['renewal', 'upgrade', 'payment_method']),
          license_id: Type.String(),
          expiration: Nullable(Time()),
          unused_credit: Type.Number({ description: 'What is left over of the credit; it is not paid out.' }),
          subscription: Choice(['replaced', 'none']),
        },
        { description: 'What happens to the license, and to the subscription that renews it now.' },
      ),
    ),
    payment: Nullable(PaymentForm),
    other_payments: Type.Array(PaymentForm, {
      description: 'Of other gateways, any of which may be named as `gateway` in the place of that.',
    }),
    waiver: Nullable(
      Type.Object(
        { text: Type.String(), accepted_at: Nullable(Time('null: not yet.')) },
        { description: 'What a consumer of the EU must agree to before it is paid; null: nothing.' },
      ),
    ),
    marketing: Nullable(
      Type.Object(
        {
          is_preticked: Type.Boolean({ description: 'Whether the box for it is ticked beforehand.' }),
          is_allowed: Nullable(Type.Boolean({ description: 'What the buyer said; null: not yet.' })),
        },
        { description: 'How consent to marketing is asked for; null: it is not, and none is recorded.' },
      ),
    ),
    language: Nullable(Type.String({ description: 'Of the buyer, as it was told.' })),
    languages: Type.Array(Type.String(), { description: 'In which the buyer is mailed.' }),
    expires_at: Time(),
  },
  { title: 'Checkout' },
)
export type Checkout = Static<typeof Checkout>

/** What a parameter takes: text by default, `yes` where 1 is the only value that changes anything, `no` where it is false. */
export type Kind =
  'text' | 'number' | 'email' | 'url' | 'yes' | 'no' | 'plan' | 'price' | 'currency' | readonly string[]

export const GROUPS = ['offer', 'license', 'buyer', 'proof', 'look', 'hide', 'frame'] as const
export type Group = (typeof GROUPS)[number]

interface Parameter {
  readonly kind: Kind
  readonly group: Group
  /** Other names that the checkout takes for it. */
  readonly also?: readonly string[]
}

/** Every parameter that the checkout takes but its product (`docs/selling.md`), in the order of the form. */
export const PARAMETERS = {
  plan_id: { kind: 'plan', group: 'offer' },
  pricing_id: { kind: 'price', group: 'offer' },
  licenses: { kind: 'text', group: 'offer' },
  billing_cycle: { kind: ['monthly', 'annual', 'lifetime'], group: 'offer' },
  currency: { kind: 'currency', group: 'offer' },
  default_currency: { kind: 'currency', group: 'offer' },
  coupon: { kind: 'text', group: 'offer' },
  trial: { kind: ['1', 'free', 'paid'], group: 'offer' },
  title: { kind: 'text', group: 'look', also: ['name'] },
  subtitle: { kind: 'text', group: 'look' },
  image: { kind: 'url', group: 'look' },
  modal_title: { kind: 'text', group: 'look' },
  id: { kind: 'text', group: 'look' },
  form_position: { kind: ['left'], group: 'look' },
  layout: { kind: ['vertical'], group: 'look' },
  billing_cycle_selector: { kind: ['dropdown', 'responsive_list', 'list'], group: 'look' },
  refund_policy_position: { kind: ['below_form'], group: 'look' },
  show_reviews: { kind: 'yes', group: 'look' },
  review_id: { kind: 'number', group: 'look' },
  locale: { kind: ['en', 'de'], group: 'look', also: ['language'] },
  hide_coupon: { kind: 'yes', group: 'hide' },
  hide_licenses: { kind: 'yes', group: 'hide' },
  disable_licenses_selector: { kind: 'yes', group: 'hide' },
  hide_billing_cycles: { kind: 'yes', group: 'hide' },
  show_monthly: { kind: 'no', group: 'hide', also: ['show_monthly_switch'] },
  annual_discount: { kind: 'no', group: 'hide' },
  hide_license_key: { kind: 'yes', group: 'hide' },
  show_inline_currency_selector: { kind: 'no', group: 'hide' },
  show_refund_badge: { kind: 'no', group: 'hide' },
  gdpr: { kind: ['opt_out', 'hidden'], group: 'hide' },
  user_email: { kind: 'email', group: 'buyer' },
  user_firstname: { kind: 'text', group: 'buyer' },
  user_lastname: { kind: 'text', group: 'buyer' },
  user_token: { kind: 'text', group: 'buyer' },
  country_code: { kind: 'text', group: 'buyer' },
  zip_postal_code: { kind: 'text', group: 'buyer' },
  region: { kind: 'text', group: 'buyer' },
  vat_id: { kind: 'text', group: 'buyer' },
  business_name: { kind: 'text', group: 'buyer' },
  address_street: { kind: 'text', group: 'buyer' },
  address_apt: { kind: 'text', group: 'buyer' },
  address_city: { kind: 'text', group: 'buyer' },
  readonly_user: { kind: 'yes', group: 'buyer' },
  license_key: { kind: 'text', group: 'license' },
  license_id: { kind: 'number', group: 'license' },
  authorization: { kind: 'text', group: 'license' },
  is_payment_method_update: { kind: 'yes', group: 'license', also: ['dunning'] },
  sandbox: { kind: 'text', group: 'proof' },
  s_ctx_ts: { kind: 'number', group: 'proof' },
  s_ctx_type: { kind: ['install', 'user'], group: 'proof' },
  s_ctx_id: { kind: 'number', group: 'proof' },
  s_ctx_secure: { kind: 'text', group: 'proof' },
  cart_token: { kind: 'text', group: 'proof', also: ['__fs_authorization'] },
  cart: { kind: 'no', group: 'proof' },
  cancel_url: { kind: 'url', group: 'frame' },
  cancel_icon: { kind: 'url', group: 'frame' },
  fullscreen: { kind: 'yes', group: 'frame' },
  mode: { kind: ['page', 'dialog', 'dashboard'], group: 'frame' },
} as const satisfies Readonly<Record<string, Parameter>>

export type Name = keyof typeof PARAMETERS
export const NAMES = Object.keys(PARAMETERS) as Name[]

export const about = (name: Name): Parameter => PARAMETERS[name]

/** Names of the product, the first of which is written. */
export const PRODUCT = ['product_id', 'plugin_id'] as const

/** What is chosen; no value is none. */
export type Values = Readonly<Partial<Record<Name, string>>>

/** What an address says of parameters, by whatever name. */
export function valuesIn(query: URLSearchParams): Values {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = [name, ...(about(name).also ?? [])].map((one) => query.get(one) ?? '').find(Boolean)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** What is set, in the order of the list. */
export const setIn = (values: Values): readonly (readonly [Name, string])[] =>
  NAMES.flatMap((name) => {
    const value = values[name]?.trim() ?? ''
    return value === '' ? [] : [[name, value] as const]
  })

import { isCountry } from '../../lib/countries.ts'
import type { Sent } from './client.ts'

/** How a field of an entity becomes a column. */
type Way = (value: unknown) => unknown

/** A column and the field it is read from, where that is called otherwise, and how. */
export interface FieldMap {
  /** Fields that are taken as they are. */
  readonly same: string
  /** Columns by name: the field, and how it is read. */
  readonly read?: Readonly<Record<string, readonly [field: string, way: Way]>>
}

/** `"7"` → 7: ids are text on the wire. */
export const id: Way = (value) =>
  value === null || value === undefined || value === '' ? null : Number(value)
/** Decimals of a currency → minor units. */
export const minor: Way = (value) =>
  value === null || value === undefined ? null : Math.round(Number(value) * 100)
const millionths: Way = (value) => Math.round(Number(value ?? 0) * 1_000_000)
const text: Way = (value) => value ?? ''
/** What is empty on the wire where there is none. */
const filled: Way = (value) => (value === '' || value === undefined ? null : value)
/** The code of a country in upper case; what no country has is left empty. */
const country: Way = (value) => (typeof value === 'string' && isCountry(value) ? value.toUpperCase() : null)
const countryOrEmpty: Way = (value) => (typeof value === 'string' && isCountry(value) ? value : '')
const orNull: Way = (value) => value ?? null
const flag: Way = (value) => value === true || value === 1 || value === '1'

const ids = (...columns: string[]) =>
  Object.fromEntries(columns.map((column) => [column, [column, id] as const]))
const amounts = (...columns: string[]) =>
  Object.fromEntries(columns.map((column) => [column, [column, minor] as const]))

const product_id = ['plugin_id', id] as const
const bought = {
  ...ids('id', 'user_id', 'install_id', 'plan_id', 'pricing_id', 'license_id', 'coupon_id'),
  product_id,
  external_id: ['external_id', filled] as const,
  country_code: ['country_code', country] as const,
}
const BOUGHT = 'ip zip_postal_code vat_id source environment currency created updated'

/** Columns by the fields of the interface, one map an entity; what depends on more than one stands in `to-rows`. */
export const FIELD_MAPS = {
  stores: {
    same: 'title public_key secret_key created updated',
    read: { ...ids('id'), url: ['url', text], dashboard_url: ['dashboard_url', text] },
  },
  products: {
    same: `title slug type public_key secret_key created updated money_back_period refund_policy is_consumptive_usage
      renewals_discount_type lifetime_license_proration_days is_released is_sdk_required is_pricing_visible
      is_wp_org_compliant is_static icon`,
    read: {
      ...ids('id', 'store_id', 'parent_plugin_id', 'default_plan_id'),
      ...amounts('annual_renewals_discount'),
      plans: ['plans', text],
      features: ['features', text],
      type_alias: ['type_alias', text],
    },
  },
  settings: { same: 'setting_type created updated' },
  product_info: {
    same: `url description short_description banner_url card_banner_url selling_point_0 selling_point_1 selling_point_2
      created updated`,
    read: ids('id'),
  },
  email_addresses: { same: 'created updated', read: ids('id', 'store_id') },
  notes: { same: 'entity_type note created updated', read: ids('id', 'entity_id') },
  plans: {
    same: `name title description is_free_localhost is_block_features is_block_features_monthly license_type trial_period
      is_require_subscription support_kb support_forum support_email support_phone is_success_manager is_featured
      is_hidden created updated`,
    read: { ...ids('id'), product_id },
  },
  pricing: {
    same: 'currency licenses is_whitelabeled is_hidden created updated',
    read: { ...ids('id', 'plan_id'), ...amounts('monthly_price', 'annual_price', 'lifetime_price') },
  },
  features: {
    same: 'title is_featured created updated',
    read: { ...ids('id'), product_id, description: ['description', text] },
  },
  feature_values: {
    same: 'value created updated',
    read: { ...ids('plan_id'), product_id, feature_id: ['id', id] },
  },
  coupons: {
    same: `code discount_type plans licenses billing_cycles user_type start_date end_date redemptions redemptions_limit
      has_renewals_discount has_addons_discount is_one_per_user is_active source created updated`,
    read: ids('id'),
  },
  special_coupons: { same: 'type created updated', read: ids('id', 'coupon_id') },
  users: {
    same: 'email first last ip is_verified auth last_login_at email_status created updated',
    read: { ...ids('id'), picture: ['picture', text] },
  },
  billing: {
    same: `business_name first last email phone website tax_id address_street address_apt address_city address_country
      address_state address_zip created updated`,
    read: { ...ids('id'), address_country_code: ['address_country_code', countryOrEmpty] },
  },
  product_users: {
    same: 'public_key secret_key is_marketing_allowed created updated',
    read: { user_id: ['id', id], note: ['note', text], is_beta: ['is_beta', flag], ...amounts('gross') },
  },
  licenses: {
    same: `quota activated expiration secret_key is_free_localhost is_block_features is_cancelled is_whitelabeled
      environment source created updated`,
    read: {
      ...ids('id', 'user_id', 'plan_id', 'pricing_id'),
      product_id,
      activated_local: ['activated_local', (value) => value ?? 0],
    },
  },
  installs: {
    same: `uid url title version trial_ends language platform_version sdk_version
      programming_language_version is_active is_disconnected is_premium is_uninstalled is_locked is_beta environment
      source upgraded last_seen_at last_served_update_version public_key secret_key created updated`,
    read: {
      ...ids('id', 'user_id', 'site_id', 'plan_id', 'license_id', 'trial_plan_id', 'subscription_id'),
      ...amounts('gross'),
      product_id,
      country_code: ['country_code', country],
    },
  },
  subscriptions: {
    same: `${BOUGHT} billing_cycle renewals_discount_type failed_payments trial_ends next_payment canceled_at`,
    read: {
      ...bought,
      ...amounts('total_gross', 'amount_per_cycle', 'initial_amount', 'renewal_amount', 'renewals_discount'),
      ...amounts('outstanding_balance'),
      gateway: ['gateway', orNull],
      tax_rate: ['tax_rate', millionths],
    },
  },
  payments: {
    same: `${BOUGHT} type is_renewal refund_reason`,
    read: {
      ...bought,
      ...ids('subscription_id', 'bound_payment_id'),
      ...amounts('gross', 'gateway_fee'),
      tax: ['vat', minor],
      processed_at: ['created', orNull],
    },
  },
  trials: {
    same: 'trial_ends_at with_payment_method canceled_at converted_at environment created updated',
    read: {
      ...ids('id', 'user_id', 'install_id', 'plan_id', 'license_id', 'payment_id', 'subscription_id'),
      product_id,
      started_at: ['created', orNull],
    },
  },
  reviews: {
    same: `external_id rate title text name job_title company company_url profile_url picture is_verified is_featured
      is_active created updated`,
    read: { ...ids('id', 'user_id', 'license_id'), product_id },
  },
} as const satisfies Readonly<Record<string, FieldMap>>

export type MappedKind = keyof typeof FIELD_MAPS

const NAMES = new Map<string, readonly string[]>()

/** The columns of a kind that an entity says by itself. */
export function mapped(kind: MappedKind, sent: Sent): Record<string, unknown> {
  const { same, read = {} }: FieldMap = FIELD_MAPS[kind]
  const names = NAMES.get(kind) ?? same.trim().split(/\s+/)
  NAMES.set(kind, names)
  const row: Record<string, unknown> = {}
  // What another server leaves out is as it is by default.
  for (const name of names) if (sent[name] !== undefined) row[name] = sent[name]
  for (const [column, [field, way]] of Object.entries(read)) row[column] = way(sent[field])
  return row
}

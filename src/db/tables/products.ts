import type { ColumnType, Generated } from 'kysely'
import type { UtcTime } from '../../lib/time.ts'
import type { Entity, KeyPairColumns } from './columns.ts'

type NullByDefault = ColumnType<string | null, string | null | undefined, string | null>

/** A product, an add-on or a bundle (`plugin` on the wire). Money is minor units of US dollars. */
export interface ProductsTable extends Entity, KeyPairColumns {
  developer_id: number
  store_id: number
  parent_plugin_id: number | null
  title: string
  slug: string
  type: 'plugin' | 'theme' | 'widget' | 'template'
  /** `docs/decisions.md` 3.2. */
  can_create_users: boolean
  /** JSON list of host names that links of this product may lead to (`docs/decisions.md` 3.10). */
  redirect_hosts: string
  kind: Generated<'product' | 'addon' | 'bundle'>
  type_alias: Generated<string>
  /** Path or address of a picture. */
  icon: ColumnType<string | null, string | null | undefined, string | null>
  is_active: Generated<boolean>
  default_plan_id: ColumnType<number | null, number | null | undefined, number | null>
  /** Comma-separated ids in the order of the seller. */
  plans: Generated<string>
  features: Generated<string>
  /** Grows with every change of what `pricing.json` shows. */
  catalogue_version: Generated<number>
  /** Days. */
  money_back_period: Generated<number>
  refund_policy: Generated<'flexible' | 'moderate' | 'strict'>
  is_consumptive_usage: Generated<boolean>
  /** Hundredths: of a percent, or minor units of US dollars. */
  annual_renewals_discount: ColumnType<number | null, number | null | undefined, number | null>
  renewals_discount_type: Generated<'percentage' | 'dollar'>
  /** How long after the renewal is due the license expires. */
  renewal_grace_hours: Generated<number>
  /** Whether periods that were missed are charged all the same, one a day. */
  charge_arrears: Generated<boolean>
  confirms_opt_in: Generated<boolean>
  /** Whether a license of the sandbox gets the builds that live ones get. */
  sandbox_gets_released: Generated<boolean>
  /** Whether a seller's own code may make tokens of the sandbox. */
  accepts_client_sandbox_tokens: Generated<boolean>
  /** Up to how many installs a site begins that used the product before; null: there is no limit. */
  updated_sites_limit: ColumnType<number | null, number | null | undefined, number | null>
  lifetime_license_proration_days: ColumnType<number | null, number | null | undefined, number | null>
  is_released: Generated<boolean>
  is_sdk_required: Generated<boolean>
  is_pricing_visible: Generated<boolean>
  is_wp_org_compliant: Generated<boolean>
  is_static: Generated<boolean>
  /** 0 both, 1 the wallet gateway, 2 cards. */
  accepted_payments: Generated<0 | 1 | 2>
  expose_license_key: Generated<boolean>
  enable_after_purchase_email_login_link: Generated<boolean>
  /** Whether who leaves a cart is mailed about it. */
  enable_cart_recovery: Generated<boolean>
  selling_unit_singular: Generated<string>
  selling_unit_plural: Generated<string>
  /** Where a buyer is led whose checkout names nothing; null: nowhere. */
  checkout_redirect_url: NullByDefault
  /** The page of the shop to which mails about carts and failed renewals lead; null: the checkout of this server. */
  recovery_url: NullByDefault
  terms_url: NullByDefault
  privacy_url: NullByDefault
  /** `#` and six hexadecimal digits. */
  checkout_accent: NullByDefault
  checkout_logo_url: NullByDefault
  support_email: NullByDefault
  /** JSON list of host names whose pages may hold the checkout; empty: all. */
  embed_hosts: Generated<string>
  keywright_badge: Generated<boolean>
  /** JSON list of what buyers cannot do in the portal (`PORTAL_PARTS`). */
  portal_off: Generated<string>
  /** JSON list of host names whose pages may hold the portal; empty: none. */
  portal_embed_hosts: Generated<string>
  portal_greeting_en: NullByDefault
  portal_greeting_de: NullByDefault
  portal_help_en: NullByDefault
  portal_help_de: NullByDefault
  installs_count: Generated<number>
  active_installs_count: Generated<number>
  free_releases_count: Generated<number>
  premium_releases_count: Generated<number>
  total_purchases: Generated<number>
  total_subscriptions: Generated<number>
  total_renewals: Generated<number>
  total_failed_purchases: Generated<number>
  downloads: Generated<number>
  earnings: Generated<number>
}

/** The products that a bundle's license opens. */
export interface BundleMembersTable {
  bundle_id: number
  product_id: number
}

/** Sender addresses of a store, or of one of its products, which otherwise inherits them. */
export interface EmailAddressesTable extends Entity {
  store_id: number
  product_id: number | null
  general: string | null
  general_name: string | null
  dont_reply: string | null
  dont_reply_name: string | null
  personal: string | null
  personal_name: string | null
  personal_technical: string | null
  personal_technical_name: string | null
  personal_setup: string | null
  personal_setup_name: string | null
  support: string | null
  support_name: string | null
}

/** The settings a product has; their values are columns of the product. */
export interface SettingsTable extends Entity {
  product_id: number
  setting_type: number
}

/** What an add-on market shows of a product. */
export interface ProductInfoTable extends Entity {
  product_id: number
  url: string
  description: string
  short_description: string
  banner_url: string
  card_banner_url: string
  selling_point_0: string
  selling_point_1: string
  selling_point_2: string
  /** JSON object with keys screenshot_0, screenshot_1, … */
  screenshots: string
}

/** Icons and portraits, at most 200 KB each, found by the SHA-256 of their bytes. */
export interface PicturesTable {
  id: Generated<number>
  product_id: number
  sha256: string
  media_type: 'image/png' | 'image/jpeg' | 'image/gif'
  bytes: Uint8Array
  /** When they were last uploaded. */
  created: UtcTime
}

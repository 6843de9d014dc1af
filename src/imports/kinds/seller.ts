import { GIVEN_TYPES } from '../../catalogue/products/types.ts'
import { isMalformedVatId, VAT_FORM_MESSAGE } from '../../lib/vat-form.ts'
import { isTaxPlace } from '../../sales/taxes/rates.ts'
import { placesOf } from '../../sales/taxes/schema.ts'
import {
  bytes,
  choice,
  created,
  dates,
  id,
  integer,
  json,
  keyPair,
  kind,
  named,
  NULL,
  off,
  on,
  refuses,
  secret,
  text,
  time,
  to,
  type Kind,
  type OwnedBy,
} from './column.ts'
import { ofOwnType, TYPE_RULES } from './product-type.ts'

const OF_ACCOUNT: readonly OwnedBy[] = [{ column: 'developer_id', of: null }]
const OF_STORE: readonly OwnedBy[] = [{ column: 'store_id', of: 'stores' }]

const store = kind({
  table: 'stores',
  says: 'where the account sells, with the keys of each store',
  ownedBy: OF_ACCOUNT,
  made: ['developer_id'],
  columns: {
    id: id(),
    title: text(200),
    url: text(2_048, { default: '' }),
    dashboard_url: text(2_048, { default: '' }),
    ...keyPair('stores.secret_key'),
    ...dates,
  },
  unique: [{ columns: ['public_key'] }],
  givesWay: true,
})

/** Counted by the server itself. */
const COUNTED = [
  'installs_count',
  'active_installs_count',
  'free_releases_count',
  'premium_releases_count',
  'total_purchases',
  'total_subscriptions',
  'total_renewals',
  'total_failed_purchases',
  'downloads',
  'earnings',
]

const address = () => text(2_048, NULL)

const product = kind({
  table: 'products',
  says: 'products, add-ons and bundles with their settings and keys',
  ownedBy: OF_ACCOUNT,
  made: ['developer_id', ...COUNTED],
  columns: {
    id: id(),
    store_id: to('stores'),
    parent_plugin_id: to('products', NULL),
    title: text(200),
    slug: text(200),
    type: choice(GIVEN_TYPES, { default: 'plugin' }),
    kind: choice(['product', 'addon', 'bundle'], { default: 'product' }),
    type_alias: text(100, { default: '' }),
    ...keyPair('products.secret_key'),
    icon: address(),
    is_active: on(),
    can_create_users: on(),
    redirect_hosts: json({ default: '[]' }),
    default_plan_id: named(NULL),
    plans: text(20_000, { default: '' }),
    features: text(20_000, { default: '' }),
    catalogue_version: integer({ default: 1 }),
    money_back_period: integer({ default: 30, unit: 'days' }),
    refund_policy: choice(['flexible', 'moderate', 'strict'], { default: 'moderate' }),
    is_consumptive_usage: off(),
    annual_renewals_discount: integer({ ...NULL, unit: 'hundredths of a percent, or minor units' }),
    renewals_discount_type: choice(['percentage', 'dollar'], { default: 'percentage' }),
    renewal_grace_hours: integer({ default: 24, max: 8_760, unit: 'hours' }),
    charge_arrears: off(),
    confirms_opt_in: off(),
    sandbox_gets_released: off(),
    accepts_client_sandbox_tokens: on(),
    updated_sites_limit: integer(NULL),
    lifetime_license_proration_days: integer({ ...NULL, unit: 'days' }),
    is_released: on(),
    is_sdk_required: on(),
    is_pricing_visible: on(),
    is_wp_org_compliant: on(),
    is_static: off(),
    accepted_payments: choice([0, 1, 2], { default: 0 }),
    expose_license_key: on(),
    enable_after_purchase_email_login_link: on(),
    enable_cart_recovery: on(),
    selling_unit_singular: text(100, { default: 'Unit' }),
    selling_unit_plural: text(100, { default: 'Units' }),
    checkout_redirect_url: address(),
    recovery_url: address(),
    terms_url: address(),
    privacy_url: address(),
    checkout_accent: text(7, NULL),
    checkout_logo_url: address(),
    support_email: text(254, NULL),
    embed_hosts: json({ default: '[]' }),
    portal_off: json({ default: '[]' }),
    portal_embed_hosts: json({ default: '[]' }),
    portal_greeting_en: text(200, NULL),
    portal_greeting_de: text(200, NULL),
    portal_help_en: text(500, NULL),
    portal_help_de: text(500, NULL),
    keywright_badge: on(),
    ...dates,
  },
  unique: [{ columns: ['slug'], inAccount: true }, { columns: ['public_key'] }],
  told: ofOwnType,
  rules: TYPE_RULES,
  givesWay: true,
})

const names = ['general', 'dont_reply', 'personal', 'personal_technical', 'personal_setup', 'support']

const emailAddresses = kind({
  table: 'email_addresses',
  says: 'sender addresses of stores and products',
  ownedBy: OF_STORE,
  columns: {
    id: id(),
    store_id: to('stores'),
    product_id: to('products', NULL),
    ...Object.fromEntries(names.flatMap((one) => [one, `${one}_name`]).map((one) => [one, text(254, NULL)])),
    ...dates,
  },
  unique: [
    { columns: ['store_id'], where: (row) => row['product_id'] === null, sql: 'product_id is null' },
    { columns: ['product_id'], where: (row) => row['product_id'] !== null, sql: 'product_id is not null' },
  ],
})

const taxSettings = kind({
  table: 'tax_settings',
  says: 'what the account says of taxes and on invoices; one row',
  key: [],
  ownedBy: OF_ACCOUNT,
  made: ['developer_id'],
  columns: {
    country: text(2, { ...NULL, form: 'country' }),
    registrations: text(5_000, { default: '' }),
    is_format_enough: off(),
    legal_name: text(500, { default: '' }),
    address: text(2_000, { default: '' }),
    vat_id: text(50, { default: '' }),
    ...dates,
  },
  rules: [
    refuses(
      'registrations',
      'wrong_form',
      'must be countries, regions such as US-CA, or EU',
      (row) => !placesOf(String(row['registrations'])).every(isTaxPlace),
    ),
    refuses('vat_id', 'wrong_form', VAT_FORM_MESSAGE, (row) => isMalformedVatId(String(row['vat_id']))),
  ],
})

const longText = () => text(20_000, { default: '' })

const info = kind({
  table: 'product_info',
  says: 'what an add-on market shows of a product',
  columns: {
    id: id(),
    product_id: to('products'),
    url: longText(),
    description: longText(),
    short_description: longText(),
    banner_url: longText(),
    card_banner_url: longText(),
    selling_point_0: longText(),
    selling_point_1: longText(),
    selling_point_2: longText(),
    screenshots: json({ default: '{}' }),
    ...dates,
  },
  unique: [{ columns: ['product_id'] }],
})

const settings = kind({
  table: 'settings',
  says: 'which settings a product has',
  key: ['product_id', 'setting_type'],
  made: ['id'],
  columns: { product_id: to('products'), setting_type: integer(), ...dates },
})

const members = kind({
  table: 'bundle_members',
  says: 'the products that a bundle opens',
  key: ['bundle_id', 'product_id'],
  ownedBy: [{ column: 'bundle_id', of: 'products' }],
  columns: { bundle_id: to('products'), product_id: to('products') },
})

const picture = kind({
  table: 'pictures',
  says: 'icons and portraits, in base64',
  columns: {
    id: id(),
    product_id: to('products'),
    sha256: text(64, { form: 'sha256' }),
    media_type: choice(['image/png', 'image/jpeg', 'image/gif']),
    bytes: bytes(300_000),
    ...created,
  },
  unique: [{ columns: ['product_id', 'sha256'] }],
})

const mailTexts = kind({
  table: 'own_mail_texts',
  says: "the seller's own texts of mails",
  key: ['product_id'],
  columns: { product_id: to('products'), texts: json() },
})

const fileKeys = kind({
  table: 'license_keys',
  says: 'the keys that sign license files, which go on verifying',
  columns: {
    id: id(),
    product_id: to('products'),
    state: choice(['current', 'next', 'retired']),
    kid: text(100),
    public_key: text(100),
    secret_key: secret('license_keys.secret_key', NULL),
    files_until: time(NULL),
    retired_at: time(NULL),
    ...created,
  },
  unique: [
    { columns: ['kid'] },
    {
      columns: ['product_id', 'state'],
      where: (row) => row['state'] !== 'retired',
      sql: `state <> 'retired'`,
    },
  ],
})

const token = kind({
  table: 'api_tokens',
  says: 'bearer tokens of products, as hashes: the tokens go on working',
  key: ['token_hash'],
  made: ['id', 'developer_id', 'product_ids', 'rights', 'made_by'],
  columns: {
    product_id: to('products'),
    name: text(200),
    token_hash: text(64, { form: 'sha256' }),
    hint: text(20, { default: '' }),
    ...created,
    expires_at: time(NULL),
    revoked_at: time(NULL),
    last_used_at: time(NULL),
  },
})

/** Whose account it is and what it sells, each kind after those that it refers to. */
export const SELLER: readonly Kind[] = [
  store,
  product,
  settings,
  emailAddresses,
  taxSettings,
  info,
  members,
  picture,
  mailTexts,
  fileKeys,
  token,
]

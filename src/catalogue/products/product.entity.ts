import { Type } from '../../lib/type.ts'
import { entity, type Presented } from '../../http/entity.ts'
import {
  choice,
  derived,
  flag,
  id,
  integer,
  money,
  sealed,
  text,
  time,
  type Field,
} from '../../http/entity-fields.ts'
import { SellingUnit, sellingUnitOf } from '../../http/selling-unit.ts'
import { Choice, Id, Nullable, Optional, Text } from '../../http/wire.ts'
import { fold } from '../../lib/fold.ts'
import { GIVEN_TYPES, PRODUCT_TYPES } from './types.ts'

export const REFUND_POLICIES = ['flexible', 'moderate', 'strict'] as const
export const RENEWALS_DISCOUNT_TYPES = ['percentage', 'dollar'] as const
const KINDS = ['product', 'addon', 'bundle'] as const
/** 0 both, 1 the wallet gateway, 2 cards. */
const ACCEPTED_PAYMENTS = [0, 1, 2] as const

const MAX_DAYS = 3650

/** Comma-separated ids: beyond what any number of plans, features or members needs. */
export const IdList = (description: string) => Text({ max: 20_000, format: 'ids', description })

const TYPE = '`app`, `desktop`, `saas` and `library` are answered as `widget`, with the type in `type_alias`.'

const Title = () => Text({ min: 1 })
const Slug = () =>
  Text({ min: 1, max: 100, format: 'slug', description: 'Unique among the products of the developer.' })
const Given = (options: { readonly default?: 'plugin' } = {}) =>
  Choice(GIVEN_TYPES, { ...options, description: TYPE })

/** Comma-separated ids in the order of the seller. */
const order = (what: string) =>
  ({
    filled: true,
    description: 'Comma-separated IDs in the order of the seller.',
    update: {
      schema: Optional(
        IdList(`Comma-separated IDs of ${what}; those left out keep their order behind them.`),
      ),
    },
  }) as const

const filled = { filled: true } as const
const orNull = { filled: true, null: true } as const
const count = { filled: true, shown: Type.Integer({ minimum: 0 }) } as const
const countOfSales = { ...count, class: 'sales' } as const

/** Of the product's settings (`settings-schema.ts`). */
const setting = { filled: true, hidden: true } as const
const settingOrNull = { ...setting, null: true } as const

/**
 * A product, an add-on or a bundle (`plugin` on the wire). Money is minor units of US dollars. Fields in the order of
 * the reply.
 */
export const PRODUCT = entity(
  'products',
  {
    secret_key: sealed({
      description: 'For tokens and signed calls with all rights; a login has it shown by its password.',
      class: 'license keys',
      optional: true,
    }),
    public_key: text({}),
    id: id({ filled: true }),
    created: time({}),
    updated: time({ null: true }),
    parent_plugin_id: id({ null: true, create: 'The product that this one is an add-on of.' }),
    developer_id: id({}),
    store_id: id({}),
    slug: text({
      create: { schema: Optional(Slug()) },
      update: { schema: Optional(Slug()), read: (sent: string) => fold(sent) },
    }),
    title: text({ create: { schema: Title() }, update: { schema: Optional(Title()) } }),
    environment: derived(Choice([0, 1]), () => 0 as const),
    /** Path or address of a picture. */
    icon: text(orNull),
    default_plan_id: id({
      ...orNull,
      update: { schema: Optional(Nullable(Id("ID of one of the product's plans; null: as it is."))) },
    }),
    plans: text(order('plans')),
    features: text(order('features')),
    money_back_period: integer({
      ...filled,
      description: 'Days.',
      update: { schema: Optional(Type.Integer({ minimum: 0, maximum: MAX_DAYS, description: 'Days.' })) },
    }),
    refund_policy: choice(REFUND_POLICIES, { ...filled, update: true }),
    is_consumptive_usage: flag(filled),
    /** Hundredths: of a percent, or minor units of US dollars. */
    annual_renewals_discount: money({ ...orNull, update: 'Percent, or US dollars.' }),
    renewals_discount_type: choice(RENEWALS_DISCOUNT_TYPES, { ...filled, update: true }),
    lifetime_license_proration_days: integer({
      ...orNull,
      update: {
        schema: Optional(
          Nullable(
            Type.Integer({
              minimum: 0,
              maximum: MAX_DAYS,
              description:
                'Days after its payment in which a lifetime counts towards another one; null and above 30: always.',
            }),
          ),
        ),
      },
    }),
    is_released: flag(filled),
    is_sdk_required: flag(filled),
    is_pricing_visible: flag({ ...filled, update: true }),
    is_wp_org_compliant: flag(filled),
    installs_count: integer(count),
    active_installs_count: integer(count),
    free_releases_count: integer(count),
    premium_releases_count: integer(count),
    total_purchases: integer(countOfSales),
    total_subscriptions: integer(countOfSales),
    total_renewals: integer(countOfSales),
    total_failed_purchases: integer(countOfSales),
    earnings: money({ ...filled, class: 'sales' }),
    type: choice(PRODUCT_TYPES, {
      create: { schema: Given({ default: 'plugin' }) as ReturnType<typeof Choice<typeof GIVEN_TYPES>> },
      update: { schema: Optional(Given()) },
    }),
    type_alias: text({
      ...filled,
      create: {
        schema: Optional(Text({ max: 100, description: 'Label of the kind, such as `desktop app`.' })),
      },
    }),
    is_static: flag(filled),
    selling_unit_label: derived(SellingUnit, sellingUnitOf),
    kind: choice(KINDS, setting),
    /** `docs/decisions.md` 3.2. */
    can_create_users: flag({ hidden: true }),
    /** JSON list of host names that links of this product may lead to (`docs/decisions.md` 3.10). */
    redirect_hosts: text({ hidden: true }),
    is_active: flag(setting),
    /** Grows with every change of what `pricing.json` shows. */
    catalogue_version: integer(setting),
    /** How long after the renewal is due the license expires. */
    renewal_grace_hours: integer(setting),
    /** Whether periods that were missed are charged all the same, one a day. */
    charge_arrears: flag(setting),
    confirms_opt_in: flag(setting),
    /** Whether a license of the sandbox gets the builds that live ones get. */
    sandbox_gets_released: flag(setting),
    /** Whether a seller's own code may make tokens of the sandbox. */
    accepts_client_sandbox_tokens: flag(setting),
    /** Up to how many installs a site begins that used the product before; null: there is no limit. */
    updated_sites_limit: integer(settingOrNull),
    accepted_payments: choice(ACCEPTED_PAYMENTS, {
      ...setting,
      update: '0 both, 1 the wallet gateway, 2 cards.',
    }),
    expose_license_key: flag({ ...setting, update: true }),
    enable_after_purchase_email_login_link: flag({ ...setting, update: true }),
    /** Whether who leaves a cart is mailed about it. */
    enable_cart_recovery: flag(setting),
    selling_unit_singular: text(setting),
    selling_unit_plural: text(setting),
    /** Where a buyer is led whose checkout names nothing; null: nowhere. */
    checkout_redirect_url: text(settingOrNull),
    /** The page of the shop to which mails about carts and failed renewals lead; null: the checkout of this server. */
    recovery_url: text(settingOrNull),
    terms_url: text(settingOrNull),
    privacy_url: text(settingOrNull),
    /** `#` and six hexadecimal digits. */
    checkout_accent: text(settingOrNull),
    checkout_logo_url: text(settingOrNull),
    support_email: text(settingOrNull),
    /** JSON list of host names whose pages may hold the checkout; empty: all. */
    embed_hosts: text(setting),
    keywright_badge: flag(setting),
    /** JSON list of what buyers cannot do in the portal (`PORTAL_PARTS`). */
    portal_off: text(setting),
    /** JSON list of host names whose pages may hold the portal; empty: none. */
    portal_embed_hosts: text(setting),
    portal_greeting_en: text(settingOrNull),
    portal_greeting_de: text(settingOrNull),
    portal_help_en: text(settingOrNull),
    portal_help_de: text(settingOrNull),
    downloads: integer(setting),
  },
  { told: null },
)

/** The columns that a reply is made of. */
export type ProductRow = Presented<(typeof PRODUCT)['fields']>

const UNIT: readonly string[] = ['selling_unit_singular', 'selling_unit_plural']

/** The columns of `ProductRow` with the table's name, so that a query may join. */
export const PRODUCT_COLUMNS = Object.entries<Field>(PRODUCT.fields)
  .filter(([column, { options }]) => (!options.hidden && !options.present) || UNIT.includes(column))
  .map(([column]) => `products.${column}`) as `products.${keyof ProductRow}`[]

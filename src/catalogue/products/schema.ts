import type { Selectable, Updateable } from 'kysely'
import { Type, type Static } from '../../lib/type.ts'
import type { ReadContext } from '../../context.ts'
import type { ProductsTable } from '../../db/tables/products.ts'
import { SellingUnit, sellingUnitOf } from '../../http/selling-unit.ts'
import { Choice, IdText, Nullable, Optional, Time } from '../../http/wire.ts'
import { idText } from '../../lib/id-text.ts'
import type { Keyring } from '../../lib/keyring.ts'
import { pictureUrl } from '../../lib/pictures.ts'

export const PRODUCT_TYPES = ['plugin', 'theme', 'widget', 'template'] as const
export const REFUND_POLICIES = ['flexible', 'moderate', 'strict'] as const
export const RENEWALS_DISCOUNT_TYPES = ['percentage', 'dollar'] as const

/** The columns of a product that a reply shows, with the table's name, so that a query may join. */
export const PRODUCT_COLUMNS = [
  'products.id',
  'products.created',
  'products.updated',
  'products.public_key',
  'products.secret_key',
  'products.parent_plugin_id',
  'products.developer_id',
  'products.store_id',
  'products.slug',
  'products.title',
  'products.icon',
  'products.default_plan_id',
  'products.plans',
  'products.features',
  'products.money_back_period',
  'products.refund_policy',
  'products.is_consumptive_usage',
  'products.annual_renewals_discount',
  'products.renewals_discount_type',
  'products.lifetime_license_proration_days',
  'products.is_released',
  'products.is_sdk_required',
  'products.is_pricing_visible',
  'products.is_wp_org_compliant',
  'products.installs_count',
  'products.active_installs_count',
  'products.free_releases_count',
  'products.premium_releases_count',
  'products.total_purchases',
  'products.total_subscriptions',
  'products.total_renewals',
  'products.total_failed_purchases',
  'products.earnings',
  'products.type',
  'products.type_alias',
  'products.selling_unit_singular',
  'products.selling_unit_plural',
  'products.is_static',
] as const

type Column = (typeof PRODUCT_COLUMNS)[number] extends `products.${infer Name}` ? Name : never
export type ProductRow = Pick<Selectable<ProductsTable>, Column & keyof ProductsTable>

/** Every column, for the rules of a change; never a reply. */
export type WholeProduct = Selectable<ProductsTable>
export type ProductChange = Updateable<ProductsTable>

const Count = () => Type.Integer({ minimum: 0 })

/** The contract's `Plugin`: a product, an add-on or a bundle. Money is US dollars. */
export const Plugin = Type.Object(
  {
    secret_key: Optional(
      Type.String({
        description: 'For tokens and signed calls with all rights; a login has it shown by its password.',
      }),
    ),
    public_key: Type.String(),
    id: IdText(),
    created: Time(),
    updated: Nullable(Time()),
    parent_plugin_id: Nullable(IdText()),
    developer_id: IdText(),
    store_id: IdText(),
    slug: Type.String(),
    title: Type.String(),
    environment: Choice([0, 1]),
    icon: Nullable(Type.String()),
    default_plan_id: Nullable(IdText()),
    plans: Type.String({ description: 'Comma-separated IDs in the order of the seller.' }),
    features: Type.String({ description: 'Comma-separated IDs in the order of the seller.' }),
    money_back_period: Type.Integer({ description: 'Days.' }),
    refund_policy: Choice(REFUND_POLICIES),
    is_consumptive_usage: Type.Boolean(),
    annual_renewals_discount: Nullable(Type.Number()),
    renewals_discount_type: Choice(RENEWALS_DISCOUNT_TYPES),
    lifetime_license_proration_days: Nullable(Type.Integer()),
    is_released: Type.Boolean(),
    is_sdk_required: Type.Boolean(),
    is_pricing_visible: Type.Boolean(),
    is_wp_org_compliant: Type.Boolean(),
    installs_count: Count(),
    active_installs_count: Count(),
    free_releases_count: Count(),
    premium_releases_count: Count(),
    total_purchases: Count(),
    total_subscriptions: Count(),
    total_renewals: Count(),
    total_failed_purchases: Count(),
    earnings: Type.Number(),
    type: Choice(PRODUCT_TYPES),
    type_alias: Type.String(),
    is_static: Type.Boolean(),
    selling_unit_label: SellingUnit,
  },
  { title: 'Plugin' },
)
export type Plugin = Static<typeof Plugin>

/** Row → wire; `keys` is null for a caller that may not see the secret key (`keysShownTo`). */
export function presentProduct(
  row: ProductRow,
  keys: Keyring | null,
  ctx: Pick<ReadContext, 'baseUrl'>,
): Plugin {
  const secret = keys ? { secret_key: keys.open(row.secret_key, 'products.secret_key') } : {}
  return { ...secret, ...presentPublic(row), icon: pictureUrl(ctx, row.icon) }
}

const presentPublic = (row: ProductRow): Omit<Plugin, 'icon'> => ({
  public_key: row.public_key,
  id: String(row.id),
  created: row.created,
  updated: row.updated,
  parent_plugin_id: idText(row.parent_plugin_id),
  developer_id: String(row.developer_id),
  store_id: String(row.store_id),
  slug: row.slug,
  title: row.title,
  environment: 0,
  default_plan_id: idText(row.default_plan_id),
  plans: row.plans,
  features: row.features,
  money_back_period: row.money_back_period,
  refund_policy: row.refund_policy,
  is_consumptive_usage: row.is_consumptive_usage,
  annual_renewals_discount: row.annual_renewals_discount === null ? null : row.annual_renewals_discount / 100,
  renewals_discount_type: row.renewals_discount_type,
  lifetime_license_proration_days: row.lifetime_license_proration_days,
  is_released: row.is_released,
  is_sdk_required: row.is_sdk_required,
  is_pricing_visible: row.is_pricing_visible,
  is_wp_org_compliant: row.is_wp_org_compliant,
  installs_count: row.installs_count,
  active_installs_count: row.active_installs_count,
  free_releases_count: row.free_releases_count,
  premium_releases_count: row.premium_releases_count,
  total_purchases: row.total_purchases,
  total_subscriptions: row.total_subscriptions,
  total_renewals: row.total_renewals,
  total_failed_purchases: row.total_failed_purchases,
  earnings: row.earnings / 100,
  type: row.type,
  type_alias: row.type_alias,
  is_static: row.is_static,
  selling_unit_label: sellingUnitOf(row),
})

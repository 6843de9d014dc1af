import { Type, type Static } from '../../lib/type.ts'
import { Arguments, Choice, Fields, Id, Nullable, Optional, Paging, Price, Text } from '../../http/wire.ts'
import { REFUND_POLICIES, RENEWALS_DISCOUNT_TYPES } from './schema.ts'
import { GIVEN_TYPES } from './types.ts'

const MAX_DAYS = 3650
/** Beyond what the order of any number of plans or features needs. */
const MAX_LIST = 20_000

const TYPE = '`app`, `desktop`, `saas` and `library` are answered as `widget`, with the type in `type_alias`.'

const title = () => Text({ min: 1 })
const slug = () =>
  Text({ min: 1, max: 100, format: 'slug', description: 'Unique among the products of the developer.' })
const idList = (description: string) => Text({ max: MAX_LIST, format: 'ids', description })

/** What of the contract's `Plugin` a seller may change. */
export const ProductUpdate = Arguments({
  slug: Optional(slug()),
  title: Optional(title()),
  type: Optional(Choice(GIVEN_TYPES, { description: TYPE })),
  plans: Optional(idList('Comma-separated IDs of plans; those left out keep their order behind them.')),
  features: Optional(idList('Comma-separated IDs of features; those left out keep their order behind them.')),
  money_back_period: Optional(Type.Integer({ minimum: 0, maximum: MAX_DAYS, description: 'Days.' })),
  refund_policy: Optional(Choice(REFUND_POLICIES)),
  annual_renewals_discount: Optional(Nullable(Price('Percent, or US dollars.'))),
  renewals_discount_type: Optional(Choice(RENEWALS_DISCOUNT_TYPES)),
  lifetime_license_proration_days: Optional(
    Nullable(
      Type.Integer({
        minimum: 0,
        maximum: MAX_DAYS,
        description:
          'Days after its payment in which a lifetime counts towards another one; null and above 30: always.',
      }),
    ),
  ),
  is_pricing_visible: Optional(Type.Boolean()),
  default_plan_id: Optional(Nullable(Id("ID of one of the product's plans; null: as it is."))),
  accepted_payments: Optional(Choice([0, 1, 2], { description: '0 both, 1 the wallet gateway, 2 cards.' })),
  expose_license_key: Optional(Type.Boolean()),
  enable_after_purchase_email_login_link: Optional(Type.Boolean()),
})
export type ProductUpdate = Static<typeof ProductUpdate>

const created = {
  title: title(),
  slug: Optional(slug()),
  type: Choice(GIVEN_TYPES, { default: 'plugin', description: TYPE }) as ReturnType<
    typeof Choice<typeof GIVEN_TYPES>
  >,
  type_alias: Optional(Text({ max: 100, description: 'Label of the kind, such as `desktop app`.' })),
  parent_plugin_id: Optional(Nullable(Id('The product that this one is an add-on of.'))),
  is_bundle: Type.Boolean({ default: false, description: 'Its licenses open its members.' }),
  members: Optional(idList('Comma-separated IDs of the products in a bundle.')),
}

/** In a store: a product, an add-on (`parent_plugin_id`) or a bundle (`is_bundle`). */
export const StoreProductCreate = Arguments(created)
export type StoreProductCreate = Static<typeof StoreProductCreate>

export const ProductCreate = Arguments({
  ...created,
  store_id: Optional(Id("Default: the parent's store, or the developer's first.")),
})
export type ProductCreate = Static<typeof ProductCreate>

export const ProductList = Arguments({
  all: Type.Boolean({ default: false, description: 'True: up to 1,000 products in one reply.' }),
  ...Paging,
  ...Fields,
})
export type ProductList = Static<typeof ProductList>

export const BundleMembers = Arguments({
  members: idList('Comma-separated IDs of products of the developer that are no bundles; empty: none.'),
})

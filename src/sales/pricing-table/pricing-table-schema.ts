import { Type, type Static } from '../../lib/type.ts'
import { SellingUnit } from '../../http/selling-unit.ts'
import { Arguments, Choice, Id, IdText, Nullable, Optional, SecretText, Text } from '../../http/wire.ts'
import { CURRENCIES } from '../../lib/money.ts'
import { PRODUCT_TYPES } from '../../catalogue/products/types.ts'
import { REFUND_POLICIES, RENEWALS_DISCOUNT_TYPES } from '../../catalogue/products/product.entity.ts'
import { Review } from '../../catalogue/reviews/schema.ts'
import { FeatureEnriched } from '../../catalogue/plans/feature-schema.ts'
import { CurrencyFilter, Pricing } from '../../catalogue/plans/pricing-schema.ts'
import { PLAN } from '../../catalogue/plans/plan.entity.ts'

const show = {
  ...CurrencyFilter,
  show_pending: Type.Boolean({ default: false, description: 'Also of a product that is not released.' }),
  type: Choice(['all', 'visible'], {
    default: 'all',
    description: 'The value visible leaves out what is hidden.',
  }),
}

/** What a pricing table shows. */
export const TableFilter = Arguments({ ...show })
export type TableFilter = Static<typeof TableFilter>

/** What a page says of the install on which it is shown, and how it proves it; zeros where there is none. */
const context = {
  s_ctx_type: Optional(
    Text({ max: 20, description: 'The value install: of that one trial_utilized tells.' }),
  ),
  s_ctx_id: Optional(Text({ max: 20, description: 'ID of the install.' })),
  s_ctx_ts: Optional(
    Text({ max: 20, description: 'Unix seconds of the proof, which holds for 15 minutes.' }),
  ),
  s_ctx_secure: Optional(
    SecretText({ max: 100, description: 'MD5 of time, id, secret key, public key and the word upgrade.' }),
  ),
}
const page = {
  ...show,
  ...context,
  is_enriched: Type.Boolean({ default: false, description: 'Adds what an in-product page needs.' }),
  trial: Optional(
    Type.Boolean({ description: 'Whether the page offers a trial; absent: where there is one.' }),
  ),
}

/** What the table of an add-on takes. */
export const AddonTableQuery = Arguments(page)
export type AddonTableQuery = Static<typeof AddonTableQuery>

export const TableQuery = Arguments({
  ...page,
  public_key: Optional(
    Text({ max: 64, description: 'Of a page that cannot sign: the public key of the product is enough.' }),
  ),
  bundle_product_id: Optional(Id('ID of a bundle that has the product: answers its table.')),
  bundle_product_public_key: Optional(Text({ max: 64, description: 'The public key of that bundle.' })),
})
export type TableQuery = Static<typeof TableQuery>

/** A plan with its prices and features; a free plan has no key `pricing`. */
export const PlanOfTable = Type.Object(
  {
    ...PLAN.shown,
    pricing: Optional(Type.Array(Pricing, { description: 'Absent: the plan is free.' })),
    features: Type.Array(FeatureEnriched),
  },
  { title: 'PlanOfTable' },
)
export type PlanOfTable = Static<typeof PlanOfTable>

const amount = () =>
  Type.Object(
    Object.fromEntries(CURRENCIES.map((currency) => [currency, Type.Number()])) as Record<
      (typeof CURRENCIES)[number],
      ReturnType<typeof Type.Number>
    >,
    { title: 'Amounts' },
  )

/** The prices of a plan for one license; 0 where a cycle is not sold in a currency. */
export const SinglePrices = Type.Object(
  { monthly_price: amount(), annual_price: amount(), lifetime_price: amount() },
  { title: 'SinglePrices' },
)
export type SinglePrices = Static<typeof SinglePrices>

const enriched = {
  id: Optional(IdText()),
  annual_renewals_discount: Optional(Nullable(Type.Number())),
  renewals_discount_type: Optional(Choice(RENEWALS_DISCOUNT_TYPES)),
  has_premium_version: Optional(Type.Boolean()),
  is_wp_org_compliant: Optional(Type.Boolean()),
}

/** The reply of products/retrieve-pricing-table-data; the optional fields when enriched. */
export const PricingTable = Type.Object(
  {
    plugin: Type.Object({
      icon: Nullable(Type.String()),
      slug: Type.String(),
      title: Type.String(),
      type: Choice(PRODUCT_TYPES),
      money_back_period: Type.Integer({ description: 'Days.' }),
      refund_policy: Choice(REFUND_POLICIES),
      public_key: Type.String(),
      parent_plugin_id: Nullable(IdText()),
      selling_unit_label: SellingUnit,
      ...enriched,
    }),
    plans: Type.Array(PlanOfTable),
    reviews: Type.Array(Review, { description: 'Verified and featured ones, the newest first.' }),
    active_installs: Type.Integer(),
    downloads: Type.Integer(),
    all_plans_single_site_pricing: Type.Unsafe<Readonly<Record<string, SinglePrices>>>({
      type: 'object',
      description: 'By ID of the plan.',
      additionalProperties: SinglePrices,
    }),
    checkout_url: Type.String(),
    fs_wp_endpoint_url: Type.String(),
    trial_mode: Type.Boolean(),
    trial_utilized: Type.Boolean(),
    is_paypal_supported: Optional(Type.Boolean()),
    skip_directly_to_paypal: Optional(Type.Boolean()),
  },
  { title: 'PricingTable' },
)
export type PricingTable = Static<typeof PricingTable>

import type { Context, ReadContext } from '../../context.ts'
import { sellingUnitOf } from '../../http/selling-unit.ts'
import { hasWallet } from '../../gateways/choose.ts'
import type { Problems } from '../../http/decode.ts'
import type { State } from '../../http/operation.ts'
import type { Scope } from '../../access/scope.ts'
import { notFound } from '../../lib/errors.ts'
import { VERSION } from '../../lib/version.ts'
import { isPendingShown } from '../../catalogue/addons/service.ts'
import type {
  AddonTableQuery,
  PlanOfTable,
  PricingTable,
  TableFilter,
  TableQuery,
} from './pricing-table-schema.ts'
import { pictureUrl } from '../../lib/pictures.ts'
import { presentShownReview } from '../../catalogue/reviews/schema.ts'
import { checkoutBase } from '../checkouts/front/links.ts'
import { nestedPlans, singlePricesOf } from './pricing-table-plans.ts'
import { isTriedSite } from './tried-site.ts'
import {
  featuredReviews,
  featureValuesOfProduct,
  featureValuesOfProducts,
  findTableAddon,
  findTableBundle,
  findTableProduct,
  listTableAddons,
  plansOfProduct,
  plansOfProducts,
  type TableProduct,
} from './pricing-table-queries.ts'

/** A product, and whether the install on which its table is shown has had its trial. */
interface Shown {
  readonly product: TableProduct
  readonly isTried: boolean
}

/**
 * The product whose table is asked for, from one statement, and the name of the state it is in: the version
 * of its catalogue, which every change of what the table shows raises, and how many installs are in use. 404 when it is not in the bundle.
 */
export async function tableState(ctx: ReadContext, scope: Scope, query: TableQuery): Promise<State<Shown>> {
  const { bundle_product_id: bundleId, bundle_product_public_key: bundleKey } = query
  const known = { developerId: scope.developerId, productId: scope.productId }
  const [product] =
    bundleId === undefined
      ? await findTableProduct(ctx.db, known)
      : await findTableBundle(ctx.db, { ...known, bundleId })
  const isOther = Boolean(bundleKey) && bundleKey !== product?.public_key
  if (!product || isOther) throw notFound(bundleId === undefined ? 'product' : 'bundle of the product')
  const isTried = await isTriedSite(ctx, scope, query)
  const flags = [query.show_pending, query.is_enriched, query.trial, isTried].map((flag) =>
    String(flag ?? 'any'),
  )
  const parts = [
    VERSION,
    product.id,
    product.catalogue_version,
    product.active_installs_count,
    query.currency ?? 'all',
    query.type,
  ]
  return { tag: [...parts, ...flags].join('-'), known: { product, isTried } }
}

/** A key without a bundle says nothing. */
export async function checkTableQuery(query: TableQuery, problems: Problems): Promise<void> {
  if (query.bundle_product_public_key && query.bundle_product_id === undefined) {
    problems.malformed.push({ field: 'bundle_product_public_key', message: 'needs bundle_product_id' })
  }
}

/** The pricing table of the product that `tableState` found: three statements, whatever it holds. */
export async function pricingTable(
  ctx: ReadContext & Pick<Context, 'gateways'>,
  query: AddonTableQuery,
  { product, isTried }: Shown,
): Promise<PricingTable> {
  const [rows, values, reviews] = await Promise.all([
    plansOfProduct(ctx.db, { productId: product.id }),
    featureValuesOfProduct(ctx.db, { productId: product.id }),
    featuredReviews(ctx.db, { productId: product.id }),
  ])
  const plans = nestedPlans(product, rows, values, query)
  const hasTrial = plans.some((plan) => plan.trial_period !== null && plan.pricing !== undefined)
  return {
    plugin: pluginOf(ctx, product, query.is_enriched),
    plans,
    reviews: reviews.map((review) => presentShownReview(review, ctx)),
    active_installs: product.active_installs_count,
    downloads: product.downloads,
    all_plans_single_site_pricing: singlePricesOf(plans, rows),
    checkout_url: `${checkoutBase(ctx)}/checkout`,
    fs_wp_endpoint_url: ctx.baseUrl,
    trial_mode: hasTrial && query.trial !== false,
    trial_utilized: isTried,
    ...(query.is_enriched && {
      is_paypal_supported: hasWallet(ctx) && product.accepted_payments !== 2,
      skip_directly_to_paypal: hasWallet(ctx) && product.accepted_payments === 1,
    }),
  }
}

/** The table of an add-on under its parent; 404 when the product has no such add-on. */
export async function addonPricingTable(
  ctx: ReadContext & Pick<Context, 'gateways'>,
  scope: Scope,
  addonId: number,
  query: AddonTableQuery,
): Promise<PricingTable> {
  const known = { developerId: scope.developerId, productId: scope.productId }
  const [addon] = await findTableAddon(ctx.db, { ...known, addonId })
  if (!addon) throw notFound('add-on')
  const isTried = await isTriedSite(ctx, { ...scope, productId: addonId }, query)
  const shown = { ...query, show_pending: isPendingShown(scope, query.show_pending) }
  return pricingTable(ctx, shown, { product: addon, isTried })
}

/** The plans with prices and features of every add-on of a product, the oldest add-on first. */
export async function pricingOfAddons(
  ctx: ReadContext,
  scope: Scope,
  query: TableFilter,
): Promise<{ readonly id: string; readonly plans: PlanOfTable[] }[]> {
  const { developerId, productId } = scope
  const filter = { ...query, show_pending: isPendingShown(scope, query.show_pending) }
  const all = await listTableAddons(ctx.db, { developerId, productId })
  const addons = all.filter((addon) => addon.is_released || filter.show_pending)
  if (addons.length === 0) return []
  const ids = addons.map(({ id }) => id)
  const [rows, values] = await Promise.all([
    plansOfProducts(ctx.db, ids),
    featureValuesOfProducts(ctx.db, ids),
  ])
  const rowsBy = Map.groupBy(rows, ({ product_id: id }) => id)
  const valuesBy = Map.groupBy(values, ({ product_id: id }) => id)
  return addons.map((addon) => ({
    id: String(addon.id),
    plans: nestedPlans(addon, rowsBy.get(addon.id) ?? [], valuesBy.get(addon.id) ?? [], filter),
  }))
}

const pluginOf = (ctx: ReadContext, product: TableProduct, isEnriched: boolean): PricingTable['plugin'] => ({
  icon: pictureUrl(ctx, product.icon),
  slug: product.slug,
  title: product.title,
  type: product.type,
  money_back_period: product.money_back_period,
  refund_policy: product.refund_policy,
  public_key: product.public_key,
  parent_plugin_id: product.parent_plugin_id === null ? null : String(product.parent_plugin_id),
  selling_unit_label: sellingUnitOf(product),
  ...(isEnriched && {
    id: String(product.id),
    annual_renewals_discount:
      product.annual_renewals_discount === null ? null : product.annual_renewals_discount / 100,
    renewals_discount_type: product.renewals_discount_type,
    has_premium_version: product.premium_releases_count > 0,
    is_wp_org_compliant: product.is_wp_org_compliant,
  }),
})

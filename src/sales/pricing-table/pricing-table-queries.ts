import type { Reader } from '../../db/database.ts'
import { inList } from '../../db/in-list.ts'
import { prepared } from '../../db/prepared.ts'
import { unscoped } from '../../db/scoped.ts'
import { FEATURE_COLUMNS } from '../../catalogue/plans/feature-schema.ts'
import { LICENSES_IN_ORDER } from '../../catalogue/plans/pricing-rows.ts'
import { PLAN_COLUMNS } from '../../catalogue/plans/schema.ts'

const SHOWN = 'of a product that a query by the seller has found'

/** What a pricing table says of the product itself. Every query below starts from products in the scope. */
const products = (db: Reader, developerId: number) =>
  unscoped(db, 'products of the seller of the scope')
    .selectFrom('products')
    .select([
      'id',
      'slug',
      'title',
      'icon',
      'type',
      'public_key',
      'parent_plugin_id',
      'money_back_period',
      'refund_policy',
      'selling_unit_singular',
      'selling_unit_plural',
      'annual_renewals_discount',
      'renewals_discount_type',
      'is_wp_org_compliant',
      'premium_releases_count',
      'accepted_payments',
      'active_installs_count',
      'downloads',
      'is_released',
      'plans',
      'features',
      'default_plan_id',
      'catalogue_version',
    ])
    .where('developer_id', '=', developerId)

interface Known {
  readonly developerId: number
  readonly productId: number
}

/** The product itself. */
export const findTableProduct = prepared((db, { developerId, productId }: Known) =>
  products(db, developerId).where('id', '=', productId),
)

/** A bundle, when the product is a member of it. */
export const findTableBundle = prepared(
  (db, { developerId, productId, bundleId }: Known & { bundleId: number }) =>
    products(db, developerId)
      .where('id', '=', bundleId)
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('bundle_members')
            .select('bundle_id')
            .whereRef('bundle_id', '=', 'products.id')
            .where('product_id', '=', productId),
        ),
      ),
)

/** An add-on of the product. */
export const findTableAddon = prepared(
  (db, { developerId, productId, addonId }: Known & { addonId: number }) =>
    products(db, developerId).where('id', '=', addonId).where('parent_plugin_id', '=', productId),
)

/** Every add-on of the product, the oldest first. */
export const listTableAddons = prepared((db, { developerId, productId }: Known) =>
  products(db, developerId).where('parent_plugin_id', '=', productId).orderBy('id'),
)

/** The plans of products, each with its prices one a row, or in one row without a price. */
const plansWithPrices = (db: Reader, productIds: readonly number[]) =>
  unscoped(db, SHOWN)
    .selectFrom('plans')
    .leftJoin('pricing', (join) =>
      join.onRef('pricing.product_id', '=', 'plans.product_id').onRef('pricing.plan_id', '=', 'plans.id'),
    )
    .select(PLAN_COLUMNS)
    .select([
      'pricing.id as pricing_id',
      'pricing.created as pricing_created',
      'pricing.updated as pricing_updated',
      'pricing.currency',
      'pricing.licenses',
      'pricing.monthly_price',
      'pricing.annual_price',
      'pricing.lifetime_price',
      'pricing.is_whitelabeled',
      'pricing.is_hidden as is_price_hidden',
    ])
    .where('plans.product_id', 'in', productIds)
    .orderBy('plans.id')
    .orderBy(LICENSES_IN_ORDER)
    .orderBy('pricing.id')

/** The features that plans of products have, with their values. */
const featureValues = (db: Reader, productIds: readonly number[]) =>
  unscoped(db, SHOWN)
    .selectFrom('feature_values')
    .innerJoin('features', 'features.id', 'feature_values.feature_id')
    .select(FEATURE_COLUMNS)
    .select(['feature_values.plan_id', 'feature_values.value'])
    .where('feature_values.product_id', 'in', productIds)

export const plansOfProduct = prepared((db, { productId }: { productId: number }) =>
  plansWithPrices(db, [productId]),
)
export const plansOfProducts = (db: Reader, productIds: readonly number[]) =>
  plansWithPrices(db, inList(productIds)).execute()

export const featureValuesOfProduct = prepared((db, { productId }: { productId: number }) =>
  featureValues(db, [productId]),
)
export const featureValuesOfProducts = (db: Reader, productIds: readonly number[]) =>
  featureValues(db, inList(productIds)).execute()

/** At most this many reviews stand in a table. */
const MAX_REVIEWS = 500

/** Verified and featured reviews that are shown, the newest first. */
export const featuredReviews = prepared((db, { productId }: { productId: number }) =>
  unscoped(db, SHOWN)
    .selectFrom('reviews')
    .selectAll()
    .where('product_id', '=', productId)
    .where('is_active', '=', true)
    .where('is_featured', '=', true)
    .where('is_verified', '=', true)
    .orderBy('id', 'desc')
    .limit(MAX_REVIEWS),
)

export type TableProduct = Awaited<ReturnType<typeof findTableProduct>>[number]
export type PlanPriceRow = Awaited<ReturnType<typeof plansOfProduct>>[number]

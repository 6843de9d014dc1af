import type { Reader } from '../../db/database.ts'
import { preparedFor } from '../../db/prepared.ts'
import { scoped, type Owner } from '../../db/scoped.ts'
import type { OfferRow } from './queries.ts'

/** What a page shows of the product beside its price. */
const SHOWN = [
  'products.icon',
  'products.checkout_logo_url',
  'products.selling_unit_singular',
  'products.selling_unit_plural',
  'products.terms_url',
  'products.privacy_url',
] as const

/** Of the product, its price with the plan, the taxes of its seller, and the coupon that is off its renewals. */
const soldBy = preparedFor((db, owner, { pricingId }: { pricingId: number }) =>
  scoped(db, 'products', owner)
    .select()
    .leftJoin('pricing', (join) =>
      join.onRef('pricing.product_id', '=', 'products.id').on('pricing.id', '=', pricingId),
    )
    .leftJoin('plans', 'plans.id', 'pricing.plan_id')
    .leftJoin('tax_settings', 'tax_settings.developer_id', 'products.developer_id')
    .select([
      'products.id',
      'products.title',
      'products.parent_plugin_id',
      'products.money_back_period',
      'products.refund_policy',
      'products.is_consumptive_usage',
      'products.annual_renewals_discount',
      'products.renewals_discount_type',
      'products.lifetime_license_proration_days',
      'products.is_active',
      'products.accepted_payments',
      'products.redirect_hosts',
      'products.checkout_redirect_url',
      ...SHOWN,
      'products.renewal_grace_hours',
      'products.expose_license_key',
      'products.enable_after_purchase_email_login_link',
      'pricing.id as pricing_id',
      'pricing.created as pricing_created',
      'pricing.updated as pricing_updated',
      'pricing.plan_id',
      'pricing.currency',
      'pricing.licenses',
      'pricing.monthly_price',
      'pricing.annual_price',
      'pricing.lifetime_price',
      'pricing.is_whitelabeled',
      'pricing.is_hidden',
      'pricing.twin_of',
      'plans.name as plan_name',
      'plans.title as plan_title',
      'plans.is_hidden as is_plan_hidden',
      'plans.is_free_localhost',
      'plans.is_block_features',
      'plans.is_block_features_monthly',
      'tax_settings.country as tax_country',
      'tax_settings.registrations as tax_registrations',
      'tax_settings.is_format_enough',
    ])
    .select(({ selectFrom }) =>
      selectFrom('special_coupons')
        .innerJoin('coupons', 'coupons.id', 'special_coupons.coupon_id')
        .select('special_coupons.coupon_id')
        .whereRef('special_coupons.product_id', '=', 'products.id')
        .where('special_coupons.type', '=', 'renewals_discount')
        .where('coupons.deleted_at', 'is', null)
        .orderBy('special_coupons.id')
        .limit(1)
        .as('renewals_coupon_id'),
    ),
)

/** All that a sale at a price depends on, but for its buyer and coupon. */
export type SoldRow = Awaited<ReturnType<typeof soldBy>>[number]

/** Reads it by one statement; undefined where the product is gone. The price may be gone too. */
export async function findSold(db: Reader, owner: Owner, pricingId: number): Promise<SoldRow | undefined> {
  const [found] = await soldBy(db, owner, { pricingId })
  return found
}

/** The price of what is sold, as `findOffer` answers it; undefined where it is gone. */
export function offerIn({
  product_id,
  ...row
}: SoldRow & { readonly product_id: number }): OfferRow | undefined {
  const { pricing_id: id, plan_id, pricing_created: created, currency, plan_name, plan_title } = row
  if (id === null || plan_id === null || created === null || currency === null) return undefined
  if (plan_name === null || plan_title === null) return undefined
  return {
    id,
    created,
    updated: row.pricing_updated,
    product_id,
    plan_id,
    currency,
    licenses: row.licenses,
    monthly_price: row.monthly_price,
    annual_price: row.annual_price,
    lifetime_price: row.lifetime_price,
    is_whitelabeled: row.is_whitelabeled ?? false,
    is_hidden: row.is_hidden ?? false,
    twin_of: row.twin_of ?? 0,
    plan_name,
    plan_title,
    is_plan_hidden: row.is_plan_hidden ?? false,
  }
}

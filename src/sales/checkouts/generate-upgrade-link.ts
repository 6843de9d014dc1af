import type { TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { checkoutAddress, checkoutBase } from './address.ts'
import { invalid, invalidFields } from '../../lib/errors.ts'
import { DAY, toUtcTime } from '../../lib/time.ts'
import type { LicenseRow } from '../../licensing/licenses/schema.ts'
import { getLicense } from '../../licensing/licenses/service.ts'
import { hasPlan } from '../carts/cart-rows.ts'
import type { UpgradeLink, UpgradeLinkInput } from './upgrade-link-schema.ts'
import { refuseUnchangeable } from '../../licensing/licenses/unchangeable.ts'
import { licenseAuthorization } from './license-links.ts'
import { pricesOfPlan } from './upgrade-link-queries.ts'
import { requireSold } from '../../catalogue/products/sold-product.ts'
import { subscriptionsOf } from '../subscriptions/subscriptions.ts'

const LINK_MS = DAY

/**
 * A link to the checkout for an upgrade, a renewal (nothing is asked for) or another payment method of a license;
 * it works for 24 hours (`docs/interface.md` 8.5). 404 for a license that is not there; 400 `license_cancelled`,
 * `license_error` for one that came with a bundle, `product_not_sold`, for what is not sold, and for a payment method
 * `license_lifetime` and `no_subscription`.
 */
export async function generateUpgradeLink(
  ctx: TxContext,
  scope: Scope,
  licenseId: number,
  input: UpgradeLinkInput,
): Promise<UpgradeLink> {
  const license = await getLicense(ctx, scope, licenseId)
  refuseUnchangeable(license)
  const isPaymentMethod = input.is_payment_method_update
  if (isPaymentMethod) {
    await requireSubscription(ctx, license)
    return linkTo(ctx, license, { is_payment_method_update: true })
  }
  if (!isRenewal(input)) await requireSold(ctx, scope)
  await requireOffer(ctx, scope, license, input)
  return linkTo(ctx, license, input)
}

async function requireSubscription(ctx: TxContext, { id, expiration }: LicenseRow): Promise<void> {
  if (expiration === null) {
    throw invalid('license_lifetime', 'This license is for life, so nothing renews it.')
  }
  const subscription = (await subscriptionsOf(ctx, [id])).get(id)
  if (subscription?.isActive !== true) {
    throw invalid('no_subscription', 'This license has no active subscription.')
  }
}

const isRenewal = ({ plan_id, quota, billing_cycle }: UpgradeLinkInput): boolean =>
  plan_id === undefined && quota === undefined && billing_cycle === undefined

/** What is asked for must be what the product sells, as far as it is asked for. */
async function requireOffer(
  ctx: TxContext,
  scope: Scope,
  license: LicenseRow,
  input: UpgradeLinkInput,
): Promise<void> {
  const { plan_id, quota, billing_cycle: cycle, currency } = input
  if (isRenewal(input) && currency === undefined) return
  const planId = plan_id ?? license.plan_id
  if (!(await hasPlan(ctx.db, scope, planId))) throw refused('plan_id', 'is no plan of the product')
  const licenses = quota === undefined ? undefined : quotaOf(quota)
  const prices = await pricesOfPlan(ctx.db, scope, { planId, licenses })
  const ofCurrency = prices.filter((price) => currency === undefined || price.currency === currency)
  if (prices.length === 0) throw refused('quota', 'is not sold in this plan')
  if (ofCurrency.length === 0) throw refused('currency', 'is none of the prices')
  if (cycle === undefined) return
  const amounts = { monthly: 'monthly_price', annual: 'annual_price', lifetime: 'lifetime_price' } as const
  if (ofCurrency.every((price) => price[amounts[cycle]] === null)) {
    throw refused('billing_cycle', 'is not sold in this plan')
  }
}

const refused = (field: string, message: string) => invalidFields([{ field, message }])

/** Null: unlimited. */
const quotaOf = (quota: number | 'unlimited'): number | null => (quota === 'unlimited' ? null : quota)

async function linkTo(
  ctx: TxContext,
  license: LicenseRow,
  input: Partial<UpgradeLinkInput>,
): Promise<UpgradeLink> {
  const { id, product_id: productId } = license
  const planId = input.plan_id ?? license.plan_id
  const quota = input.quota === undefined ? license.quota : quotaOf(input.quota)
  const isPaymentMethod = input.is_payment_method_update === true
  const wanted = {
    is_payment_method_update: isPaymentMethod,
    ...(input.plan_id !== undefined && { plan_id: String(input.plan_id) }),
    ...(input.quota !== undefined && { licenses: String(input.quota) }),
    ...(input.billing_cycle !== undefined && { billing_cycle: input.billing_cycle }),
    ...(input.currency !== undefined && { currency: input.currency }),
  }
  const authorization = await licenseAuthorization(ctx, { license, wanted, lastsMs: LINK_MS })
  const options = {
    license_id: String(id),
    authorization,
    ...(input.billing_cycle !== undefined && { billing_cycle: input.billing_cycle }),
    ...(input.currency !== undefined && { currency: input.currency }),
    ...(isPaymentMethod && { is_payment_method_update: '1' }),
  }
  return {
    url: checkoutAddress({ baseUrl: checkoutBase(ctx), productId, planId, licenses: quota }, options),
    settings: {
      plugin_id: String(productId),
      plan_id: String(planId),
      licenses: quota,
      ...options,
      is_payment_method_update: isPaymentMethod,
    },
    expires: toUtcTime(ctx.clock.real() + LINK_MS),
  }
}

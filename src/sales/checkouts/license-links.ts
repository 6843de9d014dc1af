import type { ReadContext } from '../../context.ts'
import { wholeProduct, type Scope } from '../../access/scope.ts'
import { checkoutAddress, checkoutBase, dunningAddress } from './address.ts'
import { mailedTo } from '../../people/proof/mailed-to.ts'
import { issueToken } from '../../lib/signed-token.ts'
import { DAY, toUtcTime } from '../../lib/time.ts'
import { isOffered } from '../coupons/evaluate.ts'
import { findCoupon } from '../coupons/coupon-rows.ts'
import { listSpecial } from '../coupons/special-rows.ts'
import type { LicenseRow } from '../../licensing/licenses/schema.ts'
import { offersOf } from './queries.ts'
import { findStatus } from '../../catalogue/products/product-rows.ts'
import { currentSubscription, renewalOf, type Renewed } from './license.ts'
import { findOwnerOfLicense, recoveryPageOf } from './license-links-queries.ts'

/** From the first mail before a license ends until a month after its end. */
const MAILED_MS = 60 * DAY

type Linked = Pick<LicenseRow, 'id' | 'product_id' | 'plan_id'>

interface Authorized {
  readonly license: Pick<Linked, 'id' | 'product_id'>
  /** What the link was made for. */
  readonly wanted: Readonly<Record<string, string | boolean>>
  readonly lastsMs: number
}

/**
 * What opens the checkout of a license to whoever has the link (`docs/interface.md` 2.10), while its owner and the
 * owner's address are what they are (`isMailedTo`).
 */
export async function licenseAuthorization(
  { db, keys, clock }: ReadContext,
  { license, wanted, lastsMs }: Authorized,
): Promise<string> {
  const owner = await findOwnerOfLicense(db, license.id)
  const of = { license_id: String(license.id), plugin_id: String(license.product_id) }
  const claims = { ...of, ...(owner && mailedTo(owner)), ...wanted }
  return issueToken(keys, { purpose: 'checkout.license', claims, now: clock.real(), lastsMs })
}

/**
 * The address at which a license is renewed by hand, for a mail to its owner, with the product's coupon for manual
 * renewals where it has one (`docs/interface.md` 9.3); empty where nothing is sold that renews it.
 */
export async function renewalLink(
  ctx: ReadContext,
  scope: Scope,
  license: Linked & Renewed & Pick<LicenseRow, 'environment'>,
): Promise<string> {
  const whole = wholeProduct(scope)
  if (!(await isRenewable(ctx, whole, license))) return ''
  const [special] = await listSpecial(ctx.db, whole, 'manual_renewals_discount')
  const coupon = special && (await findCoupon(ctx.db, whole, special.coupon_id))
  const now = toUtcTime(ctx.clock.of(license.product_id, license.environment))
  const isRunning = coupon && isOffered(coupon, { ...license, now, planId: license.plan_id })
  return mailedLink(ctx, license, isRunning ? { coupon: coupon.code } : {})
}

/** What is paid once is bought anew, which an archived product does not sell. */
async function isRenewable(ctx: ReadContext, scope: Scope, license: Linked & Renewed): Promise<boolean> {
  const current = await currentSubscription(ctx, scope, license.id)
  const offer = renewalOf(await offersOf(ctx.db, scope), { license, current })
  if (offer === null) return false
  return offer.cycle !== 0 || (await findStatus(ctx.db, scope, {}))[0]?.is_active === true
}

/** The address at which a plan is bought; empty where it is not sold. */
export async function planLink(ctx: ReadContext, scope: Scope, planId: number): Promise<string> {
  const isSold = (await offersOf(ctx.db, scope)).some(({ plan_id: id }) => id === planId)
  if (!isSold || (await findStatus(ctx.db, scope, {}))[0]?.is_active !== true) return ''
  return checkoutAddress({ baseUrl: checkoutBase(ctx), productId: scope.productId, planId }, {})
}

interface Subscribed extends Omit<Linked, 'id'> {
  readonly license_id: number | null
}

/** The address at which its buyer pays a subscription in another way, and what is owed of it; empty without license. */
export const paymentMethodLink = async (
  ctx: ReadContext,
  { license_id: id, ...of }: Subscribed,
): Promise<string> => {
  if (id === null) return ''
  const page = await recoveryPageOf(ctx.db, of.product_id)
  return page === null ? mailedLink(ctx, { ...of, id }, METHOD) : shopLink(ctx, page, { ...of, id })
}

const METHOD = { is_payment_method_update: '1' } as const

async function shopLink(ctx: ReadContext, page: string, license: Linked): Promise<string> {
  const { id: licenseId, product_id: productId, plan_id: planId } = license
  const wanted = { is_payment_method_update: true }
  const authorization = await licenseAuthorization(ctx, { license, wanted, lastsMs: MAILED_MS })
  return dunningAddress(page, { productId, planId, licenseId, authorization })
}

async function mailedLink(
  ctx: ReadContext,
  license: Linked,
  more: Readonly<Record<string, string>>,
): Promise<string> {
  const { id, product_id: productId, plan_id: planId } = license
  const wanted = { is_payment_method_update: more === METHOD }
  const options = {
    license_id: String(id),
    authorization: await licenseAuthorization(ctx, { license, wanted, lastsMs: MAILED_MS }),
    ...more,
  }
  return checkoutAddress({ baseUrl: checkoutBase(ctx), productId, planId }, options)
}

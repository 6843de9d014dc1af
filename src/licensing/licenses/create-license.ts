import type { TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { requireAccess } from '../../http/roles.ts'
import type { Environment } from '../../db/tables/licenses.ts'
import { invalidFields, notFound } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import { addMonths } from '../../lib/periods.ts'
import { parseTimeText } from '../../lib/time-text.ts'
import { toUtcTime, type UtcTime } from '../../lib/time.ts'
import { findInstall } from '../installs/install-rows.ts'
import type { LicenseCreate, LicenseOnInstall } from './input-schema.ts'
import { LICENSE } from './license.entity.ts'
import type { LicenseRow } from './schema.ts'
import { getLicense, issueLicense, type NewLicense } from './service.ts'
import { getPricing } from '../../catalogue/plans/pricing.ts'
import { getPlan } from '../../catalogue/plans/service.ts'
import { findUserByEmail } from '../../people/users/user-rows.ts'
import { findInstallOfMember } from './child-license-queries.ts'
import { childLicense } from './child-license.ts'
import { putLicenseOn } from '../activation/license-on-install.ts'
import { ownerByAddress } from './customer.ts'
import { mailLicense } from './mail-licenses.ts'

/** The plan and the price that a path names. */
export interface OfferIds {
  readonly plan_id: number
  readonly pricing_id: number
}

/**
 * Issues a license on a price, with the price's quota and white label and the plan's rules unless the seller
 * says otherwise (`docs/interface.md` 5.6); of a bundle also one on an install of a product in it. 404
 * for a plan or price that the product has not; 400 for the address of somebody who is no user of the product and
 * is given no name, by which one becomes one (401 for who may not write customers), an install that is not of the
 * bundle, a key that is taken, and what refuses an activation.
 */
export async function createLicense(
  ctx: TxContext,
  scope: Scope,
  ids: OfferIds,
  input: LicenseCreate,
): Promise<LicenseRow> {
  const terms = await termsOf(ctx, scope, ids, input)
  const license = await issueLicense(ctx, scope, {
    ...terms,
    ...LICENSE.read('create', input),
    user_id: await ownerOf(ctx, scope, input),
    ...(input.license_key !== undefined && { key: input.license_key.trim() }),
  })
  const { existing_install_id: installId } = input
  const after = installId === undefined ? license : await activateMember(ctx, scope, license, installId)
  if (input.send_email && after.user_id !== null) await mailLicense(ctx, scope, after)
  return after
}

/** Issues a license for the owner of an install, in its environment, and activates it there. */
export async function createLicenseOn(
  ctx: TxContext,
  scope: Scope,
  ids: OfferIds & { readonly install_id: number },
  input: LicenseOnInstall,
): Promise<LicenseRow> {
  const [install] = await findInstall(ctx.db, scope, { id: ids.install_id })
  if (!install) throw notFound('install')
  const { environment } = install
  const terms = await termsOf(ctx, scope, ids, { ...input, environment })
  const issued = await issueLicense(ctx, scope, { ...terms, environment, user_id: install.user_id })
  const { license } = await putLicenseOn(ctx, scope, { installId: install.id, licenseId: issued.id })
  if (input.send_email) await mailLicense(ctx, scope, license)
  return license
}

/** The bundle's license as it is then: one that was nobody's has an owner, as what it opened has. */
async function activateMember(
  ctx: TxContext,
  scope: Scope,
  bundle: LicenseRow,
  id: number,
): Promise<LicenseRow> {
  const install = await findInstallOfMember(ctx.db, scope.productId, id)
  if (!install) {
    const message = 'must be an install of a product in the bundle'
    throw invalidFields([{ field: 'existing_install_id', message }])
  }
  const within = { ...scope, productId: install.product_id }
  const child = await childLicense(ctx, within, bundle, install.product_id)
  await putLicenseOn(ctx, within, { installId: install.id, licenseId: child.id })
  return bundle.user_id === null ? getLicense(ctx, scope, bundle.id) : bundle
}

type Terms = Omit<NewLicense, 'user_id'>

/** What plan, price and caller say of a license. */
export async function termsOf(
  ctx: TxContext,
  scope: Scope,
  ids: OfferIds,
  input: LicenseCreate & { readonly environment?: Environment },
): Promise<Terms> {
  const plan = await getPlan(ctx, scope, ids.plan_id)
  const pricing = await getPricing(ctx, scope, ids)
  const ofCycle = input.period === 1 ? plan.is_block_features_monthly : plan.is_block_features
  return {
    plan_id: plan.id,
    pricing_id: pricing.id,
    quota: pricing.licenses,
    expiration: endOf(input, toUtcTime(ctx.clock.of(scope.productId, input.environment ?? 0))),
    is_free_localhost: plan.is_free_localhost,
    is_block_features: input.is_block_features ?? ofCycle,
    is_whitelabeled: input.is_whitelabeled ?? pricing.is_whitelabeled,
  }
}

/** A date that is given wins over a cycle; with neither it never ends. */
function endOf({ period, expires_at: end }: LicenseCreate, now: UtcTime): UtcTime | null {
  if (end !== undefined) return end === null ? null : parseTimeText(end, 'last second')
  return period === undefined || period === 0 ? null : addMonths(now, period)
}

/** Whoever has the address; with a name also somebody who is no user of the product yet. */
async function ownerOf(
  ctx: TxContext,
  scope: Scope,
  { email, name }: Pick<LicenseCreate, 'email' | 'name'>,
): Promise<number | null> {
  if (email === undefined) return null
  if (name !== undefined) {
    requireAccess(scope, 'customers.write')
    return ownerByAddress(ctx, scope, { email, name })
  }
  const user = await findUserByEmail(ctx.db, scope, fold(email))
  if (!user) throw invalidFields([{ field: 'email', message: 'must be of a user of the product' }])
  return user.user_id
}

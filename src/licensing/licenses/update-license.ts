import type { TxContext } from '../../context.ts'
import { requireAccess } from '../../http/roles.ts'
import { requireWhole, type Scope } from '../../access/scope.ts'
import { invalidFields } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import { DAY, fromUtcTime, toUtcTime } from '../../lib/time.ts'
import { changeLicense, type ReasonedChange } from './change.ts'
import type { LicenseUpdate } from './input-schema.ts'
import { LICENSE } from './license.entity.ts'
import type { LicenseRow } from './schema.ts'
import { getLicense } from './service.ts'
import { getProduct } from '../../catalogue/products/service.ts'
import { findUser } from '../../people/users/user-rows.ts'
import { makeUser } from './child-license.ts'
import { holdFamily, holdParentFamily, scopeOfLicense, type Family } from './family.ts'

/**
 * Changes a license and, as far as it is a bundle's, what it opened in the products of the bundle
 * (`docs/interface.md` 5.6). One that ceases to end is not renewed any more (5.7). 404 when the owner has
 * no such license, 400 for a new owner who is no user of the product, 401 `role_not_allowed` for a role that may not
 * write sales and would end or move renewals.
 */
export async function updateLicense(
  ctx: TxContext,
  scope: Scope,
  id: number,
  input: LicenseUpdate,
): Promise<LicenseRow> {
  const family = await holdFamily(ctx, scope, id)
  if (await changesRenewals(ctx, family.license, input)) requireAccess(scope, 'sales.write')
  if (input.new_user_id !== undefined) await checkOwner(ctx, scope, input.new_user_id)
  const license = await changeFamily(ctx, scope, family, { change: LICENSE.read('update', input) })
  if (input.cancel_subscription || ceasesToEnd(family.license, input))
    await ctx.hooks.sales.endRenewals(ctx, scope, id)
  if (input.update_subscription_renewal_date) await moveToEnd(ctx, scope, license)
  if (input.extend_bundle) await extendBundle(ctx, scope, license, input)
  return license
}

/** The renewal of a license that ends is a day before. */
async function moveToEnd(ctx: TxContext, scope: Scope, { id, expiration }: LicenseRow): Promise<void> {
  if (expiration === null) return
  await ctx.hooks.sales.moveRenewal(ctx, scope, {
    licenseId: id,
    at: toUtcTime(fromUtcTime(expiration) - DAY),
  })
}

const ceasesToEnd = (
  { expiration }: LicenseRow,
  { expiration: end }: Pick<LicenseUpdate, 'expiration'>,
): boolean => expiration !== null && end === null

/** Whether the subscription of a license is ended or moved by what it is asked to become. */
async function changesRenewals(ctx: TxContext, license: LicenseRow, input: LicenseUpdate): Promise<boolean> {
  if (input.cancel_subscription || input.update_subscription_renewal_date) return true
  return ceasesToEnd(license, input) && (await ctx.hooks.sales.isRenewing(ctx, license.id))
}

/** The owner of a license hides what tells of the seller, or shows it; 404 when the owner has no such license. */
export async function whiteLabel(
  ctx: TxContext,
  scope: Scope,
  id: number,
  input: { readonly is_whitelabeled: boolean },
): Promise<LicenseRow> {
  await getLicense(ctx, scope, id)
  requireWhole(scope, 'What clients hide of the seller')
  return updateLicense(ctx, scope, id, input)
}

/** Changes a license that is held, with what it opened. */
export async function changeFamily(
  ctx: TxContext,
  scope: Scope,
  { license, children }: Family,
  reasoned: ReasonedChange,
): Promise<LicenseRow> {
  const { change } = reasoned
  const { plan_id: _plan, pricing_id: _pricing, ...shared } = change
  for (const child of children) {
    const within = scopeOfLicense(scope, child)
    if (change.user_id) await makeUser(ctx, within, change.user_id)
    await changeLicense(ctx, within, child, { ...reasoned, change: shared })
  }
  return changeLicense(ctx, scopeOfLicense(scope, license), license, reasoned)
}

/**
 * Gives the license of the bundle, and so all that it opened, the end of one of them, with what that does to its
 * renewals.
 */
async function extendBundle(
  ctx: TxContext,
  scope: Scope,
  { parent_license_id, expiration }: LicenseRow,
  { update_subscription_renewal_date: isMoved }: LicenseUpdate,
): Promise<void> {
  const family = await holdParentFamily(ctx, { parent_license_id })
  if (!family) return
  const { license: before } = family
  const bundle = await changeFamily(ctx, scope, family, { change: { expiration } })
  if (isMoved) await moveToEnd(ctx, scope, bundle)
  if (!ceasesToEnd(before, bundle) || !(await ctx.hooks.sales.isRenewing(ctx, bundle.id))) return
  requireAccess(scope, 'sales.write')
  await ctx.hooks.sales.endRenewals(ctx, scope, bundle.id)
}

async function checkOwner(ctx: TxContext, scope: Scope, userId: number | null): Promise<void> {
  const refuse = (message: string) => invalidFields([{ field: 'new_user_id', message }])
  const product = await getProduct(ctx, scope)
  if (fold(product.type_alias) === 'saas') throw refuse('is not for a license of a service')
  if (userId === null) return
  const [user] = await findUser(ctx.db, scope, { id: userId })
  if (!user) throw refuse('must be a user of the product')
}

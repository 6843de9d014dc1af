import type { ReadContext, TxContext } from '../../context.ts'
import { ofAnyUser, type Scope } from '../../access/scope.ts'
import { missingFields, notFound } from '../../lib/errors.ts'
import { licenseFile, type LicenseFilePayload } from './license-file.ts'
import { inOrderOf } from '../../lib/order-list.ts'
import { fromUtcTime, SECOND, toUtcTime } from '../../lib/time.ts'
import { requireUid } from '../../lib/uid.ts'
import { findActivation, findLicense } from './queries.ts'
import type { LicenseFile, LicenseFileRequest } from './schema.ts'
import { signingKey } from './service.ts'
import { listFeaturesOfPlan } from '../../catalogue/plans/feature-rows.ts'
import { isBlocking, refuseOver } from '../licenses/ended-license.ts'

type License = NonNullable<Awaited<ReturnType<typeof findLicense>>>

/**
 * Signs what a license allows, for software that cannot ask (`docs/license-files.md`). 400 `license_cancelled` or
 * `license_expired` when it allows nothing any more. Users and installs get only files that are bound to an
 * install on which the license is active: one that is good anywhere would go round the quota.
 */
export async function issueLicenseFile(
  ctx: TxContext,
  scope: Scope,
  licenseId: number,
  { uid, ttl }: LicenseFileRequest,
): Promise<LicenseFile> {
  if (uid !== undefined) requireUid(uid)
  const boundTo = await installOf(ctx, scope, licenseId, uid)
  const license = await licenseOf(ctx, scope, licenseId)
  // Features are there unless cancelled, or blocking and expired (`docs/interface.md` 5.3).
  refuseOver(license, secondsLeft(ctx, scope, license) <= 0)
  const issued = Math.floor(ctx.clock.real() / SECOND)
  const expires = issued + Math.min(ttl, secondsLeft(ctx, scope, license))
  const key = await signingKey(ctx, scope, toUtcTime(expires * SECOND))
  const payload: LicenseFilePayload = {
    product: { id: String(scope.productId), title: license.product_title },
    license: presentLicense(license),
    plan: { id: String(license.plan_id), name: license.plan_name, title: license.plan_title },
    features: await featuresOf(ctx, scope, license.plan_id),
    uid: boundTo,
    issued,
    expires,
    ttl,
  }
  return {
    plugin_id: payload.product.id,
    license_id: payload.license.id,
    uid: boundTo,
    kid: key.kid,
    issued: toUtcTime(issued * SECOND),
    expires: toUtcTime(expires * SECOND),
    ttl,
    file: licenseFile(payload, key),
  }
}

/** An install may have a license that is somebody else's, and then has shown above that it is active there. */
async function licenseOf(ctx: ReadContext, scope: Scope, id: number): Promise<License> {
  const owner = scope.installId === null ? scope : ofAnyUser(scope)
  const license = await findLicense(ctx.db, owner, id)
  if (!license) throw notFound('license')
  return license
}

/** The uid of the install that the file is bound to; null for a seller who names none. */
async function installOf(
  ctx: ReadContext,
  scope: Scope,
  licenseId: number,
  uid: string | undefined,
): Promise<string | null> {
  const isInstall = scope.installId !== null
  if (uid === undefined && !isInstall) {
    if (scope.userId === null) return null
    throw missingFields([{ field: 'uid', message: 'is required' }])
  }
  // The license of a user may be active on the install of another one.
  const owner = isInstall ? scope : ofAnyUser(scope)
  if (!isInstall) await licenseOf(ctx, scope, licenseId)
  const install = await findActivation(ctx.db, owner, { licenseId, uid })
  if (!install) throw notFound(isInstall ? 'license' : 'install')
  return install.uid
}

/** Seconds until its features end, on the clock of its environment; the file's own are of real time. */
function secondsLeft(ctx: ReadContext, { productId }: Scope, license: License): number {
  if (license.expiration === null || !isBlocking(license)) return Infinity
  const now = Math.floor(ctx.clock.of(productId, license.environment) / SECOND)
  return fromUtcTime(license.expiration) / SECOND - now
}

const presentLicense = (license: License): LicenseFilePayload['license'] => ({
  id: String(license.id),
  quota: license.quota,
  expiration: license.expiration,
  is_block_features: isBlocking(license),
  is_whitelabeled: license.is_whitelabeled,
  environment: license.environment,
})

async function featuresOf(
  ctx: ReadContext,
  scope: Scope,
  planId: number,
): Promise<LicenseFilePayload['features']> {
  const rows = await listFeaturesOfPlan(ctx.db, scope, { planId })
  const ordered = inOrderOf(rows[0]?.feature_order ?? '', rows)
  return ordered.map(({ id, title, value }) => ({ id: String(id), title, value }))
}

import type { ReadContext, TxContext } from '../../context.ts'
import { NO_SUCH_ID, type Problems } from '../../http/decode.ts'
import type { PortalPart } from '../../access/portal-parts.ts'
import { isSeller, type Scope } from '../../access/scope.ts'
import { invalid, notFound } from '../../lib/errors.ts'
import { requireUid } from '../../lib/uid.ts'
import { changeInstall, type InstallChange } from './change.ts'
import { addExtensionProblems, keepExtensions } from './extensions.ts'
import type { InstallUpdate } from './input-schema.ts'
import { INSTALL } from './install.entity.ts'
import { installIdsOf } from '../owners/ownership.ts'
import type { Install, InstallRow } from './schema.ts'
import { getInstall, holdInstall, shownInstall } from './service.ts'
import { noteUninstall } from './uninstall.ts'
import { noteShown } from '../../people/users/keys.ts'
import { getPlan } from '../../catalogue/plans/service.ts'
import { moveOrAsk } from '../owners/change-owner.ts'
import { licenseByKey, ownLicense } from '../licenses/by-key.ts'
import { countAnew, holdLicenses, putHeldLicense } from '../activation/license-on-install.ts'
import { moveTrial } from '../trials/trials.ts'

/** Another license, or another address, which may be a local one, takes a license off the site as it was. */
export const partsOfChange = (changes: readonly object[]): readonly PortalPart[] =>
  changes.some((change) => 'license_key' in change || 'url' in change) ? ['deactivate'] : []

/** Lists of plugins, themes and installs are read here, as they come as text or as lists. */
export async function checkInstallUpdate(body: InstallUpdate, problems: Problems): Promise<void> {
  addExtensionProblems(body, problems)
  const { install_ids: ids } = body
  if (ids !== undefined && !problems.has('install_ids') && installIdsOf(ids) === null) {
    problems.malformed.push({ field: 'install_ids', message: 'must be ids separated by commas, each once' })
  }
}

/**
 * Changes an install: what it tells of itself, its uninstalling and recovery, the license whose key is given, and
 * its owner (`docs/interface.md` 12.6). Plan, trial, subscription and lock are the seller's: a
 * user or an install that sends them is not heard. 404 for what the caller has not, 400 as `putLicenseOn`.
 */
export async function updateInstall(
  ctx: TxContext,
  scope: Scope,
  id: number,
  input: InstallUpdate,
): Promise<Install> {
  if (input.uid !== undefined) requireUid(input.uid)
  const license = await heldLicense(ctx, scope, id, input.license_key)
  const held = await holdInstall(ctx, scope, id)
  if (isSeller(scope)) await refuseOtherPayer(ctx, scope, { install: held, license, input })
  const changed = await changeInstall(ctx, scope, held, await changeOf(ctx, scope, input))
  if (changed.trial_ends !== held.trial_ends) await moveTrial(ctx, scope, changed)
  const isReasoned = input.reason_id !== undefined || input.reason_info !== undefined
  if (changed.is_uninstalled && (isReasoned || !held.is_uninstalled)) {
    await noteUninstall(ctx, changed, input)
  }
  await keepExtensions(ctx, id, input)
  const counted = changed.url === held.url ? changed : await countAnew(ctx, changed)
  const licensed = license ? await putHeldLicense(ctx, scope, { license, install: counted }) : null
  return shownInstall(ctx, scope, await withOwner(ctx, scope, licensed?.install ?? counted, input))
}

/** The license of a key, held with the one that is on the install, before the install itself is. */
async function heldLicense(ctx: TxContext, scope: Scope, installId: number, key: string | undefined) {
  const { license_id: present } = await getInstall(ctx, scope, installId)
  const wanted = key === undefined ? null : await shownLicense(ctx, scope, key)
  // What is given away is so with all of its bundle, which is held first then.
  const bundle = wanted?.user_id === null ? wanted.parent_license_id : null
  const [license] = await holdLicenses(ctx, [wanted?.id ?? null, present, bundle])
  return license
}

/** The license of a key, which who shows it reaches from now on. */
async function shownLicense(ctx: TxContext, scope: Scope, key: string) {
  const keyed = await licenseByKey(ctx, scope, key)
  await noteShown(ctx, scope, keyed.license.id)
  return ownLicense(ctx, keyed)
}

async function changeOf(ctx: ReadContext, scope: Scope, input: InstallUpdate): Promise<InstallChange> {
  if (isSeller(scope)) {
    for (const plan of [input.plan_id, input.trial_plan_id]) if (plan) await getPlan(ctx, scope, plan)
  }
  return {
    ...(!isSeller(scope) && scope.country && { country_code: scope.country }),
    ...INSTALL.read('update', input, isSeller(scope)),
    ...(input.recover === true && { is_uninstalled: false, is_active: true }),
  }
}

interface Payer {
  readonly install: InstallRow
  /** The license that is put on it by the same call. */
  readonly license: { readonly id: number } | null | undefined
  readonly input: InstallUpdate
}

/**
 * 404 where the product has no such subscription; 400 `subscription_not_fitting` where it is of another user or
 * environment, or pays for another license than the install has.
 */
async function refuseOtherPayer(ctx: ReadContext, scope: Scope, { install, license, input }: Payer) {
  if (input.subscription_id === undefined) return
  if (input.subscription_id === NO_SUCH_ID) throw notFound('subscription')
  const paying = await ctx.hooks.sales.payer(ctx, scope, input.subscription_id)
  const licenseId = license?.id ?? install.license_id
  const isFitting =
    paying.user_id === install.user_id &&
    paying.environment === install.environment &&
    (licenseId === null || paying.license_id === licenseId)
  if (!isFitting) {
    throw invalid('subscription_not_fitting', 'The subscription does not pay for what is on this install.')
  }
}

async function withOwner(
  ctx: TxContext,
  scope: Scope,
  install: InstallRow,
  { user_id: userId, user_email: email, install_ids: ids }: InstallUpdate,
): Promise<InstallRow> {
  if (userId === undefined && email === undefined) return install
  const installIds = ids === undefined ? [] : (installIdsOf(ids) ?? [])
  return moveOrAsk(ctx, scope, install, { userId, email, installIds })
}

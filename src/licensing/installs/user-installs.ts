import type { ReadContext, TxContext } from '../../context.ts'
import { decode, Problems } from '../../http/decode.ts'
import type { Limits } from '../../http/limits.ts'
import { isSeller, wholeProduct, type Scope } from '../../access/scope.ts'
import { notFound } from '../../lib/errors.ts'
import { parseIdList } from '../../lib/id-list.ts'
import { requireUid } from '../../lib/uid.ts'
import { placeInstall } from './place-install.ts'
import { changePermissions } from './permissions.ts'
import type { InstallMetadata } from './part-schema.ts'
import { INSTALL } from './install.entity.ts'
import type { Install } from './schema.ts'
import { getInstall, getInstallsOfIds, shownInstall } from './service.ts'
import {
  Site,
  type NewAddonInstall,
  type NewUserInstall,
  type PermissionChanges,
} from './user-install-schema.ts'
import { addonScope } from '../../catalogue/addons/service.ts'
import { findLicense } from '../licenses/license-rows.ts'
import { addKnownUser } from '../../people/users/create.ts'
import { SOURCES } from '../../people/users/schema.ts'
import { getUser } from '../../people/users/service.ts'
import { noteMade, noteShown } from '../../people/users/keys.ts'
import { placeInstalls } from '../opt-in/connect-installs.ts'
import { customerOf } from '../licenses/customer.ts'
import { deleteInstall } from './downgrade-install.ts'
import { licenseByKey, ownLicense } from '../licenses/by-key.ts'
import type { Told } from '../activation/sites-by-key.ts'
import { countSitesOfUser } from '../activation/sites-of-user.ts'

/** Says what is wrong with each item of a list, under its place in it. */
export function eachOf(
  field: string,
  items: readonly object[],
  problems: Problems,
  schema: typeof Site,
): Site[] {
  return items.map((item, index) => {
    const found = new Problems()
    const value = decode(schema, item, 'json', found)
    const at = (problem: { field: string; message: string }) => ({
      field: `${field}.${index}.${problem.field}`,
      message: problem.message,
    })
    problems.malformed.push(...found.malformed.map(at))
    problems.missing.push(...found.missing.map(at))
    return value as Site
  })
}

/** One install needs its uid, several say theirs each. */
export async function checkNewInstalls({ uid, sites }: NewUserInstall, problems: Problems): Promise<void> {
  if (sites !== undefined) eachOf('sites', sites, problems, Site)
  else if (uid === undefined && !problems.has('uid') && !problems.has('sites')) {
    problems.missing.push({ field: 'uid', message: 'or sites is required' })
  }
}

/** Counts what `createUserInstalls` makes against the limits of who asks (`countSitesOfUser`). */
export const countUserInstalls = (
  ctx: ReadContext,
  scope: Scope,
  { userId, input, limits }: { userId: number; input: NewUserInstall; limits: Limits },
): Promise<void> => countSitesOfUser(ctx, scope, { ...input, userId, sites: sitesOf(input), limits })

const sitesOf = ({ sites, uid = '', url }: NewUserInstall): readonly Told[] =>
  sites === undefined ? [{ uid, url }] : eachOf('sites', sites, new Problems(), Site)

/**
 * Creates the installs of a user, or brings those of the same uids up to date, with a license by its key (for the
 * seller also by its id) and a trial. A user who asks becomes one of the product, which may be an add-on of its own
 * one. 404 for a user or license that is not there, 400 as `putLicenseOn`.
 */
export async function createUserInstalls(
  ctx: TxContext,
  scope: Scope,
  userId: number,
  input: NewUserInstall,
): Promise<Install | { installs: Install[] }> {
  const isSelf = scope.userId === userId
  const user = isSelf
    ? await customerOf(ctx, wholeProduct(scope), userId, undefined)
    : await getUser(ctx, scope, userId)
  const product: Scope = {
    ...wholeProduct(scope),
    ...(input.is_migration && isSeller(scope) && { isSilent: true }),
  }
  const sites = input.sites && eachOf('sites', input.sites, new Problems(), Site)
  const told = (sites ?? [{ ...input, uid: input.uid ?? '' }]).map((site) => ({
    ...INSTALL.read('create', input),
    ...INSTALL.read('create', site),
    ...(isSeller(scope) && input.source !== undefined && { source: SOURCES[input.source] }),
    uid: site.uid,
  }))
  told.forEach(({ uid }) => requireUid(uid))
  const license = await licenseOf(ctx, scope, input)
  const installs = await placeInstalls(ctx, product, user, {
    installs: told,
    licenseId: license.id,
    keyedId: license.keyedId,
    trialPlanId: input.trial_plan_id ?? null,
    isMarketingAllowed: null,
    isExtensionsTrackingAllowed: null,
    isDiagnosticTrackingAllowed: null,
  })
  const shown = installs.map((row) => shownInstall(ctx, scope, row))
  const [first] = shown
  if (sites || !first) return { installs: shown }
  return first
}

/** The license that is put on the installs; one whose key is shown is in the reach of who shows it. */
async function licenseOf(
  ctx: TxContext,
  scope: Scope,
  { license_key: key, license_id: id }: NewUserInstall,
): Promise<{ readonly id: number | null; readonly keyedId: number | null }> {
  if (key !== undefined) {
    const keyed = await licenseByKey(ctx, scope, key)
    await noteShown(ctx, scope, keyed.license.id)
    return { id: (await ownLicense(ctx, keyed)).id, keyedId: keyed.license.id }
  }
  if (id === undefined) return { id: null, keyedId: null }
  const [license] = await findLicense(ctx.db, scope, { id })
  if (!license) throw notFound('license')
  return { id: license.id, keyedId: null }
}

/** Deletes the installs of a user that are named; 404, and none is deleted, when it has not all of them. */
export async function deleteUserInstalls(
  ctx: TxContext,
  scope: Scope,
  userId: number,
  ids: string,
): Promise<void> {
  await getUser(ctx, scope, userId)
  const own = { ...scope, userId }
  for (const id of (parseIdList(ids) ?? []).toSorted((a, b) => a - b)) await deleteInstall(ctx, own, id)
}

interface PermissionRequest {
  readonly scope: Scope
  readonly params: { readonly user_id: number }
  readonly body: PermissionChanges
}

/** How many installs a change of permissions is for. */
export const weightOfPermissions = async (
  ctx: ReadContext,
  { scope, params, body }: PermissionRequest,
): Promise<number> =>
  (await getInstallsOfIds(ctx, { ...scope, userId: params.user_id }, body.install_ids)).length

/** Switches permissions of several installs of a user, or of all. */
export async function changeUserPermissions(
  ctx: TxContext,
  scope: Scope,
  userId: number,
  { install_ids: ids, ...change }: PermissionChanges,
): Promise<InstallMetadata[]> {
  await getUser(ctx, scope, userId)
  const changed: InstallMetadata[] = []
  for (const { id } of await getInstallsOfIds(ctx, { ...scope, userId }, ids)) {
    changed.push(await changePermissions(ctx, scope, id, change))
  }
  return changed
}

/** Counts what `createAddonInstall` makes, as `countUserInstalls` does. */
export async function countAddonInstall(
  ctx: ReadContext,
  scope: Scope,
  { params, input, limits }: { params: AddonPlace; input: NewAddonInstall; limits: Limits },
): Promise<void> {
  if (isSeller(scope)) return
  const { user_id: userId, uid } = await getInstall(ctx, scope, params.install_id)
  const addon = await addonScope(ctx, scope, params.addon_id)
  await countSitesOfUser(ctx, addon, { userId, sites: [{ uid: input.uid ?? uid }], limits })
}

interface AddonPlace {
  readonly install_id: number
  readonly addon_id: number
}

/**
 * Creates the install of an add-on on the site of an install, for the same user, who becomes one of the add-on's.
 * What is not told is as the install's. 404 when the product has no such add-on.
 */
export async function createAddonInstall(
  ctx: TxContext,
  scope: Scope,
  ids: AddonPlace,
  input: NewAddonInstall,
): Promise<Install[]> {
  if (input.uid !== undefined) requireUid(input.uid)
  const parent = await getInstall(ctx, scope, ids.install_id)
  const owner = await getUser(ctx, scope, parent.user_id)
  const addon = wholeProduct(await addonScope(ctx, scope, ids.addon_id))
  await addKnownUser(ctx, addon, {
    email: owner.email,
    source: 'freemius',
    is_verified: false,
    is_migration: false,
    send_verification_email: false,
  })
  const { url, title, language, platform_version, programming_language_version, uid } = parent
  const told = { url, title, language, platform_version, programming_language_version }
  const created = await placeInstall(ctx, addon, {
    ...told,
    ...INSTALL.read('create', input),
    uid: input.uid ?? uid,
    user_id: owner.id,
  })
  await noteMade(ctx, scope, created, parent)
  const { install } = created
  return [shownInstall(ctx, scope, install)]
}

import type { TxContext } from '../../context.ts'
import { GOOD_TOKENS } from '../../http/install-token.ts'
import type { Scope } from '../../access/scope.ts'
import { hashToken, newInstallToken } from '../../lib/credentials.ts'
import { notFound, Refused } from '../../lib/errors.ts'
import { hostOf } from '../../lib/hosts.ts'
import { requireUid } from '../../lib/uid.ts'
import { createInstall, type CreatedInstall } from '../installs/create.ts'
import type { InstallRow } from '../installs/schema.ts'
import { toldBy, type Activate, type Activation } from './activation-schema.ts'
import type { LicenseRow } from '../licenses/schema.ts'
import { handOut, type HandedOut } from '../../people/users/keys.ts'
import type { UserRow } from '../../people/users/schema.ts'
import { dropOldTokens, insertInstallToken } from './activate-queries.ts'
import { findInstallOfUid } from './by-key-rows.ts'
import { customerOf } from '../licenses/customer.ts'
import { claimLicense, welcomeOwner } from './claim-license.ts'
import { hasMovedSite, takeOverMovedSite, type MovedSite } from './moved-site-rows.ts'
import { licenseByKey, ownLicense } from '../licenses/by-key.ts'
import { refuseUsedUp } from '../licenses/counts.ts'
import { planOfLicense } from './license-on-install-rows.ts'
import { countAnew, holdLicenses, putHeldLicense, refuseEnded } from './license-on-install.ts'
import { activated, refuseLicensed } from './other-license.ts'

/** A license that is held, with its owner. */
interface Owned {
  readonly license: LicenseRow
  readonly userId: number
  /** The owner is a person that this activation made. */
  readonly isNew: boolean
}

/**
 * Activates a license for whoever knows its key, on the install of this uid, which is created when it is not there
 * yet, and hands out the install's keys, a token, and a pair of the owner's keys that reaches this license and install
 * and no further (`docs/decisions.md` 3.12, `docs/interface.md` 5.5); by an address alone nobody gets any
 * (`claimLicense`). Active on it already, the license stays and the install gets another token. 404
 * `invalid_license_key`, 400 `license_…`, `invalid_uid` (`docs/decisions.md` 2.3).
 */
export async function activate(ctx: TxContext, from: Scope, body: Activate): Promise<Activation | Refused> {
  requireUid(body.uid)
  const keyed = await licenseByKey(ctx, from, body.license_key)
  const { scope } = keyed
  const owned = await holdOwned(ctx, scope, await ownLicense(ctx, keyed), body)
  if (owned instanceof Refused) return owned
  const { license, userId } = owned
  const user = await customerOf(ctx, scope, userId, body.is_marketing_allowed)
  const made = await installOf(ctx, scope, owned, body)
  const { install } = made
  if (owned.isNew) await welcomeOwner(ctx, scope, user, install)
  const allowUnreleased = body.allow_unreleased_plan_activation
  const pair = await handOut(ctx, [made], {
    reach: 'own',
    email: owned.isNew ? user.email : undefined,
    licenseIds: [keyed.license.id],
    licenseId: license.id,
  })
  const active = await putHeldLicense(ctx, scope, { license, install }, { allowUnreleased })
  return presentActivation(ctx, { ...active, user, pair })
}

/** Holds the license, with the one that its install may have, before the install; one of nobody's gets its owner. */
async function holdOwned(
  ctx: TxContext,
  scope: Scope,
  found: LicenseRow,
  body: Activate,
): Promise<Owned | Refused> {
  const { productId } = scope
  const { id, user_id: userId, parent_license_id: parentId } = found
  refuseEnded(ctx, found)
  const known =
    userId === null ? undefined : await findInstallOfUid(ctx.db, { productId, userId, uid: body.uid })
  const moved = known ? null : await firstSeen(ctx, found, body.url ?? null)
  const others = [known?.license_id ?? null, userId === null ? parentId : null]
  const [license] = await holdLicenses(ctx, [id, ...others])
  if (!license) throw notFound('license')
  refuseEnded(ctx, license)
  if (moved) await takeOverMovedSite(ctx.db, moved, body.uid)
  if (license.user_id !== null) return { license, userId: license.user_id, isNew: false }
  const owner = await claimLicense(ctx, scope, license, body)
  if (owner instanceof Refused) return owner
  return { license: { ...license, user_id: owner }, userId: owner, isNew: true }
}

/**
 * Looks at a license for a site that no client has told of: one that was brought from another platform with it keeps its
 * place, and is answered; otherwise 400 where no place is left.
 */
async function firstSeen(ctx: TxContext, license: LicenseRow, url: string | null): Promise<MovedSite | null> {
  const host = hostOf(url ?? '')
  const site = license.is_brought && host !== null ? { licenseId: license.id, host } : null
  if (site !== null && (await hasMovedSite(ctx.db, site))) return site
  await refuseUsedUp(ctx, license, { url, host })
  return null
}

/**
 * The install of the owner by this uid, as the client tells of it now. An install that is named must be this one;
 * one that has another license which is still good must be named.
 */
async function installOf(
  ctx: TxContext,
  scope: Scope,
  { license, userId }: Owned,
  body: Activate,
): Promise<CreatedInstall> {
  const { uid, install_id: named } = body
  const before = await findInstallOfUid(ctx.db, { productId: scope.productId, userId, uid })
  if (named !== undefined && before?.id !== named) throw before ? activated(before) : notFound('install')
  const { environment } = license
  const made = await createInstall(ctx, scope, { ...toldBy(body), user_id: userId, environment })
  const { install } = made
  if (install.license_id === license.id)
    return install.host === before?.host ? made : { ...made, install: await countAnew(ctx, install) }
  if (named === undefined) await refuseLicensed(ctx, install)
  return made
}

interface Active {
  readonly license: LicenseRow
  readonly install: InstallRow
  readonly user: UserRow
  readonly pair: HandedOut
}

async function presentActivation(
  ctx: TxContext,
  { license, install, user, pair }: Active,
): Promise<Activation> {
  const { name } = await planOfLicense(ctx.db, license)
  return {
    user_id: String(user.id),
    user_secret_key: pair.user_secret_key,
    user_public_key: pair.user_public_key,
    plugin_id: String(install.product_id),
    license_plan_name: name,
    is_marketing_allowed: user.is_marketing_allowed === null ? null : user.is_marketing_allowed,
    install_id: String(install.id),
    install_secret_key: ctx.keys.open(install.secret_key, 'installs.secret_key'),
    install_public_key: install.public_key,
    install_api_token: await issueToken(ctx, install.id),
  }
}

/** A token for an install that is held; the newest ones stay good (`docs/decisions.md` 3.3). */
async function issueToken(ctx: TxContext, installId: number): Promise<string> {
  const token = newInstallToken()
  const created = ctx.clock.now()
  await insertInstallToken(ctx.db, { install_id: installId, token_hash: hashToken(token), created })
  await dropOldTokens(ctx.db, { id: installId, kept: GOOD_TOKENS })
  return token
}

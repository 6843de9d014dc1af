import type { ReadContext, TxContext } from '../../context.ts'
import { audit } from '../../access/audit.ts'
import { isSeller, wholeProduct, type Actor, type Scope } from '../../access/scope.ts'
import { invalid, invalidFields, notFound } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import { hostOf } from '../../lib/hosts.ts'
import { isDuplicate } from '../../db/duplicate.ts'
import { recordEvent } from '../../events/log/record.ts'
import {
  changeOwner,
  changeOwnerOfLicenses,
  changeOwnerOfTrials,
  completeChange,
} from './ownership-queries.ts'
import { agree, askBothSides, refuseFlood, type Change, type OwnershipRequest } from './ownership.ts'
import type { InstallRow } from '../installs/schema.ts'
import { getInstall } from '../installs/service.ts'
import { parseIdList } from '../../lib/id-list.ts'
import { ownersOfLicenses } from '../licenses/license-owner-rows.ts'
import { addKnownUser, addNewUser } from '../../people/users/create.ts'
import { giveOtherKeys, handOut, takeFromPairs } from '../../people/users/keys.ts'
import { findUserRules } from '../../people/users/user-rows.ts'
import { getUser } from '../../people/users/service.ts'
import { NEW_USER } from '../licenses/child-license.ts'
import { holdLicenses } from '../activation/license-on-install.ts'
import { installsOf, ownInstalls } from './owned-installs.ts'
import { proveAddress } from '../../people/proof/prove-address.ts'
import { aboutInstall } from '../installs/emits.ts'

interface NextOwner {
  readonly userId: number | undefined
  readonly email: string | undefined
  readonly installIds: readonly number[]
}

/**
 * Changes the owner of an install that the caller holds. The seller does it at once: the install gets other keys,
 * so that who held it has nothing of its next owner. For anybody else both sides are asked by mail, and the
 * install stays as it is until both agreed. An id names only the owner of a license that is on the installs, whose
 * address `licenses_owners` tells the caller anyway; 404 for any other, whether there is such a user or not.
 */
export async function moveOrAsk(
  ctx: TxContext,
  scope: Scope,
  install: InstallRow,
  { userId, email, installIds }: NextOwner,
): Promise<InstallRow> {
  const product = wholeProduct(scope)
  if (!isSeller(scope)) {
    await startOwnershipChange(ctx, scope, install, {
      next: email === undefined ? { userId: userId ?? 0 } : { email },
      transferType: 'transfer',
      installIds,
      redirectUrl: null,
    })
    return install
  }
  const to = userId === undefined ? await userOfAddress(ctx, product, email ?? '') : userId
  await moveInstalls(ctx, product, { install, installIds, to, withNewKeys: true })
  return getInstall(ctx, product, install.id)
}

/** The owner of a license on one of the installs, by its id; 404 for anybody else. */
async function licensee(
  ctx: ReadContext,
  product: Scope,
  { install, installIds, to }: Pick<Move, 'install' | 'installIds' | 'to'>,
): Promise<{ readonly userId: number; readonly email: string }> {
  const named = { userId: install.user_id, installIds: [install.id, ...installIds] }
  const licensees = await ownersOfLicenses(ctx.db, product, named)
  const next = licensees.find(({ id }) => id === to)
  if (!next) throw notFound('user')
  return { userId: next.id, email: next.email }
}

interface Wanted extends Pick<OwnershipRequest, 'transferType' | 'installIds' | 'redirectUrl'> {
  readonly next: { readonly email: string } | { readonly userId: number }
}

/**
 * Asks both sides of a change of ownership. 429 before anything is looked at when that was done too often, 404 for
 * installs out of the caller's reach, 400 where nothing would change, or the way back is not allowed.
 */
export async function startOwnershipChange(
  ctx: TxContext,
  scope: Scope,
  install: InstallRow,
  { next, ...wanted }: Wanted,
): Promise<void> {
  const product = wholeProduct(scope)
  await refuseFlood(ctx, scope, install.id)
  const installIds = await installsOf(ctx, product, install, wanted)
  const named =
    'email' in next ? next : await licensee(ctx, product, { install, installIds, to: next.userId })
  const owner = await getUser(ctx, product, install.user_id)
  if (fold(owner.email) === fold(named.email)) {
    throw invalidFields([{ field: 'email', message: 'must be of somebody else than the owner' }])
  }
  const rules = await findUserRules(ctx.db, product)
  if (wanted.redirectUrl !== null) {
    requireAllowedHost('after_confirm_url', wanted.redirectUrl, install, rules)
  }
  await askBothSides(ctx, product, { install, ownerEmail: owner.email }, { ...wanted, installIds, ...named })
}

/** 400 unless an address leads to the site of an install, or to a host on the list of its product. */
export function requireAllowedHost(
  field: string,
  url: string,
  { host }: InstallRow,
  rules: { readonly redirect_hosts: string } | undefined,
): void {
  const listed = JSON.parse(rules?.redirect_hosts ?? '[]') as string[]
  if ((host !== null && hostOf(url) === host) || listed.includes(new URL(url).host)) return
  const message = 'must lead to the site or to a host on the list of the product'
  throw invalidFields([{ field, message }])
}

/** The side of a token agrees; when both have, the installs get their next owner. */
export async function confirmOwnership(
  ctx: TxContext,
  change: Change,
  from: Pick<Scope, 'ip' | 'requestId'>,
): Promise<void> {
  const scope: Scope = {
    kind: 'user',
    developerId: change.developer_id,
    productId: change.product_id,
    userId: null,
    installId: null,
    actor: sideOf(change),
    ...from,
  }
  await audit(ctx, {
    action: 'keywright/confirm-ownership',
    actor: scope.actor,
    productId: scope.productId,
    ...from,
    details: { change: change.id, side: change.side },
  })
  if (!(await agree(ctx, scope, change))) return
  const completed = await completeChange(ctx.db, change.id, ctx.clock.now())
  if (!completed) return
  const install = await getInstall(ctx, scope, change.install_id)
  if (install.user_id !== change.from_user_id) throw notFound('link')
  await moveInstalls(ctx, scope, {
    install,
    installIds: parseIdList(completed.install_ids ?? '') ?? [],
    to: await userOfProvenAddress(ctx, scope, change.email),
    withNewKeys: false,
  })
}

/** The next owner need be no user yet. */
const sideOf = ({ side, from_user_id: owner }: Change): Actor =>
  side === 'owner'
    ? { kind: 'user', id: owner, credential: 'link' }
    : { kind: 'anonymous', id: 0, credential: 'link' }

/** The user of an address, who becomes one of the product where that is missing. */
async function userOfAddress(ctx: TxContext, scope: Scope, email: string): Promise<number> {
  const input = { ...NEW_USER, email }
  return ((await addNewUser(ctx, scope, input)) ?? (await addKnownUser(ctx, scope, input))).id
}

/** The user of an address that was proven by following a link. */
async function userOfProvenAddress(ctx: TxContext, scope: Scope, email: string): Promise<number> {
  const created = await addNewUser(ctx, scope, { ...NEW_USER, is_verified: true, email })
  if (created) return created.id
  const known = await addKnownUser(ctx, scope, { ...NEW_USER, email })
  await proveAddress(ctx, scope, { userId: known.id, email: known.email })
  return known.id
}

interface Move {
  readonly install: InstallRow
  readonly installIds: readonly number[]
  readonly to: number
  readonly withNewKeys: boolean
}

/** Gives installs to another user, and the licenses that are active on them alone. */
async function moveInstalls(ctx: TxContext, scope: Scope, move: Move): Promise<void> {
  const { install, to } = move
  const from = install.user_id
  if (from === to) return
  const moved = await ownInstalls(ctx, scope, move)
  await holdLicenses(
    ctx,
    moved.map((one) => one.license_id),
  )
  const email = (await getUser(ctx, scope, to)).email
  for (const one of moved) {
    const place = { ...scope, productId: one.product_id }
    if (one.product_id !== scope.productId) await userOfAddress(ctx, place, email)
    await moveOne(ctx, place, one, move)
  }
  const installIds = moved.map(({ id }) => id)
  const updated = ctx.clock.now()
  const licenses = await changeOwnerOfLicenses(ctx.db, { from, to, installIds }, updated)
  for (const { id, environment } of licenses) {
    const data = { license_id: String(id), from: String(from), to: String(to) }
    await recordEvent(ctx, scope, { type: 'license.ownership.changed', environment, userId: to, data })
  }
}

async function moveOne(ctx: TxContext, scope: Scope, install: InstallRow, { to, withNewKeys }: Move) {
  const from = install.user_id
  const updated = ctx.clock.now()
  const after = await changedOwner(ctx, { id: install.id, from, to }, updated)
  if (!after) throw notFound('install')
  await giveKeys(ctx, after, withNewKeys)
  await changeOwnerOfTrials(ctx.db, install.id, to)
  await recordEvent(ctx, scope, {
    type: 'install.ownership.completed',
    ...aboutInstall(after),
    data: { install_id: String(install.id), from: String(from), to: String(to) },
  })
}

/** Pairs of the owner before reach the install no more; its next one's client reads the pair that it has then. */
async function giveKeys(ctx: TxContext, install: InstallRow, withNewKeys: boolean): Promise<void> {
  if (withNewKeys) await giveOtherKeys(ctx, install.id)
  await takeFromPairs(ctx, install.id)
  const licenseIds = install.license_id === null ? [] : [install.license_id]
  await handOut(ctx, [{ install, isFirst: false }], { reach: 'own', licenseIds, isHolder: true })
}

async function changedOwner(
  ctx: TxContext,
  who: Parameters<typeof changeOwner>[1],
  updated: Parameters<typeof changeOwner>[2],
) {
  try {
    return await changeOwner(ctx.db, who, updated)
  } catch (error) {
    if (!isDuplicate(error)) throw error
    throw invalid('install_uid_taken', 'The next owner of this install has another one of its uid.', 'uid')
  }
}

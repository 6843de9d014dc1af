import type { TxContext } from '../../context.ts'
import { elsewhere, type Answer } from '../../http/answer.ts'
import type { Problems } from '../../http/decode.ts'
import { wholeProduct, type Scope } from '../../access/scope.ts'
import { notFound } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import { agreedBy, installIdsOf, readChange, type Change } from './ownership.ts'
import type { OwnershipConfirmation, OwnershipStart } from '../installs/request-schema.ts'
import type { User } from '../../people/users/schema.ts'
import { shownUser } from '../../people/users/keys.ts'
import { getUser } from '../../people/users/service.ts'
import { holdInstall } from '../installs/service.ts'
import { findUserRules } from '../../people/users/user-rows.ts'
import { confirmOwnership, requireAllowedHost, startOwnershipChange } from './change-owner.ts'
import { withQuery } from '../opt-in/connect-installs.ts'
import { chooseInstalls, wantedBy } from './owned-installs.ts'

interface OwnerOfInstall {
  readonly install_id: number
  readonly user_id: number
}

/** The other installs must be a list of ids. */
export async function checkInstallIds(
  { install_ids: ids }: Pick<OwnershipStart, 'install_ids'>,
  problems: Problems,
): Promise<void> {
  if (ids === undefined || problems.has('install_ids') || installIdsOf(ids) !== null) return
  problems.malformed.push({ field: 'install_ids', message: 'must be ids separated by commas, each once' })
}

/** Asks the owner of an install and who shall be the next one, by mail; the owner as it is. */
export async function askForOwner(
  ctx: TxContext,
  scope: Scope,
  { install_id: id, user_id: userId }: OwnerOfInstall,
  body: OwnershipStart,
): Promise<User> {
  const install = await holdInstall(ctx, scope, id)
  if (install.user_id !== userId) throw notFound('user')
  await startOwnershipChange(ctx, scope, install, {
    next: { email: body.email },
    transferType: body.transfer_type,
    installIds: body.install_ids === undefined ? [] : (installIdsOf(body.install_ids) ?? []),
    redirectUrl: body.after_confirm_url ?? null,
  })
  return shownUser(ctx, scope, await getUser(ctx, scope, userId))
}

/** One side at least must say that it agrees. */
export async function checkConfirmation(body: OwnershipConfirmation, problems: Problems): Promise<void> {
  await checkInstallIds(body, problems)
  if (body.owner_token !== undefined || body.candidate_token !== undefined) return
  problems.missing.push({ field: 'owner_token', message: 'or candidate_token is required' })
}

/**
 * A side of a change of ownership agrees with what its mail says: salt, token and its address. 404 when these name
 * no change of this install and owner that waits, or the installs are none that it may choose (`chooseInstalls`). Leads to
 * `after_confirm_url` where it is given; 400 for one that is neither on the site nor on a host of the product's list.
 */
export async function agreeByToken(
  ctx: TxContext,
  scope: Scope,
  { install_id: installId, user_id: userId }: OwnerOfInstall,
  body: OwnershipConfirmation,
): Promise<Answer<never> | void> {
  const install = await holdInstall(ctx, scope, installId)
  const tokens = { owner: body.owner_token, candidate: body.candidate_token }
  const changes: Change[] = []
  for (const side of ['owner', 'candidate'] as const) {
    const token = tokens[side]
    if (token !== undefined) changes.push(await readChange(ctx, body.token_salt, token, [side]))
  }
  const email = fold(body.email)
  const isMeant = changes.every((one) => one.install_id === installId && one.from_user_id === userId)
  const addressed = changes.find(
    (one) => email === (one.side === 'owner' ? one.owner_email_folded : one.email_folded),
  )
  if (!isMeant || !addressed) throw notFound('link')
  const url = body.after_confirm_url
  if (url !== undefined) {
    requireAllowedHost('after_confirm_url', url, install, await findUserRules(ctx.db, wholeProduct(scope)))
  }
  const sides = changes.map(({ side }) => side)
  const wanted = wantedBy(sides, {
    transferType: body.transfer_type,
    installIds: body.install_ids === undefined ? undefined : (installIdsOf(body.install_ids) ?? []),
  })
  await chooseInstalls(ctx, wholeProduct(scope), install, { change: addressed, sides, wanted })
  const { ip, requestId } = scope
  for (const change of changes) await confirmOwnership(ctx, change, { ip, requestId })
  if (url !== undefined) return elsewhere(withQuery(url, agreedBy(addressed)))
}

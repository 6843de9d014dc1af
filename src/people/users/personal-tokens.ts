import type { ReadContext, TxContext } from '../../context.ts'
import type { Problems } from '../../http/decode.ts'
import type { Scope } from '../../access/scope.ts'
import { isLimited } from '../../access/data-classes.ts'
import { notFound } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import { issueToken } from '../../lib/signed-token.ts'
import { MINUTE } from '../../lib/time.ts'
import { queueMail } from '../../mail/outbox.ts'
import { findUserByEmail } from './user-rows.ts'
import { getUser } from './service.ts'
import { addressed } from './recipient.ts'
import { portalLink } from '../portal/portal-link.ts'

/** How long the token lasts that says at a checkout who the buyer is (`docs/interface.md` 2.10). */
const CHECKOUT_MS = MINUTE
const PORTAL_MS = 5 * MINUTE

/** A token of one minute that says at a checkout of the product who the buyer is; 404 without such a user. */
export async function createCheckoutToken(
  ctx: ReadContext,
  scope: Scope,
  userId: number,
): Promise<{ token: string }> {
  const { id } = await getUser(ctx, scope, userId)
  const claims = { user_id: String(id), plugin_id: String(scope.productId) }
  const now = ctx.clock.real()
  return { token: issueToken(ctx.keys, { purpose: 'checkout', claims, now, lastsMs: CHECKOUT_MS }) }
}

export interface PortalUser {
  readonly id?: number
  readonly email?: string
  readonly send_email?: boolean
}

/** One of id and email is needed; a role that is not answered the link has it mailed. */
export async function checkPortalUser(scope: Scope, user: PortalUser, problems: Problems): Promise<void> {
  const { id, email, send_email: isMailed } = user
  if (isLimited(scope) && !isMailed) {
    problems.malformed.push({
      field: 'send_email',
      message: 'must be true: only an admin is answered the link',
    })
  }
  if (id !== undefined || email !== undefined || problems.has('id') || problems.has('email')) return
  problems.missing.push({ field: 'id', message: 'is required, or email' })
}

/**
 * A link of five minutes by which the person who is logged in sees what the user sees, in all products of the seller,
 * for an hour and without changing anything. 404 when the product has no user of this id.
 */
export async function viewPortal(
  ctx: ReadContext,
  scope: Scope,
  userId: number,
): Promise<{ readonly link: string }> {
  const user = await getUser(ctx, scope, userId)
  const how = { lastsMs: PORTAL_MS, isEverywhere: true, isForOnce: true, viewerId: scope.actor.id } as const
  return { link: portalLink(ctx, scope, { user, ...how }).link }
}

/**
 * A link of five minutes by which a user enters the portal, mailed on demand. Who is answered it can follow it, so it
 * opens the product alone, and all of the seller's where the developer made it. 404 when the product has no
 * user of this id and address.
 */
export async function generatePortalLink(
  ctx: TxContext,
  scope: Scope,
  { id, email, send_email: isMailed }: PortalUser,
): Promise<{ token: string; link: string }> {
  const folded = email === undefined ? undefined : fold(email.trim())
  const userId = id ?? (await findUserByEmail(ctx.db, scope, folded ?? ''))?.user_id
  if (userId === undefined) throw notFound('user')
  const user = await getUser(ctx, scope, userId)
  if (folded !== undefined && fold(user.email) !== folded) throw notFound('user')
  const isEverywhere = scope.kind === 'developer'
  const { token, link } = portalLink(ctx, scope, { user, lastsMs: PORTAL_MS, isEverywhere })
  if (isMailed) {
    const to = await addressed(ctx, scope, user.id)
    await queueMail(ctx, { ...to, template: 'portal_link', values: { link, minutes: PORTAL_MS / MINUTE } })
  }
  return { token, link }
}

import type { ReadContext } from '../context.ts'
import { hashToken } from '../lib/credentials.ts'
import { unauthorized } from '../lib/errors.ts'
import { hasAccess } from '../access/roles.ts'
import type { Scope } from '../access/scope.ts'
import { VIEWING } from '../access/viewing.ts'
import { findUserToken, userScope, type UserToken } from './access-token.ts'
import type { Credentialed, Guarded } from './authenticate.ts'
import { ownCookie } from './cookie.ts'
import { requireIntent } from './csrf.ts'

/** 401: the visit is over, which another link begins anew. */
export const visitEnded = () => unauthorized('session_ended', 'Your visit is over; ask for another link.')

const COOKIES = {
  own: ownCookie('keywright_portal'),
  framed: ownCookie('keywright_portal_framed', 'framed'),
} as const

/** Where a browser is in the portal: on a page of its own, or in a frame of another site. */
export type CookiePlace = keyof typeof COOKIES

interface Carried {
  readonly token: string
  readonly where: CookiePlace
}

/** The token that a browser sends from the portal, over or not, and from where; null: it does not. */
export function portalTokenOf(cookies: string | undefined, ctx: ReadContext): Carried | null {
  for (const where of ['own', 'framed'] as const) {
    const token = COOKIES[where].read(cookies, ctx)
    if (token !== '') return { token, where }
  }
  return null
}

/** The value of Set-Cookie that keeps a user's access token for the pages of the portal. */
export const portalCookie = (ctx: ReadContext, { token, where }: Carried, seconds: number): string =>
  COOKIES[where].set(ctx, token, seconds)

/** That which has the browser forget it. */
export const noPortalCookie = (ctx: ReadContext, { actor }: Pick<Scope, 'actor'>): string =>
  COOKIES[actor.isFramed ? 'framed' : 'own'].set(ctx, '', 0)

/** 401 `view_only` where a person of the seller, who looks as a user, would change something or be let do so. */
function requireViewing({ person_id: personId, developer_id: ownerId, role }: UserToken, op: Guarded): void {
  const stillMay = personId === ownerId || (role !== null && hasAccess(role, VIEWING))
  if (!stillMay) throw unauthorized('role_not_allowed', 'Your role lacks the right to write customers.')
  const isOwnVisit = op.caller === 'portal'
  // A read that needs the right to write lets its caller write elsewhere.
  const letsWrite = op.kind === 'write' || [op.access].flat().some((access) => access.endsWith('.write'))
  if (isOwnVisit || !letsWrite) return
  throw unauthorized('view_only', 'You see the portal as a customer; only the customer can do this.')
}

/** The user who has entered the portal, in their own scope as by an access token (`docs/portal.md`). */
export async function portalScope(
  { token, where }: Carried,
  op: Guarded,
  credentialed: Credentialed,
): Promise<Scope> {
  const { frame, request, kind, ids } = credentialed
  const { ctx } = frame
  const hash = hashToken(token)
  const found = await findUserToken(ctx, hash)
  const isInPlace = kind === 'user' ? String(found?.user_id) === ids.user_id : op.caller === 'portal'
  if (!found || !isInPlace) throw visitEnded()
  if (found.person_id !== null) requireViewing(found, op)
  if (op.kind === 'write') requireIntent(request, ctx, 'portal', hash)
  return userScope(
    found,
    {
      credential: `portal:${found.id}`,
      portalId: found.id,
      isInPortal: true,
      ...(where === 'framed' && { isFramed: true }),
    },
    credentialed,
  )
}

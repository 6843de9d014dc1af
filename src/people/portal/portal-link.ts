import type { ReadContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { mailedTo } from '../proof/mailed-to.ts'
import { issueToken } from '../../lib/signed-token.ts'
import { DAY } from '../../lib/time.ts'
import { getUser } from '../users/service.ts'
import { wantsLoginLink } from './portal-login-queries.ts'

/** Where a user of a product asks for a link into the portal. */
export const portalAddress = ({ baseUrl }: Pick<ReadContext, 'baseUrl'>, productId: number): string =>
  `${baseUrl}/portal/?product_id=${productId}`

/** Path of the page by which a user enters the portal. */
export const PORTAL_PATH = '/portal/login'

/** In a mail, which is not read at once. */
const MAILED = { lastsMs: DAY, isEverywhere: true, isForOnce: true } as const

interface Entering {
  readonly user: { readonly id: number; readonly email: string }
  readonly lastsMs: number
  /** Whether it lets the user in to all products of its seller. */
  readonly isEverywhere: boolean
  /** The person of the seller's team who looks, and may change nothing; absent: the user enters. */
  readonly viewerId?: number
  /** Whether it is over soon after it was used, however long it would last (`portalLoginPage`). */
  readonly isForOnce?: true
}

/**
 * A token that lets a user of the product into the portal while its address is the same, and the address of its page.
 */
export function portalLink(
  { keys, clock, baseUrl }: ReadContext,
  { productId }: Pick<Scope, 'productId'>,
  { user, lastsMs, isEverywhere, isForOnce, viewerId }: Entering,
): { readonly token: string; readonly link: string } {
  const claims = {
    ...mailedTo(user),
    plugin_id: String(productId),
    everywhere: isEverywhere,
    ...(isForOnce && { once: true }),
    ...(viewerId !== undefined && { viewer: String(viewerId) }),
  }
  const token = issueToken(keys, { purpose: 'portal', claims, now: clock.real(), lastsMs })
  return { token, link: `${baseUrl}${PORTAL_PATH}?token=${token}` }
}

/**
 * A link into the portal for a mail about a purchase to the user, which works for a day, and once; empty where the product's
 * `enable_after_purchase_email_login_link` is off.
 */
export const portalLinkFor = (ctx: ReadContext, scope: Scope, user: Entering['user']): string =>
  portalLink(ctx, scope, { user, ...MAILED }).link

/** `portalLinkFor` a user who is not read yet, where the product's setting is not read either. */
export const mailedPortalLink = (ctx: ReadContext, scope: Scope, userId: number): Promise<string> =>
  mailed(ctx, scope, userId, MAILED)

/**
 * A link for a mail of what is charged `lastsMs` later, which works until then, so that it can be cancelled: into this
 * product alone; empty as `mailedPortalLink`.
 */
export const cancelLink = (
  ctx: ReadContext,
  scope: Scope,
  { userId, lastsMs }: { readonly userId: number; readonly lastsMs: number },
): Promise<string> => mailed(ctx, scope, userId, { lastsMs, isEverywhere: false })

async function mailed(
  ctx: ReadContext,
  scope: Scope,
  userId: number,
  how: Omit<Entering, 'user'>,
): Promise<string> {
  if (!(await wantsLoginLink(ctx.db, scope))) return ''
  return portalLink(ctx, scope, { user: await getUser(ctx, scope, userId), ...how }).link
}

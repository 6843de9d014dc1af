import { transaction, type ReadContext } from '../../context.ts'
import { audit } from '../../access/audit.ts'
import { withHeaders } from '../../http/answer.ts'
import type { PageOperation, Visit } from '../../http/other-replies.ts'
import { systemScope } from '../../access/scope.ts'
import { portalCookie } from '../../http/portal-session.ts'
import { notFound } from '../../lib/errors.ts'
import { hashToken } from '../../lib/credentials.ts'
import { MINUTE, SECOND, toUtcTime, type UtcTime } from '../../lib/time.ts'
import { isMailedTo } from '../proof/mailed-to.ts'
import { claimsOf, readToken, type TokenClaims } from '../../lib/signed-token.ts'
import { issueAccessToken } from '../../accounts/tokens/access-tokens.ts'
import type { UserLoginReply } from '../../accounts/developers/schema.ts'
import type { UserRow } from '../users/schema.ts'
import { getUser } from '../users/service.ts'
import { PORTAL_PATH } from './portal-link.ts'
import { isPortalLinkOver, usePortalLink } from './portal-login-queries.ts'
import { findPortalProduct } from './portal-rows.ts'

/**
 * Where the page of a product's portal stands, at which another link is asked for; null: the text is no link of ours.
 */
function whereAnother({ keys }: ReadContext, { token }: Visit) {
  const claims = claimsOf(keys, token, 'portal')
  return claims && { to: `./?product_id=${String(claims['plugin_id'])}`, text: 'Ask for another link' }
}

/**
 * Where the link of `products/generate-portal-login-link` leads, which shows whom it lets in. POST exchanges the token,
 * while it works, for the user's own access token, as often as an address may leave rows behind (429): a browser keeps
 * it in its cookie and goes on to the portal, a program is answered it as by `POST /users/login.json`. One that is for
 * once works again for five minutes, as a browser may send it twice and a mail be opened on another device. It leads nowhere
 * else, whatever the address says (`docs/security-checks.md` S27).
 */
export const portalLoginPage: PageOperation = {
  reply: 'page',
  id: 'keywright/portal-login-page',
  path: PORTAL_PATH,
  whyGone: 'It is too old, or was used before. Ask for another one.',
  another: whereAnother,
  isLogin: true,
  async show(ctx, visit) {
    const { user, product } = await entering(ctx, visit)
    return { title: 'Log in', text: `${user.email} – ${product.title}`, button: 'Continue' }
  },
  async act(ctx, visit, limits) {
    const { user, product, isEverywhere, once } = await entering(ctx, visit)
    const { ip, requestId, isBrowser } = visit
    limits.stranger({ ip, productId: product.id, what: PORTAL_PATH }, ctx.clock.real())
    const token = await transaction(ctx, async (tx) => {
      if (once && !(await usePortalLink(tx.db, usedNow(tx, once)))) throw notFound('link')
      const actor = { kind: 'user', id: user.id, credential: 'portal' } as const
      const from = { productId: product.id, ip, requestId }
      await audit(tx, { action: 'user_login.success', actor, ...from, details: {} })
      const owner = { developerId: product.developer_id, userId: user.id }
      return issueAccessToken(tx, isEverywhere ? owner : { ...owner, productId: product.id })
    })
    if (isBrowser) {
      const seconds = token.expires - Math.floor(ctx.clock.real() / SECOND)
      const cookie = portalCookie(ctx, token.access, seconds)
      return withHeaders({}, { location: './', 'set-cookie': cookie })
    }
    const { id, email, first, last, picture, is_verified: isVerified, created } = user
    const person = { id: String(id), email, first, last, picture, is_verified: isVerified, created }
    const body: UserLoginReply = { user_token: { person, token } }
    return withHeaders(body, {})
  },
}

interface Once {
  /** The link, as it is kept once it was used. */
  readonly linkHash: string
  /** When it would end unused. */
  readonly expires: UtcTime
}

/** So long a link that was used works again. */
const AGAIN_MS = 5 * MINUTE

const usedNow = ({ clock }: ReadContext, once: Once) => ({
  ...once,
  now: toUtcTime(clock.real()),
  againUntil: toUtcTime(clock.real() + AGAIN_MS),
})

interface Entering {
  /** Of a link that is for once; null: it works until it is too old. */
  readonly once: Once | null
  /** Whether the link opens all products of the seller. */
  readonly isEverywhere: boolean
  readonly user: UserRow
  readonly product: { readonly id: number; readonly developer_id: number; readonly title: string }
}

/** 404 for a token that is wrong, too old or used up, or whose user the product has no more or with another address. */
async function entering(ctx: ReadContext, { token }: Visit): Promise<Entering> {
  const claims = readToken(ctx.keys, token, { purpose: 'portal', now: ctx.clock.real() })
  const product = claims && (await findPortalProduct(ctx.db, Number(claims['plugin_id'])))
  if (!product) throw notFound('link')
  const scope = systemScope({ developerId: product.developer_id, productId: product.id })
  const user = await getUser(ctx, scope, Number(claims['user_id']))
  if (!isMailedTo(claims, user)) throw notFound('link')
  const once = claims['once'] === true ? onceOf(claims) : null
  if (once && (await isPortalLinkOver(ctx.db, once.linkHash, toUtcTime(ctx.clock.real()))))
    throw notFound('link')
  return { product, user, once, isEverywhere: claims['everywhere'] === true }
}

const onceOf = ({ jti, exp = 0 }: TokenClaims): Once => ({
  linkHash: hashToken(jti),
  expires: toUtcTime(exp * SECOND),
})

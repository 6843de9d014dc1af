import { transaction, type ReadContext } from '../../context.ts'
import { audit } from '../../access/audit.ts'
import { withHeaders } from '../../http/answer.ts'
import type { PageOperation, Visit } from '../../http/other-replies.ts'
import { systemScope } from '../../access/scope.ts'
import { portalCookie } from '../../http/portal-session.ts'
import { notFound, unauthorized } from '../../lib/errors.ts'
import { hashToken } from '../../lib/credentials.ts'
import { HOUR, MINUTE, SECOND, toUtcTime, type UtcTime } from '../../lib/time.ts'
import { isMailedTo } from '../proof/mailed-to.ts'
import { claimsOf, readToken, type TokenClaims } from '../../lib/signed-token.ts'
import { issueAccessToken } from '../../accounts/tokens/access-tokens.ts'
import type { UserLoginReply } from '../../accounts/developers/schema.ts'
import type { UserRow } from '../users/schema.ts'
import { getUser } from '../users/service.ts'
import { PORTAL_PATH } from './portal-link.ts'
import { isPortalLinkOver, usePortalLink } from './portal-login-queries.ts'
import { hostsOf } from './portal-looks.ts'
import { findPortalProduct } from './portal-rows.ts'

/**
 * Where the page of a product's portal stands, at which another link is asked for; null: the text is no link of ours.
 */
function whereAnother({ keys }: ReadContext, { token }: Visit) {
  const claims = claimsOf(keys, token, 'portal')
  return claims && { to: `./?product_id=${String(claims['plugin_id'])}`, text: 'Ask for another link' }
}

/** How long a person of the seller looks at the portal as a user. */
const VIEW_MS = HOUR

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
    const { user, product, viewerId } = await entering(ctx, visit)
    if (viewerId !== undefined)
      return {
        title: 'See the portal as a customer',
        text: `You see what ${user.email} sees, and can change nothing.`,
        button: 'Continue',
      }
    return {
      title: 'Log in',
      text: `${user.email} – ${product.title}`,
      button: 'Continue',
      embedHosts: hostsOf([product]),
      ...(visit.isFramed && { sends: FRAMED }),
    }
  },
  async act(ctx, visit, limits) {
    const { user, product, isEverywhere, once, viewerId } = await entering(ctx, visit)
    const { ip, requestId, isBrowser } = visit
    if (viewerId !== undefined && !isBrowser) throw unauthorized('view_only', 'Open this link in a browser.')
    limits.stranger({ ip, productId: product.id, what: PORTAL_PATH }, ctx.clock.real())
    const token = await transaction(ctx, async (tx) => {
      if (once && !(await usePortalLink(tx.db, usedNow(tx, once)))) throw notFound('link')
      const from = { productId: product.id, ip, requestId }
      const owner = { developerId: product.developer_id, userId: user.id, isPortal: true } as const
      if (viewerId !== undefined) {
        const actor = { kind: 'developer', id: viewerId, credential: 'portal' } as const
        const details = { user_id: String(user.id) }
        await audit(tx, { action: 'portal.viewed', actor, ...from, details })
        return issueAccessToken(tx, { ...owner, personId: viewerId }, VIEW_MS)
      }
      const actor = { kind: 'user', id: user.id, credential: 'portal' } as const
      await audit(tx, { action: 'user_login.success', actor, ...from, details: {} })
      return issueAccessToken(tx, isEverywhere ? owner : { ...owner, productId: product.id })
    })
    if (isBrowser) {
      const seconds = token.expires - Math.floor(ctx.clock.real() / SECOND)
      const where = await whereOf(visit)
      const cookie = portalCookie(ctx, { token: token.access, where }, seconds)
      return withHeaders({}, { location: './', 'set-cookie': cookie })
    }
    const { id, email, first, last, picture, is_verified: isVerified, created } = user
    const person = { id: String(id), email, first, last, picture, is_verified: isVerified, created }
    const body: UserLoginReply = { user_token: { person, token } }
    return withHeaders(body, {})
  },
}

/** What the page in a frame of another site sends, whose own form comes from this site. */
const FRAMED = { framed: '1' } as const

async function whereOf(visit: Visit): Promise<'own' | 'framed'> {
  const { framed } = (await visit.form()) as { readonly framed?: unknown }
  return framed === FRAMED.framed ? 'framed' : 'own'
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
  /** The person of the seller's team who looks; absent: the user enters. */
  readonly viewerId?: number
  readonly user: UserRow
  readonly product: NonNullable<Awaited<ReturnType<typeof findPortalProduct>>>
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
  const entered = { product, user, once, isEverywhere: claims['everywhere'] === true }
  return 'viewer' in claims ? { ...entered, viewerId: Number(claims['viewer']) } : entered
}

const onceOf = ({ jti, exp = 0 }: TokenClaims): Once => ({
  linkHash: hashToken(jti),
  expires: toUtcTime(exp * SECOND),
})

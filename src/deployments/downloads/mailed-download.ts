import type { Context, ReadContext } from '../../context.ts'
import { systemScope, type Scope } from '../../access/scope.ts'
import type { StoredDownload } from '../../http/send-file.ts'
import { notFound } from '../../lib/errors.ts'
import { isMailedTo, mailedTo } from '../../people/proof/mailed-to.ts'
import { issueToken, readToken, type TokenClaims } from '../../lib/signed-token.ts'
import { DAY } from '../../lib/time.ts'
import { getUser } from '../../people/users/service.ts'
import { versionsFor } from './choose-version.ts'
import { DOWNLOADS_PATH } from './download-version.ts'
import { membersOf } from '../../catalogue/bundles/bundle-rows.ts'
import { findPortalProduct } from '../../people/portal/portal-rows.ts'
import { seekerOfUser } from './seekers.ts'
import { updateArchive } from './updates.ts'
import { deployedWith } from '../versions/deployed-rows.ts'

/** Path of the address that leads to whatever version is the latest when it is used. */
export const LATEST_DOWNLOAD_PATH = `${DOWNLOADS_PATH}latest`

/** A mail is kept for the day on which it is installed. */
const LASTS_MS = 30 * DAY

/** Where a product is downloaded, or one of a bundle. */
interface MailedDownload {
  readonly link: string
  /** The title of what is downloaded; empty: what the mail is about. */
  readonly product: string
}

/**
 * The addresses in a mail to a user from which the product is downloaded, or each of the products in a bundle, without
 * further proof for 30 days; none while there is no version for this user. What the user may have is looked at again when
 * one is used; with another address the user has nothing by it.
 */
export async function mailedDownloads(
  ctx: ReadContext,
  scope: Scope,
  userId: number,
): Promise<MailedDownload[]> {
  const deployed = await deployedWith(ctx.db, scope.productId)
  const wanted = deployed.map(({ id: productId, title }): Wanted =>
    productId === scope.productId
      ? { scope, product: '' }
      : { scope: { ...scope, productId }, product: title, bundle: scope },
  )
  const links: MailedDownload[] = []
  for (const { product, ...of } of wanted) {
    if (await hasVersion(ctx, of, userId)) links.push({ link: await addressOf(ctx, of, userId), product })
  }
  return links
}

interface Wanted {
  readonly scope: Scope
  readonly product: string
  /** What it was bought in. */
  readonly bundle?: Scope
}

type Of = Pick<Wanted, 'scope' | 'bundle'>

const hasVersion = async (ctx: ReadContext, { scope, bundle }: Of, userId: number): Promise<boolean> =>
  (await versionsFor(ctx, scope, await seekerOfUser(ctx, scope, userId, bundle), {})).length > 0

async function addressOf(ctx: ReadContext, { scope, bundle }: Of, userId: number): Promise<string> {
  const user = await getUser(ctx, bundle ?? scope, userId)
  const claims = {
    ...mailedTo(user),
    product: String(scope.productId),
    ...(bundle && { bundle: String(bundle.productId) }),
    latest: true,
  }
  const token = issueToken(ctx.keys, {
    purpose: 'download',
    claims,
    now: ctx.clock.real(),
    lastsMs: LASTS_MS,
  })
  return `${ctx.baseUrl}${LATEST_DOWNLOAD_PATH}?token=${token}`
}

/** What such an address leads to; 404 when there is nothing for its user any more, or the bundle lacks it by now. */
export async function downloadMailed(ctx: Context, token: string): Promise<StoredDownload> {
  const claims = readToken(ctx.keys, token, { purpose: 'download', now: ctx.clock.real() })
  if (claims?.['latest'] !== true) throw notFound('download')
  const product = await findPortalProduct(ctx.db, Number(claims['product']))
  if (!product) throw notFound('download')
  const scope = systemScope({ developerId: product.developer_id, productId: product.id })
  const bundle = await bundleIn(ctx, scope, claims)
  const user = await getUser(ctx, bundle ?? scope, Number(claims['user_id']))
  if (!isMailedTo(claims, user)) throw notFound('download')
  const seeker = (from: ReadContext) => seekerOfUser(from, scope, user.id, bundle)
  return updateArchive(ctx, { scope, isThere: false, seeker }, {})
}

async function bundleIn(ctx: ReadContext, scope: Scope, { bundle }: TokenClaims): Promise<Scope | undefined> {
  if (bundle === undefined) return undefined
  const productId = Number(bundle)
  const members = await membersOf(ctx.db, [productId])
  if (!members.some(({ product_id: id }) => id === scope.productId)) throw notFound('download')
  return { ...scope, productId }
}

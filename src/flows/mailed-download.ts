import type { Context, ReadContext } from '../context.ts'
import { systemScope, type Scope } from '../http/scope.ts'
import type { StoredDownload } from '../http/send-file.ts'
import { notFound } from '../lib/errors.ts'
import { isMailedTo, mailedTo } from '../lib/mailed-to.ts'
import { issueToken, readToken } from '../lib/signed-token.ts'
import { DAY } from '../lib/time.ts'
import { getUser } from '../resources/users/service.ts'
import { versionsFor } from './choose-version.ts'
import { DOWNLOADS_PATH } from './download-version.ts'
import { findPortalProduct } from './portal-login-queries.ts'
import { seekerOfUser } from './seekers.ts'
import { updateArchive } from './updates.ts'

/** Path of the address that leads to whatever version is the latest when it is used. */
export const LATEST_DOWNLOAD_PATH = `${DOWNLOADS_PATH}latest`

/** A mail is kept for the day on which it is installed. */
const LASTS_MS = 30 * DAY

/**
 * The address in a mail to a user from which the product is downloaded, without further proof for 30 days; empty while
 * there is no version for this user. What the user may have is looked at again when it is used; with another address
 * the user has nothing by it.
 */
export async function mailedDownload(ctx: ReadContext, scope: Scope, userId: number): Promise<string> {
  const found = await versionsFor(ctx, scope, await seekerOfUser(ctx, scope, userId), {})
  if (found.length === 0) return ''
  const user = await getUser(ctx, scope, userId)
  const claims = { ...mailedTo(user), product: String(scope.productId), latest: true }
  const token = issueToken(ctx.keys, {
    purpose: 'download',
    claims,
    now: ctx.clock.real(),
    lastsMs: LASTS_MS,
  })
  return `${ctx.baseUrl}${LATEST_DOWNLOAD_PATH}?token=${token}`
}

/** What such an address leads to; 404 when there is nothing for its user any more. */
export async function downloadMailed(ctx: Context, token: string): Promise<StoredDownload> {
  const claims = readToken(ctx.keys, token, { purpose: 'download', now: ctx.clock.real() })
  if (claims?.['latest'] !== true) throw notFound('download')
  const product = await findPortalProduct(ctx.db, Number(claims['product']))
  if (!product) throw notFound('download')
  const scope = systemScope({ developerId: product.developer_id, productId: product.id })
  const user = await getUser(ctx, scope, Number(claims['user_id']))
  if (!isMailedTo(claims, user)) throw notFound('download')
  const seeker = (from: ReadContext) => seekerOfUser(from, scope, user.id)
  return updateArchive(ctx, { scope, isThere: false, seeker }, {})
}

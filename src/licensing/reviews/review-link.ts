import type { ReadContext } from '../../context.ts'
import { requireWhole, type Scope } from '../../access/scope.ts'
import { sameText } from '../../lib/credentials.ts'
import { notFound } from '../../lib/errors.ts'
import { DAY, SECOND, toUtcTime, type UtcTime } from '../../lib/time.ts'
import { getLicenseOf } from '../licenses/service.ts'
import { findReviewed } from './review-queries.ts'

const PURPOSE = 'license_reviews'
const LINK_MS = 30 * DAY

/** Path of the page that a review link opens; the token follows. */
export const REVIEW_PATH = '/review/'

interface UserLicenseIds {
  readonly user_id: number
  readonly license_id: number
}

/** Where the owner of a license reviews the product, for 30 days; 404 when the user has no such license. */
export async function reviewLink(
  ctx: ReadContext,
  scope: Scope,
  ids: UserLicenseIds,
): Promise<{ url: string; expires: UtcTime }> {
  const license = await getLicenseOf(ctx, scope, ids)
  requireWhole(scope, 'A review')
  const ends = ctx.clock.real() + LINK_MS
  const said = `${license.id}-${ids.user_id}-${Math.floor(ends / SECOND).toString(36)}`
  return {
    url: `${ctx.baseUrl}${REVIEW_PATH}${said}-${ctx.keys.keyedHash(said, PURPOSE)}`,
    expires: toUtcTime(ends),
  }
}

/** What a link is about, and as whom it acts; 404 when it is wrong, too old, or the license is another's by now. */
export async function readReviewLink(ctx: ReadContext, token: string) {
  const [licenseId = '', userId = '', ends = '', proof = ''] = token.split('-')
  const said = `${licenseId}-${userId}-${ends}`
  const isOurs = ctx.keys.keyedHashes(said, PURPOSE).some((hash) => sameText(hash, proof))
  if (!isOurs || Number.parseInt(ends, 36) * SECOND <= ctx.clock.real()) throw notFound('link')
  const ids = { user_id: Number(userId), license_id: Number(licenseId) }
  const found = await findReviewed(ctx.db, ids)
  if (!found) throw notFound('link')
  const { product_id: productId, developer_id: developerId } = found
  const scope: Scope = {
    kind: 'user',
    developerId,
    productId,
    userId: ids.user_id,
    installId: null,
    actor: { kind: 'user', id: ids.user_id, credential: 'link' },
    ip: null,
    requestId: null,
  }
  return { ids, scope, product: found.title, isReviewed: found.review_id !== null }
}

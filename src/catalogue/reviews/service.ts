import { hold } from '../../db/hold.ts'
import type { Context, ReadContext, TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { spanOf } from '../../lib/time-text.ts'
import { differences } from '../../lib/differences.ts'
import { invalid, invalidFields, notFound } from '../../lib/errors.ts'
import { recordEvent } from '../../events/log/record.ts'
import {
  countByRate,
  countReviews,
  deleteReviewRow,
  findReview,
  insertReview,
  listActiveReviews,
  listActiveReviewsBy,
  listReviews,
  listReviewsBy,
  updateReviewRow,
} from './queries.ts'
import { REVIEW } from './review.entity.ts'
import {
  ALL_REVIEWS,
  presentReview,
  presentShownReview,
  type Review,
  type ReviewCreate,
  type ReviewList,
  type ReviewRow,
  type ReviewUpdate,
} from './schema.ts'

/** A public key alone sees only what is shown (`docs/decisions.md` 1.10). */
const seesOnlyActive = ({ actor }: Scope) => actor.kind === 'public'

export async function getReviews(
  ctx: ReadContext,
  scope: Scope,
  { count = ALL_REVIEWS, ...query }: ReviewList,
): Promise<Review[]> {
  const search = searchOf({ ...query, count })
  const isOrdered = search.made !== undefined || search.sort === 'id'
  if (seesOnlyActive(scope)) {
    const shown = await (isOrdered ? listActiveReviewsBy : listActiveReviews)(ctx.db, scope, search)
    return shown.map((row) => presentShownReview(row, ctx))
  }
  const isNarrowed = isOrdered || search.filter !== undefined || Object.keys(search.equal).length > 0
  const rows = await (isNarrowed ? listReviewsBy : listReviews)(ctx.db, scope, search)
  return rows.map((row) => presentReview(row, ctx))
}

/** How many reviews a list of a product has, counted no further than its `count`. */
export const totalOfReviews = (
  { database }: Pick<Context, 'database'>,
  scope: Scope,
  { count = ALL_REVIEWS, ...query }: ReviewList,
): Promise<number> => countReviews(database.background, scope, searchOf({ ...query, count }))

const searchOf = (query: ReviewList & { readonly count: number }) => ({
  filter: query.filter,
  equal: REVIEW.read('filter', query),
  made: spanOf(query),
  sort: query.sort,
  count: query.count,
  offset: query.offset,
})

/** 404 when the product has no such review. */
export async function getReview(ctx: ReadContext, scope: Scope, id: number): Promise<Review> {
  const row = await findReview(ctx.db, scope, id)
  if (!row) throw notFound('review')
  return presentReview(row, ctx)
}

/** How many shown reviews have each score; the count is text, as clients read it. */
export async function summarise(ctx: ReadContext, scope: Scope, type: 'all' | 'verified') {
  const rows = await countByRate(ctx.db, scope, type === 'verified')
  return { reviews: rows.map(({ rate, count }) => ({ rate, count: String(count) })) }
}

interface Reviewer {
  readonly userId: number | null
  readonly licenseId: number | null
}
const NOBODY: Reviewer = { userId: null, licenseId: null }

/**
 * Writes down a review, for the developer or by a user under a license, which has one: 400 `license_review_taken`.
 * It is verified, as the contract's PluginReview is by default, unless the seller says otherwise.
 */
export async function createReview(
  ctx: TxContext,
  scope: Scope,
  input: ReviewCreate & { readonly by?: Reviewer },
  picture: string | undefined,
): Promise<Review> {
  const { by = NOBODY, ...given } = input
  const { rate, text, name } = given
  const row = await insertReview(ctx.db, {
    ...REVIEW.initial,
    ...REVIEW.columns({ ...REVIEW.read('create', given), ...(picture !== undefined && { picture }) }),
    rate,
    text,
    name,
    product_id: scope.productId,
    user_id: by.userId,
    license_id: by.licenseId,
    created: ctx.clock.now(),
    updated: null,
  })
  if (!row) throw invalid('license_review_taken', 'There is a review under this license.', 'license_id')
  await record(ctx, scope, 'review.created', { review_id: String(row.id) })
  return presentReview(row, ctx)
}

/**
 * Writes what was given and differs; null when nothing does. The score of a user's review is the user's
 * (contract reviews/update).
 */
export async function updateReview(
  ctx: TxContext,
  scope: Scope,
  id: number,
  { input, picture }: { readonly input: ReviewUpdate; readonly picture: string | undefined },
): Promise<Review | null> {
  const before = await hold(ctx.db, 'reviews', scope, id)
  if (!before) throw notFound('review')
  if (input.rate !== undefined && input.rate !== before.rate && before.user_id !== null) {
    throw invalidFields([{ field: 'rate', message: 'of a review that a user wrote cannot be changed' }])
  }
  const after: ReviewRow = {
    ...before,
    ...REVIEW.read('update', input),
    ...(picture !== undefined && { picture }),
  }
  const changed = differences(before, after)
  if (!changed) return null
  const now = ctx.clock.now()
  const row = await updateReviewRow(ctx.db, scope, id, { ...changed.to, updated: now })
  const { from, to } = REVIEW.told(changed).together
  await record(ctx, scope, 'review.updated', { review_id: String(id), from, to })
  return presentReview(row, ctx)
}

/** 404 when the product has no such review; of two deletions at once one is. */
export async function deleteReview(ctx: TxContext, scope: Scope, id: number): Promise<void> {
  if (!(await deleteReviewRow(ctx.db, scope, id))) throw notFound('review')
  await record(ctx, scope, 'review.deleted', { review_id: String(id) })
}

const record = (
  ctx: TxContext,
  scope: Scope,
  type: 'review.created' | 'review.updated' | 'review.deleted',
  data: { readonly review_id: string; readonly from?: object; readonly to?: object },
) => recordEvent(ctx, scope, { type, data })

import type { TxContext } from '../../context.ts'
import type { Files } from '../../http/body-arguments.ts'
import { requireWhole, type Scope } from '../../access/scope.ts'
import { missingFields } from '../../lib/errors.ts'
import { getLicenseOf } from '../licenses/service.ts'
import { storePicture } from '../../catalogue/pictures/service.ts'
import { touchCatalogue } from '../../catalogue/products/catalogue.ts'
import type { Review, ReviewCreate, ReviewUpdate, UserReviewCreate } from '../../catalogue/reviews/schema.ts'
import { createReview, deleteReview, getReview, updateReview } from '../../catalogue/reviews/service.ts'
import { getUser } from '../../people/users/service.ts'

/** A review with its portrait; what `pricing.json` shows has changed. */
export async function writeReview(
  ctx: TxContext,
  scope: Scope,
  { body, files }: { readonly body: ReviewCreate; readonly files: Files },
): Promise<Review> {
  const review = await createReview(ctx, scope, body, await pictureOf(ctx, scope, files))
  await touchCatalogue(ctx.db, scope)
  return review
}

/**
 * A review by a user under a license of its own, with its portrait; 404 when it has no such license, 402 for a user
 * without a name who gives none. It is verified and bears the name of its owner, so a license key alone writes none.
 */
export async function reviewLicense(
  ctx: TxContext,
  scope: Scope,
  ids: { readonly user_id: number; readonly license_id: number },
  { body, files }: { readonly body: UserReviewCreate; readonly files: Files },
): Promise<Review> {
  const user = await getUser(ctx, scope, ids.user_id)
  await getLicenseOf(ctx, scope, ids)
  requireWhole(scope, 'A review')
  const name = body.name ?? `${user.first} ${user.last}`.trim()
  if (name === '') throw missingFields([{ field: 'name', message: 'is required, as the user has none' }])
  const by = { userId: user.id, licenseId: ids.license_id }
  const picture = await pictureOf(ctx, scope, files)
  const review = await createReview(ctx, scope, { ...body, name, by }, picture)
  await touchCatalogue(ctx.db, scope)
  return review
}

/** Changes a review; one that stays as it is leaves `pricing.json` as it is. */
export async function rewriteReview(
  ctx: TxContext,
  scope: Scope,
  id: number,
  { body, files }: { readonly body: ReviewUpdate; readonly files: Files },
): Promise<Review> {
  const picture = await pictureOf(ctx, scope, files)
  const review = await updateReview(ctx, scope, id, { input: body, picture })
  if (!review) return getReview(ctx, scope, id)
  await touchCatalogue(ctx.db, scope)
  return review
}

export async function removeReview(ctx: TxContext, scope: Scope, id: number): Promise<void> {
  await deleteReview(ctx, scope, id)
  await touchCatalogue(ctx.db, scope)
}

const pictureOf = async (ctx: TxContext, scope: Scope, { picture }: Files) =>
  picture && storePicture(ctx, scope, picture)

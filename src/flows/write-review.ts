import type { TxContext } from '../context.ts'
import type { Files } from '../http/body-arguments.ts'
import type { Scope } from '../http/scope.ts'
import { storePicture } from '../resources/pictures/service.ts'
import { touchCatalogue } from '../resources/products/catalogue.ts'
import type { Review, ReviewCreate, ReviewUpdate } from '../resources/reviews/schema.ts'
import { createReview, deleteReview, updateReview } from '../resources/reviews/service.ts'

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

export async function rewriteReview(
  ctx: TxContext,
  scope: Scope,
  id: number,
  { body, files }: { readonly body: ReviewUpdate; readonly files: Files },
): Promise<Review> {
  const picture = await pictureOf(ctx, scope, files)
  const review = await updateReview(ctx, scope, id, { input: body, picture })
  await touchCatalogue(ctx.db, scope)
  return review
}

export async function removeReview(ctx: TxContext, scope: Scope, id: number): Promise<void> {
  await deleteReview(ctx, scope, id)
  await touchCatalogue(ctx.db, scope)
}

const pictureOf = async (ctx: TxContext, scope: Scope, { picture }: Files) =>
  picture && storePicture(ctx, scope, picture)

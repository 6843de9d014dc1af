import { Type } from 'typebox'
import { removeReview, rewriteReview, writeReview } from './write-review.ts'
import { readOperation, writeOperation } from '../../http/operation.ts'
import { checkPicture } from '../../catalogue/pictures/service.ts'
import {
  OnlyFields,
  Review,
  ReviewCreate,
  ReviewFiles,
  ReviewId,
  ReviewList,
  ReviewSummary,
  ReviewUpdate,
  SummaryFilter,
} from '../../catalogue/reviews/schema.ts'
import { getReview, getReviews, summarise } from '../../catalogue/reviews/service.ts'

const scopes = ['product', 'developer', 'store'] as const

export const reviewOperations = [
  readOperation({
    id: 'reviews/list',
    summary:
      'List reviews, newest first; with the public key alone those that are shown, featured ones first',
    method: 'GET',
    path: '/reviews.json',
    scopes,
    access: 'public',
    query: ReviewList,
    status: 200,
    response: Type.Object({ reviews: Type.Array(Review) }),
    items: 'reviews',
    handle: async (ctx, { scope, query }) => ({ reviews: await getReviews(ctx, scope, query) }),
  }),
  readOperation({
    id: 'reviews/retrieve-summary',
    summary: 'Count the shown reviews by score',
    method: 'GET',
    path: '/reviews/summary.json',
    scopes,
    access: 'public',
    query: SummaryFilter,
    status: 200,
    response: ReviewSummary,
    items: 'reviews',
    handle: (ctx, { scope, query }) => summarise(ctx, scope, query.type),
  }),
  readOperation({
    id: 'reviews/retrieve',
    summary: 'Retrieve a review',
    method: 'GET',
    path: '/reviews/{review_id}.json',
    scopes,
    params: ReviewId,
    status: 200,
    response: Review,
    handle: (ctx, { scope, params }) => getReview(ctx, scope, params.review_id),
  }),
  writeOperation({
    id: 'reviews/create',
    summary: 'Write down a review',
    method: 'POST',
    path: '/reviews.json',
    scopes,
    body: ReviewCreate,
    files: ReviewFiles,
    status: 200,
    response: Review,
    emits: ['review.created'],
    refuses: ['license_review_taken'],
    check: async (_, { files }, problems) => checkPicture('picture', files['picture'], problems),
    handle: (ctx, { scope, body, files }) => writeReview(ctx, scope, { body, files }),
  }),
  writeOperation({
    id: 'reviews/update',
    summary: 'Update a review',
    method: 'PUT',
    path: '/reviews/{review_id}.json',
    scopes,
    params: ReviewId,
    query: OnlyFields,
    body: ReviewUpdate,
    files: ReviewFiles,
    status: 200,
    response: Review,
    emits: ['review.updated'],
    check: async (_, { files }, problems) => checkPicture('picture', files['picture'], problems),
    handle: (ctx, { scope, params, body, files }) =>
      rewriteReview(ctx, scope, params.review_id, { body, files }),
  }),
  writeOperation({
    id: 'reviews/delete',
    summary: 'Delete a review',
    method: 'DELETE',
    path: '/reviews/{review_id}.json',
    scopes,
    params: ReviewId,
    status: 204,
    emits: ['review.deleted'],
    handle: (ctx, { scope, params }) => removeReview(ctx, scope, params.review_id),
  }),
]

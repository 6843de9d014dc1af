import { Type, type Static } from '../../lib/type.ts'
import type { ReadContext } from '../../context.ts'
import {
  Arguments,
  Choice,
  Fields,
  Id,
  MadeBetween,
  Optional,
  Paging,
  Sorted,
  Text,
} from '../../http/wire.ts'
import { PICTURE_MAX_BYTES } from '../pictures/picture.ts'
import { pictureUrl } from '../../lib/pictures.ts'
import { REVIEW, type ReviewRow } from './review.entity.ts'

export type { ReviewRow }

/** The contract's PluginReview. */
export const Review = Type.Object(REVIEW.shown, { title: 'PluginReview' })
export type Review = Static<typeof Review>

export const ReviewId = Arguments({ review_id: Id('ID of the review.') })

/** The contract's list has no paging: without `count` this many come at once. */
export const ALL_REVIEWS = 500

const REVIEW_FILTERS = ['shown', 'hidden', 'featured'] as const
export type ReviewFilter = (typeof REVIEW_FILTERS)[number]

export const ReviewList = Arguments({
  filter: Optional(
    Choice(REVIEW_FILTERS, {
      description: 'By state; who has the public key alone is shown all it may see.',
    }),
  ),
  ...REVIEW.filter,
  ...MadeBetween,
  ...Sorted,
  count: Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'Page size; absent: up to 500.' })),
  offset: Paging.offset,
})
export type ReviewList = Static<typeof ReviewList>

export const SummaryFilter = Arguments({
  type: Type.Unsafe<'all' | 'verified'>(Choice(['all', 'verified'], { default: 'all' })),
})

export const ReviewSummary = Type.Object({
  reviews: Type.Array(Type.Object({ rate: Type.Integer(), count: Type.String() })),
})

export const ReviewCreate = Arguments(REVIEW.create)
export type ReviewCreate = Static<typeof ReviewCreate>

const { external_id: _, is_verified: __, ...ofUser } = REVIEW.create

/** The contract's licenses/create-review: by a user, who is named unless it names itself. */
export const UserReviewCreate = Arguments({
  ...ofUser,
  name: Optional(Text({ min: 1, description: "The user's own name unless given." })),
  is_active: Type.Boolean({ default: false, description: 'May be shown.' }),
})
export type UserReviewCreate = Static<typeof UserReviewCreate>

export const ReviewUpdate = Arguments(REVIEW.update)
export type ReviewUpdate = Static<typeof ReviewUpdate>

/** The part of a multipart body that holds a portrait. */
export const ReviewFiles = { picture: { maxBytes: PICTURE_MAX_BYTES } }

export const OnlyFields = Arguments(Fields)

/** Row → wire. */
export const presentReview = (row: ReviewRow, ctx: Pick<ReadContext, 'baseUrl'>): Review => ({
  ...REVIEW.present(row),
  picture: pictureUrl(ctx, row.picture),
})

/** As strangers read it, who learn of nobody which user or license it is. */
export const presentShownReview = (row: ReviewRow, ctx: Pick<ReadContext, 'baseUrl'>): Review => ({
  ...REVIEW.presentWithheld(row),
  picture: pictureUrl(ctx, row.picture),
})

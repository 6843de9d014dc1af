import type { Selectable } from 'kysely'
import { Type, type Static } from '../../lib/type.ts'
import type { ReadContext } from '../../context.ts'
import type { ReviewsTable } from '../../db/tables/reviews.ts'
import {
  Arguments,
  Choice,
  Fields,
  Id,
  IdText,
  Nullable,
  Optional,
  Paging,
  Text,
  Time,
} from '../../http/wire.ts'
import { PICTURE_MAX_BYTES } from '../pictures/picture.ts'
import { pictureUrl } from '../pictures/schema.ts'

export type ReviewRow = Selectable<ReviewsTable>

const Rate = () => Type.Integer({ minimum: 0, maximum: 100, description: 'Score from 0 to 100.' })

const texts = {
  title: Text(),
  text: Text({ max: 5000, format: 'text' }),
  name: Text({ description: 'Full name of the reviewer.' }),
  job_title: Text(),
  company: Text(),
  company_url: Text({ max: 2048, format: 'http-url-or-empty' }),
  profile_url: Text({ max: 2048, format: 'http-url-or-empty' }),
}

/** The contract's PluginReview. */
export const Review = Type.Object(
  {
    id: IdText(),
    created: Time(),
    updated: Nullable(Time()),
    plugin_id: IdText(),
    external_id: Type.String(),
    user_id: Nullable(IdText()),
    license_id: Nullable(IdText()),
    rate: Rate(),
    ...texts,
    picture: Type.String(),
    is_verified: Type.Boolean(),
    is_featured: Type.Boolean(),
  },
  { title: 'PluginReview' },
)
export type Review = Static<typeof Review>

export const ReviewId = Arguments({ review_id: Id('ID of the review.') })

/** The contract's list has no paging: without `count` this many come at once. */
export const ALL_REVIEWS = 500

export const ReviewList = Arguments({
  count: Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'Page size; absent: up to 500.' })),
  offset: Paging.offset,
})

export const SummaryFilter = Arguments({
  type: Type.Unsafe<'all' | 'verified'>(Choice(['all', 'verified'], { default: 'all' })),
})

export const ReviewSummary = Type.Object({
  reviews: Type.Array(Type.Object({ rate: Type.Integer(), count: Type.String() })),
})

const optional = {
  title: Optional(texts.title),
  job_title: Optional(texts.job_title),
  company: Optional(texts.company),
  company_url: Optional(texts.company_url),
  profile_url: Optional(texts.profile_url),
  is_featured: Optional(Type.Boolean()),
}

/** What the seller alone says of a review. */
const SELLERS = {
  external_id: Optional(Text({ description: 'What it is called where it was written.' })),
  is_verified: Optional(Type.Boolean({ description: 'Whether its writer is known to have the product.' })),
}

export const ReviewCreate = Arguments({
  ...optional,
  ...SELLERS,
  rate: Rate(),
  text: Text({ min: 1, max: 5000, format: 'text' }),
  name: Text({ min: 1 }),
  is_active: Type.Boolean({ default: true }),
})
export type ReviewCreate = Static<typeof ReviewCreate>

/** The contract's licenses/create-review: by a user, who is named unless it names itself. */
export const UserReviewCreate = Arguments({
  ...optional,
  rate: Rate(),
  text: Text({ min: 1, max: 5000, format: 'text' }),
  name: Optional(Text({ min: 1, description: "The user's own name unless given." })),
  is_active: Type.Boolean({ default: false, description: 'May be shown.' }),
})
export type UserReviewCreate = Static<typeof UserReviewCreate>

export const ReviewUpdate = Arguments({
  ...optional,
  ...SELLERS,
  rate: Optional(Rate()),
  text: Optional(Text({ min: 1, max: 5000, format: 'text' })),
  name: Optional(Text({ min: 1 })),
  is_active: Optional(Type.Boolean()),
})
export type ReviewUpdate = Static<typeof ReviewUpdate>

/** The part of a multipart body that holds a portrait. */
export const ReviewFiles = { picture: { maxBytes: PICTURE_MAX_BYTES } }

export const OnlyFields = Arguments(Fields)

/** Row → wire. */
export const presentReview = (row: ReviewRow, ctx: Pick<ReadContext, 'baseUrl'>): Review => ({
  id: String(row.id),
  created: row.created,
  updated: row.updated,
  plugin_id: String(row.product_id),
  external_id: row.external_id,
  user_id: row.user_id === null ? null : String(row.user_id),
  license_id: row.license_id === null ? null : String(row.license_id),
  rate: row.rate,
  title: row.title,
  text: row.text,
  name: row.name,
  job_title: row.job_title,
  company: row.company,
  company_url: row.company_url,
  profile_url: row.profile_url,
  picture: pictureUrl(ctx, row.picture),
  is_verified: row.is_verified,
  is_featured: row.is_featured,
})

/** As strangers read it, who learn of nobody which user or license it is. */
export const presentShownReview = (row: ReviewRow, ctx: Pick<ReadContext, 'baseUrl'>): Review => ({
  ...presentReview(row, ctx),
  user_id: null,
  license_id: null,
})

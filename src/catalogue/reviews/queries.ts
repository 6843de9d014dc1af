import type { Insertable, Updateable } from 'kysely'
import { countRows } from '../../db/count-rows.ts'
import type { Reader, Writer } from '../../db/database.ts'
import { literal } from '../../db/flags.ts'
import { newestBy, type ListSort } from '../../db/newest-by.ts'
import { preparedFor } from '../../db/prepared.ts'
import { scoped, scopedWrite, type Owner } from '../../db/scoped.ts'
import { whereEqual } from '../../db/where-equal.ts'
import type { ReviewsTable } from '../../db/tables/reviews.ts'
import type { TimeSpan } from '../../lib/time-text.ts'
import type { ReviewFilter, ReviewRow } from './schema.ts'

interface Page {
  readonly count: number
  readonly offset: number
}

/** Newest first. */
export const listReviews = preparedFor((db, owner, { count, offset }: Page) =>
  scoped(db, 'reviews', owner).select().selectAll().orderBy('id', 'desc').limit(count).offset(offset),
)

interface ReviewOrder {
  readonly made?: TimeSpan | undefined
  readonly sort?: ListSort | undefined
}

export interface ReviewSearch extends Page, ReviewOrder {
  readonly filter: ReviewFilter | undefined
  /** What their columns must have. */
  readonly equal: Partial<Pick<ReviewRow, 'user_id' | 'license_id'>>
}

/** Those that are searched for, newest first unless it is sorted. */
export const listReviewsBy = (db: Reader, owner: Owner, search: ReviewSearch) =>
  pageOfReviews(db, owner, search).execute()

export const pageOfReviews = (db: Reader, owner: Owner, search: ReviewSearch) =>
  NEWEST.ids(narrowed(db, owner, search).selectAll(), readingOf(search))
    .limit(search.count)
    .offset(search.offset)

/** How many are found, counted no further than `search.count`. */
export const countReviews = (db: Reader, owner: Owner, search: ReviewSearch) =>
  countRows(db, narrowed(db, owner, search).select('reviews.id'), search.count)

const NEWEST = newestBy('reviews.id', 'reviews.created')

/** A product has so few reviews that no index has them by their time. */
const readingOf = ({ made, sort }: ReviewOrder) => ({ span: made, sort, isOfFew: true })

function narrowed(db: Reader, owner: Owner, search: ReviewSearch) {
  const { filter, equal } = search
  const all = whereEqual(scoped(db, 'reviews', owner).select(), 'reviews', equal)
  const inState = filter === undefined ? all : all.where('is_active', '=', literal(filter !== 'hidden'))
  const found = filter === 'featured' ? inState.where('is_featured', '=', literal(true)) : inState
  return NEWEST.between(found, readingOf(search))
}

/** Those that are shown of the ones searched for, featured ones first. */
export const listActiveReviewsBy = (db: Reader, owner: Owner, search: Page & ReviewOrder) => {
  const shown = narrowed(db, owner, { ...search, filter: 'shown', equal: {} }).selectAll()
  return NEWEST.ids(shown.orderBy('is_featured', 'desc'), readingOf(search))
    .limit(search.count)
    .offset(search.offset)
    .execute()
}

/** Those that are shown, featured ones first, then the newest. */
export const listActiveReviews = preparedFor((db, owner, { count, offset }: Page) =>
  scoped(db, 'reviews', owner)
    .select()
    .selectAll()
    .where('is_active', '=', true)
    .orderBy('is_featured', 'desc')
    .orderBy('id', 'desc')
    .limit(count)
    .offset(offset),
)

export const findReview = (db: Reader, owner: Owner, id: number) =>
  scoped(db, 'reviews', owner).select().selectAll().where('id', '=', id).executeTakeFirst()

/** Shown reviews by score, highest first. */
export function countByRate(db: Reader, owner: Owner, onlyVerified: boolean) {
  const shown = scoped(db, 'reviews', owner).select().where('is_active', '=', true)
  const counted = onlyVerified ? shown.where('is_verified', '=', true) : shown
  return counted
    .select((eb) => ['rate', eb.fn.countAll<number>().as('count')])
    .groupBy('rate')
    .orderBy('rate', 'desc')
    .execute()
}

/** Adds a review unless its license has one; undefined then. */
export const insertReview = (db: Writer, row: Insertable<ReviewsTable>) =>
  db
    .insertInto('reviews')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

export const updateReviewRow = (db: Writer, owner: Owner, id: number, change: Updateable<ReviewsTable>) =>
  scopedWrite(db, 'reviews', owner)
    .update()
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export async function deleteReviewRow(db: Writer, owner: Owner, id: number): Promise<boolean> {
  const { numDeletedRows } = await scopedWrite(db, 'reviews', owner)
    .delete()
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

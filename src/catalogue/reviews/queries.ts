import type { Insertable, Updateable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { literal } from '../../db/flags.ts'
import { preparedFor } from '../../db/prepared.ts'
import { scoped, scopedWrite, type Owner } from '../../db/scoped.ts'
import { whereEqual } from '../../db/where-equal.ts'
import type { ReviewsTable } from '../../db/tables/reviews.ts'
import type { ReviewFilter, ReviewRow } from './schema.ts'

interface Page {
  readonly count: number
  readonly offset: number
}

/** Newest first. */
export const listReviews = preparedFor((db, owner, { count, offset }: Page) =>
  scoped(db, 'reviews', owner).select().selectAll().orderBy('id', 'desc').limit(count).offset(offset),
)

interface Search extends Page {
  readonly filter: ReviewFilter | undefined
  /** What their columns must have. */
  readonly equal: Partial<Pick<ReviewRow, 'user_id' | 'license_id'>>
}

/** Those in one state, of one user or under one license, newest first. */
export const listReviewsBy = (db: Reader, owner: Owner, search: Search) =>
  pageOfReviews(db, owner, search).execute()

export function pageOfReviews(db: Reader, owner: Owner, { filter, equal, count, offset }: Search) {
  const all = whereEqual(scoped(db, 'reviews', owner).select().selectAll(), 'reviews', equal)
  const inState = filter === undefined ? all : all.where('is_active', '=', literal(filter !== 'hidden'))
  const found = filter === 'featured' ? inState.where('is_featured', '=', literal(true)) : inState
  return found.orderBy('id', 'desc').limit(count).offset(offset)
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

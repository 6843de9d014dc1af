import type { Reader } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'

/** The product of a license that a user owns, and the review under it. */
export const findReviewed = (db: Reader, ids: { readonly user_id: number; readonly license_id: number }) =>
  unscoped(db, 'the link that names both is signed by the server')
    .selectFrom('licenses')
    .innerJoin('products', 'products.id', 'licenses.product_id')
    .leftJoin('reviews', 'reviews.license_id', 'licenses.id')
    .select(['licenses.product_id', 'products.developer_id', 'products.title', 'reviews.id as review_id'])
    .where('licenses.id', '=', ids.license_id)
    .where('licenses.user_id', '=', ids.user_id)
    .executeTakeFirst()

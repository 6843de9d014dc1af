import { sql } from 'kysely'
import type { Reader } from '../../db/database.ts'
import { prepared } from '../../db/prepared.ts'
import { unscoped } from '../../db/scoped.ts'

const deployed = prepared((db: Reader, { productId }: { productId: number }) =>
  unscoped(db, 'a product that the caller has found, with those in it where it is a bundle')
    .selectFrom('products')
    .select(['products.id', 'products.title'])
    .where(
      sql<boolean>`(products.id = ${productId} or products.id in (
        select product_id from bundle_members where bundle_id = ${productId}))`,
    )
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('deployments')
          .select('deployments.id')
          .whereRef('deployments.product_id', '=', 'products.id'),
      ),
    )
    .orderBy(sql`case when products.id = ${productId} then 0 else 1 end`)
    .orderBy('products.id'),
)

/** Of a product, and of those in it where it is a bundle, what has been deployed: the product first, then by id. */
export const deployedWith = (db: Reader, productId: number) => deployed(db, { productId })

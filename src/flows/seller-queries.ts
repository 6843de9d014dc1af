import type { Reader } from '../db/database.ts'

/** Whether anybody sells on this server yet. */
export async function hasDeveloper(db: Reader): Promise<boolean> {
  const found = await db.selectFrom('developers').select('id').limit(1).executeTakeFirst()
  return found !== undefined
}

/** The products of the developer with this folded address, with their store, the earliest first. */
export const findProductsOf = (db: Reader, emailFolded: string) =>
  db
    .selectFrom('developers')
    .innerJoin('products', 'products.developer_id', 'developers.id')
    .select(['products.developer_id', 'products.store_id', 'products.id as product_id'])
    .where('developers.email_folded', '=', emailFolded)
    .orderBy('products.id')
    .execute()

/** The newest user of a product, and the newest event about it. */
export const findExamples = (db: Reader, productId: number) =>
  db
    .selectFrom('product_users')
    .innerJoin('events', (join) =>
      join
        .onRef('events.product_id', '=', 'product_users.product_id')
        .onRef('events.user_id', '=', 'product_users.user_id'),
    )
    .select(['product_users.user_id', 'events.id as event_id'])
    .where('product_users.product_id', '=', productId)
    .orderBy('events.id', 'desc')
    .limit(1)
    .executeTakeFirst()

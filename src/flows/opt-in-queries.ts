import type { Reader } from '../db/database.ts'
import { inList } from '../db/in-list.ts'

/** A product as its clients know it. */
export const findClientProduct = (db: Reader, id: number) =>
  db
    .selectFrom('products')
    .select(['id', 'developer_id', 'public_key', 'parent_plugin_id'])
    .where('id', '=', id)
    .executeTakeFirst()
export type ClientProduct = NonNullable<Awaited<ReturnType<typeof findClientProduct>>>

/** The keys that a person has for some products. */
export const keysOfUser = (db: Reader, userId: number, productIds: readonly number[]) =>
  db
    .selectFrom('product_users')
    .select(['product_id', 'public_key', 'secret_key'])
    .where('user_id', '=', userId)
    .where('product_id', 'in', inList(productIds))
    .execute()

/** Whether a person wants mail about a product; undefined when it is no user of it. */
export const consentOf = (db: Reader, userId: number, productId: number) =>
  db
    .selectFrom('product_users')
    .select('is_marketing_allowed')
    .where('user_id', '=', userId)
    .where('product_id', '=', productId)
    .executeTakeFirst()

import type { Reader } from '../db/database.ts'
import { inList } from '../db/in-list.ts'

/** A product as its clients know it. */
export const findClientProduct = (db: Reader, id: number) =>
  db
    .selectFrom('products')
    .select(['id', 'developer_id', 'public_key', 'parent_plugin_id', 'confirms_opt_in'])
    .where('id', '=', id)
    .executeTakeFirst()
export type ClientProduct = NonNullable<Awaited<ReturnType<typeof findClientProduct>>>

/** Pairs of a person that are tried for a proof, the newest ones; it does not say which it was made with. */
const PAIRS_TRIED = 1_000

/** The keys that a person has for some products; that which the seller is shown has no id. */
export const keysOfUser = (db: Reader, userId: number, productIds: readonly number[]) =>
  db
    .selectFrom('product_users')
    .select(({ lit }) => [lit(null).$castTo<number | null>().as('id'), 'public_key', 'secret_key', 'reach'])
    .where('user_id', '=', userId)
    .where('product_id', 'in', inList(productIds))
    .where('reach', '=', 'whole')
    .unionAll(({ selectFrom }) =>
      selectFrom('user_keys')
        .select(({ ref }) => [
          ref('user_keys.id').$castTo<number | null>().as('id'),
          'public_key',
          'secret_key',
          'reach',
        ])
        .where('user_id', '=', userId)
        .where('product_id', 'in', inList(productIds)),
    )
    .orderBy('id', 'desc')
    .limit(PAIRS_TRIED)
    .execute()

/** Whether a person wants mail about a product; undefined when it is no user of it. */
export const consentOf = (db: Reader, userId: number, productId: number) =>
  db
    .selectFrom('product_users')
    .select('is_marketing_allowed')
    .where('user_id', '=', userId)
    .where('product_id', '=', productId)
    .executeTakeFirst()

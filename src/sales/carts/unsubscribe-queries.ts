import type { Reader } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'

/** The cart of a link that was checked. */
export const findLinkedCart = (db: Reader, id: number) =>
  unscoped(db, 'a link that the server has signed')
    .selectFrom('carts')
    .innerJoin('products', 'products.id', 'carts.product_id')
    .select([
      'carts.id',
      'carts.product_id',
      'carts.user_id',
      'carts.email',
      'carts.email_folded',
      'products.developer_id',
      'products.title',
    ])
    .where('carts.id', '=', id)
    .executeTakeFirst()

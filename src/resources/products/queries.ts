import type { Insertable } from 'kysely'
import type { Writer } from '../../db/database.ts'
import type { ProductsTable } from '../../db/tables/products.ts'

export const insertProduct = (db: Writer, row: Insertable<ProductsTable>) =>
  db
    .insertInto('products')
    .values(row)
    .onConflict((conflict) => conflict.columns(['developer_id', 'slug']).doNothing())
    .returning('id')
    .executeTakeFirst()

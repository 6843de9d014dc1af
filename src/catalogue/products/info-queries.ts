import type { Insertable, Updateable } from 'kysely'
import type { Writer } from '../../db/database.ts'
import { preparedFor } from '../../db/prepared.ts'
import { scoped } from '../../db/scoped.ts'
import type { ProductInfoTable } from '../../db/tables/products.ts'

/** With the icon of the product. */
export const findInfo = preparedFor((db, owner) =>
  scoped(db, 'product_info', owner)
    .select()
    .innerJoin('products', 'products.id', 'product_info.product_id')
    .selectAll('product_info')
    .select('products.icon'),
)

/** Writes the row, or only `change` where there is one. */
export const putInfo = (
  db: Writer,
  row: Insertable<ProductInfoTable>,
  change: Updateable<ProductInfoTable>,
) =>
  db
    .insertInto('product_info')
    .values(row)
    .onConflict((conflict) => conflict.column('product_id').doUpdateSet(change))
    .execute()

import type { Insertable } from 'kysely'
import type { Reader, Writer } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'
import type { PicturesTable } from '../../db/tables/products.ts'

/** Adds a picture; where the product has the same bytes already, they count as uploaded now. */
export const insertPicture = (db: Writer, row: Insertable<PicturesTable>) =>
  db
    .insertInto('pictures')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['product_id', 'sha256']).doUpdateSet({ created: row.created }),
    )
    .execute()

export const findPicture = (db: Reader, productId: number, sha256: string) =>
  unscoped(db, 'pictures are public; their address has the hash of their bytes')
    .selectFrom('pictures')
    .select(['media_type', 'bytes'])
    .where('product_id', '=', productId)
    .where('sha256', '=', sha256)
    .executeTakeFirst()

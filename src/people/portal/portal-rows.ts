import type { Reader } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'

/** The product of a portal token that was checked. */
export const findPortalProduct = (db: Reader, id: number) =>
  unscoped(db, 'a token that the server has signed')
    .selectFrom('products')
    .select(['id', 'developer_id', 'title'])
    .where('id', '=', id)
    .executeTakeFirst()

import type { Reader } from '../../db/database.ts'
import { scoped, unscoped, type Owner } from '../../db/scoped.ts'

/** The product of a portal token that was checked. */
export const findPortalProduct = (db: Reader, id: number) =>
  unscoped(db, 'a token that the server has signed')
    .selectFrom('products')
    .select(['id', 'developer_id', 'title'])
    .where('id', '=', id)
    .executeTakeFirst()

/** Whether mail about a purchase of the product has a link into the portal. */
export async function wantsLoginLink(db: Reader, owner: Owner): Promise<boolean> {
  const found = await scoped(db, 'products', owner)
    .select()
    .select('products.enable_after_purchase_email_login_link as wanted')
    .executeTakeFirst()
  return found?.wanted === 1
}

import type { Reader } from '../../db/database.ts'
import { scoped, type Owner } from '../../db/scoped.ts'

/** Whether mail about a purchase of the product has a link into the portal. */
export async function wantsLoginLink(db: Reader, owner: Owner): Promise<boolean> {
  const found = await scoped(db, 'products', owner)
    .select()
    .select('products.enable_after_purchase_email_login_link')
    .executeTakeFirst()
  return found?.enable_after_purchase_email_login_link === true
}

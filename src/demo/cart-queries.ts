import type { Reader } from '../db/database.ts'
import { unscoped } from '../db/scoped.ts'
import { fold } from '../lib/fold.ts'
import type { UtcTime } from '../lib/time.ts'

const DEMO = 'of a product of the demo'

/** Live carts of a product that were left before a time, and mailed about once at most. */
export const findCartsInRecovery = (db: Reader, productId: number, before: UtcTime) =>
  unscoped(db, DEMO)
    .selectFrom('carts')
    .selectAll()
    .where('product_id', '=', productId)
    .where('environment', '=', 0)
    .where('status', 'in', ['abandoned', 'email_1_sent'])
    .where('recover_at', 'is not', null)
    .where('last_visit', '<', before)
    .execute()

/** Whether somebody has begun a live cart of a product since a time. */
export async function hasCartOf(
  db: Reader,
  productId: number,
  { email, since }: { readonly email: string; readonly since: UtcTime },
): Promise<boolean> {
  const found = await unscoped(db, DEMO)
    .selectFrom('carts')
    .select('id')
    .where('product_id', '=', productId)
    .where('environment', '=', 0)
    .where('email_folded', '=', fold(email))
    .where('visited', '>=', since)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

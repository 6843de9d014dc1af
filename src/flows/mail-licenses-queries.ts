import type { Reader } from '../db/database.ts'
import { scoped, type Owner } from '../db/scoped.ts'

interface Of {
  readonly licenseId?: number
  readonly userId?: number
}

/** What a mail says of licenses of the owner's product that have an owner, the newest first. */
export function mailedLicenses(db: Reader, owner: Owner, { licenseId, userId }: Of) {
  let found = scoped(db, 'licenses', owner)
    .select()
    .innerJoin('plans', 'plans.id', 'licenses.plan_id')
    .select([
      'licenses.id',
      'licenses.user_id',
      'licenses.secret_key',
      'licenses.expiration',
      'licenses.is_cancelled',
      'plans.title as plan',
    ])
    .where('licenses.user_id', 'is not', null)
    .orderBy('licenses.id', 'desc')
  if (licenseId !== undefined) found = found.where('licenses.id', '=', licenseId)
  if (userId !== undefined) found = found.where('licenses.user_id', '=', userId)
  return found.execute()
}

/** Who a mail about a product goes to, and what the product is called. */
export const findRecipient = (db: Reader, owner: Owner, userId: number) =>
  scoped(db, 'products', owner)
    .select()
    .innerJoin('users', (join) => join.on('users.id', '=', userId))
    .select(['users.id', 'users.email', 'users.first', 'users.last', 'products.title as product'])
    .executeTakeFirst()

/** When a mail of this kind about the product was last put into the outbox for a person, in milliseconds. */
export async function lastMailed(
  db: Reader,
  { productId }: Owner,
  { userId, kind }: { readonly userId: number; readonly kind: string },
): Promise<number> {
  const found = await db
    .selectFrom('mails')
    .select('created_at')
    .where('user_id', '=', userId)
    .where('product_id', '=', productId)
    .where('kind', '=', kind)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found?.created_at ?? 0
}

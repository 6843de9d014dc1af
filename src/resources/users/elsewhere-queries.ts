import type { Reader } from '../../db/database.ts'
import { familyOf } from '../../db/family.ts'
import { unscoped } from '../../db/scoped.ts'
import type { Scope } from '../../http/scope.ts'
import type { UtcTime } from '../../lib/time.ts'

const OF_PERSON = 'a person has one address in all products of its developer'

/** Which products of the account a caller reaches. */
export type Reached = 'account' | 'store' | 'product' | 'family'

interface Asked {
  readonly userId: number
  readonly reached: Reached
}

/** Whether a person is a user of a product that the caller does not reach. */
export async function isElsewhere(db: Reader, scope: Scope, { userId, reached }: Asked): Promise<boolean> {
  if (reached === 'account') return false
  const open = {
    store: () =>
      unscoped(db, 'the store calls')
        .selectFrom('products')
        .select('id')
        .where('store_id', '=', scope.actor.id),
    product: () =>
      unscoped(db, 'the product calls').selectFrom('products').select('id').where('id', '=', scope.productId),
    family: () => familyOf(db, scope),
  }[reached]()
  const found = await unscoped(db, OF_PERSON)
    .selectFrom('product_users')
    .select('product_id')
    .where('user_id', '=', userId)
    .where('product_id', 'not in', open)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Whether a person has become a user of another product since then. */
export async function joinedSince(
  db: Reader,
  { productId }: Scope,
  { userId, since }: { readonly userId: number; readonly since: UtcTime },
): Promise<boolean> {
  const found = await unscoped(db, OF_PERSON)
    .selectFrom('product_users')
    .select('product_id')
    .where('user_id', '=', userId)
    .where('product_id', '<>', productId)
    .where('created', '>', since)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

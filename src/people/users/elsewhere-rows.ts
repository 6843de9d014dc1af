import type { Reader } from '../../db/database.ts'
import { familyOf } from '../../db/family.ts'
import { inList } from '../../db/in-list.ts'
import { unscoped } from '../../db/scoped.ts'
import type { Scope } from '../../access/scope.ts'

const OF_PERSON = 'a person has one address in all products of its developer'

/** Which products of the account a caller reaches. */
export type Reached = 'account' | 'store' | 'product' | 'family'

interface Asked {
  readonly userId: number
  readonly reached: Reached
}

/** The products that a person is a user of. */
export const productsOfPerson = async (db: Reader, userId: number): Promise<number[]> => {
  const rows = await unscoped(db, OF_PERSON)
    .selectFrom('product_users')
    .select('product_id')
    .where('user_id', '=', userId)
    .orderBy('product_id')
    .execute()
  return rows.map(({ product_id: id }) => id)
}

/** The products that a person is a user of; null when the caller does not reach all of them. */
export async function productsInReach(
  db: Reader,
  scope: Scope,
  { userId, reached }: Asked,
): Promise<number[] | null> {
  const productIds = await productsOfPerson(db, userId)
  if (reached === 'account') return productIds
  const products = unscoped(db, 'the products that the caller reaches')
    .selectFrom('products')
    .select('products.id')
  const open = {
    store: () => products.where('store_id', '=', scope.actor.id),
    product: () => products.where('products.id', '=', scope.productId),
    family: () => familyOf(db, scope),
  }[reached]()
  const found = await open.where('products.id', 'in', inList(productIds)).execute()
  return found.length === productIds.length ? productIds : null
}

/** Whether a person is a user of a product that is none of these. */
export async function isInOther(db: Reader, userId: number, productIds: readonly number[]): Promise<boolean> {
  const known = new Set(productIds)
  return (await productsOfPerson(db, userId)).some((id) => !known.has(id))
}

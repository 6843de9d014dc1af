import type { Reader } from '../../db/database.ts'
import { inList } from '../../db/in-list.ts'
import { unscoped } from '../../db/scoped.ts'

const LISTED = 'about licenses or a bundle that the caller has found'

/** The licenses of bundles, with their plans, by the ids of what they opened. */
export const bundlesOf = (db: Reader, parentIds: readonly number[]) =>
  unscoped(db, LISTED)
    .selectFrom('licenses')
    .innerJoin('plans', 'plans.id', 'licenses.plan_id')
    .select(['licenses.id', 'licenses.product_id', 'licenses.plan_id', 'plans.title', 'plans.name'])
    .where('licenses.id', 'in', inList(parentIds))
    .execute()

/** What kind of product each license is of. */
export const kindsOfProducts = (db: Reader, productIds: readonly number[]) =>
  unscoped(db, LISTED)
    .selectFrom('products')
    .select(['id', 'kind', 'type'])
    .where('id', 'in', inList(productIds))
    .execute()

/** Who owns licenses. */
export const ownersById = (db: Reader, userIds: readonly number[]) =>
  unscoped(db, LISTED)
    .selectFrom('users')
    .select(['id', 'email', 'first', 'last'])
    .where('id', 'in', inList(userIds))
    .execute()

import type { Reader } from '../../db/database.ts'
import { inList } from '../../db/in-list.ts'
import { scopedIn, type Owner } from '../../db/scoped.ts'

export interface Page {
  readonly userId: number
  readonly count: number
  readonly offset: number
}

interface OnInstalls {
  readonly userId: number
  /** Empty: on any. */
  readonly installIds: readonly number[]
  /** Those that `productsOf` has found; absent: the owner's one. */
  readonly productIds?: readonly number[]
  /** Absent: all of them. */
  readonly page?: Omit<Page, 'userId'>
}

/** Who owns licenses that are active on installs of the user, by id. */
export function ownersOfLicenses(
  db: Reader,
  owner: Owner,
  { userId, installIds, productIds = [owner.productId], page }: OnInstalls,
) {
  let found = scopedIn(db, 'installs', owner, productIds)
    .select()
    .innerJoin('licenses', 'licenses.id', 'installs.license_id')
    .innerJoin('users', 'users.id', 'licenses.user_id')
    .select(['users.id', 'users.email'])
    .distinct()
    .where('installs.user_id', '=', userId)
    .orderBy('users.id')
  if (installIds.length > 0) found = found.where('installs.id', 'in', inList(installIds))
  if (page) found = found.limit(page.count).offset(page.offset)
  return found.execute()
}

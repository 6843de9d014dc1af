import type { Reader } from '../../db/database.ts'
import { inList } from '../../db/in-list.ts'
import { preparedFor } from '../../db/prepared.ts'
import { scoped, unscoped, type Owner } from '../../db/scoped.ts'
import { PRODUCT_COLUMNS } from './product.entity.ts'

/** The product of the scope; there is none in the scope of an account. */
export const findProduct = preparedFor((db, owner) =>
  scoped(db, 'products', owner).select().select(PRODUCT_COLUMNS),
)

/** Whether who buys the product is shown license keys. */
export async function exposesKeys(db: Reader, owner: Owner): Promise<boolean> {
  const [found] = await findExposure(db, owner, {})
  return found?.expose_license_key !== false
}

const findExposure = preparedFor((db, owner) =>
  scoped(db, 'products', owner).select().select('products.expose_license_key'),
)

export const findStatus = preparedFor((db, owner) =>
  scoped(db, 'products', owner)
    .select()
    .select(['products.is_active', 'products.installs_count', 'products.updated_sites_limit']),
)

export const OF_ACCOUNT = 'the products of an account, of which the scope names none'

/** Where some products of the developer stand, and what they are. */
export const findKinds = (db: Reader, { developerId }: Owner, ids: readonly number[]) =>
  unscoped(db, OF_ACCOUNT)
    .selectFrom('products')
    .select(['id', 'store_id', 'kind'])
    .where('developer_id', '=', developerId)
    .where('id', 'in', inList(ids))
    .execute()

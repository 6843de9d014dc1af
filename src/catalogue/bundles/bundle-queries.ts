import type { Reader } from '../../db/database.ts'
import { unscoped, type Owner } from '../../db/scoped.ts'
import { PRODUCT_COLUMNS } from '../products/product.entity.ts'
import { OF_BUNDLE } from './bundle-rows.ts'

/** The products in a bundle, the earliest first. */
export const listMembers = (db: Reader, { developerId, productId }: Owner) =>
  unscoped(db, OF_BUNDLE)
    .selectFrom('bundle_members')
    .innerJoin('products', 'products.id', 'bundle_members.product_id')
    .select(PRODUCT_COLUMNS)
    .where('bundle_members.bundle_id', '=', productId)
    .where('products.developer_id', '=', developerId)
    .orderBy('bundle_members.product_id')
    .execute()

import type { Insertable } from 'kysely'
import { countRows } from '../../db/count-rows.ts'
import type { Reader, Writer } from '../../db/database.ts'
import { keeping } from '../../db/hold.ts'
import { inList } from '../../db/in-list.ts'
import { shortList, type TitleSort } from '../../db/newest-by.ts'
import { scoped, scopedWrite, unscoped, type Owner } from '../../db/scoped.ts'
import type { ProductsTable } from '../../db/tables/products.ts'
import type { TimeSpan } from '../../lib/time-text.ts'
import { PRODUCT_COLUMNS } from './product.entity.ts'
import type { ProductChange } from './schema.ts'
import { OF_ACCOUNT } from './product-rows.ts'

/** The id of a new product; undefined when the developer has one with this slug. */
export const insertProduct = (db: Writer, row: Insertable<ProductsTable>) =>
  db
    .insertInto('products')
    .values(row)
    .onConflict((conflict) => conflict.columns(['developer_id', 'slug']).doNothing())
    .returning('id')
    .executeTakeFirst()

/** Changes the product and raises the version of its catalogue; fails on a slug that another product has. */
export const updateProductRow = (db: Writer, owner: Owner, change: ProductChange) =>
  scopedWrite(db, 'products', owner)
    .update()
    .set((eb) => ({ ...change, catalogue_version: eb('products.catalogue_version', '+', 1) }))
    .returning(PRODUCT_COLUMNS)
    .executeTakeFirstOrThrow()

export const findPlanIds = (db: Reader, owner: Owner) =>
  scoped(db, 'plans', owner).select().select('plans.id').execute()

export const findFeatureIds = (db: Reader, owner: Owner) =>
  scoped(db, 'features', owner).select().select('features.id').execute()

interface Page {
  readonly count: number
  readonly offset: number
}

interface ProductSearch {
  readonly storeId: number | null
  /** Those that a token is narrowed to; absent: all. */
  readonly ids: readonly number[] | undefined
  readonly made: TimeSpan | undefined
}

interface ProductPage extends Page, ProductSearch {
  readonly sort: TitleSort
}

const SHORT = shortList('products')

/** A page of a developer's products; of a store's, which the caller has found, where it is given. */
export const listProducts = (db: Reader, owner: Owner, page: ProductPage) =>
  SHORT.sorted(someProducts(db, owner, page).select(PRODUCT_COLUMNS), page)
    .limit(page.count)
    .offset(page.offset)
    .execute()

/** How many of them there are, counted no further than `count`. */
export const countProducts = (db: Reader, owner: Owner, search: ProductSearch & Pick<Page, 'count'>) =>
  countRows(db, someProducts(db, owner, search).select('products.id'), search.count)

function someProducts(db: Reader, { developerId }: Owner, { storeId, ids, made }: ProductSearch) {
  const all = unscoped(db, OF_ACCOUNT).selectFrom('products')
  const some =
    storeId === null
      ? all.where('products.developer_id', '=', developerId)
      : all.where('products.store_id', '=', storeId)
  return SHORT.between(ids ? some.where('products.id', 'in', inList(ids)) : some, { made })
}

/** The store of the developer with this id, or the developer's first, kept from who deletes it. */
export function keepStoreOf(db: Writer, owner: Owner, id: number | undefined) {
  const stores = scoped(db, 'stores', owner).select().select('stores.id')
  const found = id === undefined ? stores : stores.where('stores.id', '=', id)
  return keeping(db, found.orderBy('stores.id').limit(1)).executeTakeFirst()
}

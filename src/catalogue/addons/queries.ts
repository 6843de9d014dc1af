import type { Reader } from '../../db/database.ts'
import { inList } from '../../db/in-list.ts'
import { prepared } from '../../db/prepared.ts'
import { unscoped } from '../../db/scoped.ts'
import { ADDON_COLUMNS } from './schema.ts'

interface Parent {
  readonly developerId: number
  readonly productId: number
}

/** The add-ons of the scope's product. */
const addons = (db: Reader, { developerId, productId }: Parent) =>
  unscoped(db, 'an add-on is another product, found by its parent, which is the one of the scope')
    .selectFrom('products')
    .where('products.parent_plugin_id', '=', productId)
    .where('products.developer_id', '=', developerId)

export const findAddon = prepared((db, values: Parent & { id: number }) =>
  addons(db, values).select(['products.id', 'products.developer_id']).where('products.id', '=', values.id),
)

interface Page extends Parent {
  readonly count: number
  readonly offset: number
}

const page = (db: Reader, values: Page) =>
  addons(db, values).select(ADDON_COLUMNS).orderBy('products.id').limit(values.count).offset(values.offset)

/** A page of add-ons, the oldest first. */
export const listAddons = {
  all: prepared((db, values: Page) => page(db, values)),
  released: prepared((db, values: Page) =>
    page(db, values).where('products.is_released', '=', true).where('products.is_active', '=', true),
  ),
}

/** What an add-on market shows of add-ons that were found. */
export const listAddonInfo = (db: Reader, ids: readonly number[]) =>
  unscoped(db, 'the ids are those of add-ons of the product of the scope')
    .selectFrom('product_info')
    .selectAll()
    .where('product_id', 'in', inList(ids))
    .execute()

import type { Reader } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'

const EXAMPLES = 'of a product of the demo'

/** Whether anybody sells on this server yet. */
export async function hasDeveloper(db: Reader): Promise<boolean> {
  const found = await unscoped(db, 'asks whether the server has any seller')
    .selectFrom('developers')
    .select('id')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** The first accounts that have a product, two at most. */
export const firstSellers = (db: Reader) =>
  unscoped(db, 'asks which sellers the server has')
    .selectFrom('products')
    .select('developer_id')
    .distinct()
    .orderBy('developer_id')
    .limit(2)
    .execute()

/** The products of the developer with this folded address, with their store, the earliest first. */
export const findProductsOf = (db: Reader, emailFolded: string) =>
  unscoped(db, 'the demo is the seller of this address')
    .selectFrom('developers')
    .innerJoin('products', 'products.developer_id', 'developers.id')
    .select(['products.developer_id', 'products.store_id', 'products.id as product_id'])
    .where('developers.email_folded', '=', emailFolded)
    .orderBy('products.id')
    .execute()

/** The first event about a user of a product; what jobs record later does not change it. */
export const findExamples = (db: Reader, productId: number) =>
  unscoped(db, EXAMPLES)
    .selectFrom('product_users')
    .innerJoin('events', (join) =>
      join
        .onRef('events.product_id', '=', 'product_users.product_id')
        .onRef('events.user_id', '=', 'product_users.user_id'),
    )
    .select(['product_users.user_id', 'events.id as event_id'])
    .where('product_users.product_id', '=', productId)
    .orderBy('events.id')
    .limit(1)
    .executeTakeFirst()

/** A price of a plan that has features, and one of them, the first ones. */
export const findPlanExamples = (db: Reader, productId: number) =>
  unscoped(db, EXAMPLES)
    .selectFrom('pricing')
    .innerJoin('feature_values', 'feature_values.plan_id', 'pricing.plan_id')
    .select(['pricing.plan_id', 'pricing.id as pricing_id', 'feature_values.feature_id'])
    .where('pricing.product_id', '=', productId)
    .orderBy('pricing.id')
    .orderBy('feature_values.id')
    .limit(1)
    .executeTakeFirst()

/** The first add-on of a product. */
export const findAddonExample = (db: Reader, productId: number) =>
  unscoped(db, EXAMPLES)
    .selectFrom('products')
    .select('id')
    .where('parent_plugin_id', '=', productId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

/** The first setting of a product that says something of itself. */
export const findSettingExample = (db: Reader, productId: number) =>
  unscoped(db, EXAMPLES)
    .selectFrom('product_info')
    .innerJoin('settings', 'settings.product_id', 'product_info.product_id')
    .select('settings.id')
    .where('product_info.product_id', '=', productId)
    .orderBy('settings.id')
    .limit(1)
    .executeTakeFirst()

/** The prices of a product in US dollars, the first ones first. */
export const findOffers = (db: Reader, productId: number) =>
  unscoped(db, EXAMPLES)
    .selectFrom('pricing')
    .select(['plan_id', 'id as pricing_id', 'licenses'])
    .where('product_id', '=', productId)
    .where('currency', '=', 'usd')
    .orderBy('id')
    .execute()

/** The first bundle that a product is in. */
export const findBundleOf = (db: Reader, productId: number) =>
  unscoped(db, EXAMPLES)
    .selectFrom('bundle_members')
    .select('bundle_id as id')
    .where('product_id', '=', productId)
    .orderBy('bundle_id')
    .limit(1)
    .executeTakeFirst()

/** The earliest licenses of a product, each with the first install that it is on. */
export const findDemoLicenses = (db: Reader, productId: number) =>
  unscoped(db, EXAMPLES)
    .selectFrom('licenses')
    .select(['id', 'user_id', 'expiration', 'is_cancelled', 'activated', 'quota', 'secret_key'])
    .select((eb) =>
      eb
        .selectFrom('installs')
        .select((inner) => inner.fn.min<number>('installs.id').as('id'))
        .whereRef('installs.license_id', '=', 'licenses.id')
        .as('install_id'),
    )
    .where('product_id', '=', productId)
    .orderBy('id')
    .limit(50)
    .execute()

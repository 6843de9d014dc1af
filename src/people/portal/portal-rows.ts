import type { Reader } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'
import { LOOK_COLUMNS } from './portal-looks.ts'

/** Where somebody enters the portal: a product, or a store with all of its products. */
export type PortalPlace = { readonly productId: number } | { readonly storeId: number }

const SIGNED = 'a token that the server has signed'
const ASKED = 'whoever asks for a link is told nothing of anybody'

/** The product of a portal token that was checked. */
export const findPortalProduct = (db: Reader, id: number) =>
  unscoped(db, SIGNED)
    .selectFrom('products')
    .select(['id', 'developer_id', 'title', 'portal_embed_hosts'])
    .where('id', '=', id)
    .executeTakeFirst()

/** A title and the picture of a product, or the title of a store; undefined: there is none. */
export async function findPortalPlace(db: Reader, place: PortalPlace) {
  if ('storeId' in place)
    return unscoped(db, ASKED)
      .selectFrom('stores')
      .select((eb) => ['title', eb.val<string | null>(null).as('icon')])
      .where('id', '=', place.storeId)
      .executeTakeFirst()
  return unscoped(db, ASKED)
    .selectFrom('products')
    .select(['title', 'icon'])
    .where('id', '=', place.productId)
    .executeTakeFirst()
}

/** More than a store has that is looked at for how its portal looks. */
const MOST = 200

/** How the portal of a product looks, or that of each product of a store, and who may show it in a frame. */
export function listLooks(db: Reader, place: PortalPlace) {
  const looks = unscoped(db, ASKED)
    .selectFrom('products')
    .select([...LOOK_COLUMNS, 'products.portal_embed_hosts'])
    .orderBy('products.id')
    .limit(MOST)
  const of =
    'storeId' in place
      ? looks.where('products.store_id', '=', place.storeId)
      : looks.where('products.id', '=', place.productId)
  return of.execute()
}

/** The store of a server that has one alone; null: it has more, or none. */
export async function findOnlyStore(db: Reader): Promise<PortalPlace | null> {
  const stores = await unscoped(db, ASKED).selectFrom('stores').select('id').limit(2).execute()
  const [only, more] = stores
  return only && !more ? { storeId: only.id } : null
}

/** The user of an address in a product, or in the last of the store's products that they came to; undefined: none. */
export async function findPortalUser(db: Reader, place: PortalPlace, emailFolded: string) {
  const people = unscoped(db, ASKED)
    .selectFrom('product_users')
    .innerJoin('products', 'products.id', 'product_users.product_id')
    .innerJoin('users', 'users.id', 'product_users.user_id')
    .select(['products.id as product_id', 'products.developer_id'])
    .select(['users.id', 'users.email', 'users.first', 'users.last'])
    .where('product_users.email_folded', '=', emailFolded)
  const found =
    'storeId' in place
      ? people.where('products.store_id', '=', place.storeId).orderBy('product_users.created', 'desc')
      : people.where('products.id', '=', place.productId)
  return found.limit(1).executeTakeFirst()
}

/** When somebody was last mailed a link into the portal, in whichever product, milliseconds; 0: never. */
export async function lastPortalMail(db: Reader, userId: number): Promise<number> {
  const found = await unscoped(db, 'the outbox is of no scope; these are mails to one person')
    .selectFrom('mails')
    .select('created_at')
    .where('user_id', '=', userId)
    .where('kind', '=', 'portal_link')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found?.created_at ?? 0
}

import type { Holder } from './reach-holder.ts'
import { number } from './reach-places.ts'
import type { Mirror, Row } from './reach-rows.ts'

/** The store of a holder that is one, or of its product. */
export const storeOf = (mirror: Mirror, { storeId, productId = 0 }: Holder): number | undefined =>
  storeId ?? storeOfProduct(mirror, productId)

const storeOfProduct = (mirror: Mirror, productId: number) =>
  number(mirror.row('products', productId), 'store_id')

/** Whether a store is a holder's own, or one that the account has named for the addresses of one of its products. */
export function isStoreOf(mirror: Mirror, holder: Holder, id: number): boolean {
  const own = storeOf(mirror, holder)
  if (own === id) return true
  const isIts = (row: Row) => {
    const productId = Number(row['product_id'])
    return holder.side === 'store'
      ? storeOfProduct(mirror, productId) === own
      : productId === holder.productId
  }
  const isSeller = holder.side === 'store' || holder.side === 'product'
  return (
    isSeller && mirror.rows('email_addresses').some((row) => number(row, 'store_id') === id && isIts(row))
  )
}

import type { TxContext } from '../src/context.ts'
import { touchCart, type CartTouch } from '../src/sales/carts/touch-cart.ts'
import { systemScope, type Scope } from '../src/access/scope.ts'
import { toUtcTime } from '../src/lib/time.ts'
import type { CartRow } from '../src/sales/carts/schema.ts'
import { noteFired } from '../src/catalogue/sandbox/fired.ts'
import type { TestApp } from './app.ts'
import type { Owned } from './catalogue.ts'

/** The first product of the test's seller, as a job sees it. */
export const productScope = ({ seller }: TestApp): Scope =>
  systemScope({ developerId: seller.developer.id, productId: seller.product.id })

/** A visit to the checkout of the first product, as the checkout tells of it. */
export const visit = (app: TestApp, touch: Partial<CartTouch> = {}): Promise<CartRow> =>
  app.write((tx) => touchCart(tx, productScope(app), { environment: 0, visitor: null, ...touch }))

/** The types of the events of a cart in their order. */
export async function eventsOfCart(app: TestApp, id: number): Promise<string[]> {
  const { json } = await app.call(
    'GET',
    `/products/${app.seller.product.id}/carts/${id}/events.json?count=50`,
  )
  return json.events.map(({ type }: { type: string }) => type).toReversed()
}

/** A cart of a product, and a line in the timeline of its sandbox; the id of the cart. */
export async function createCart(tx: TxContext, owner: Owned): Promise<string> {
  const touch = { environment: 0, visitor: null, email: `cart-of-${owner.productId}@example.com` } as const
  const cart_id = String((await touchCart(tx, systemScope(owner), touch)).id)
  const place = { product_id: owner.productId, environment: 1 } as const
  const at = toUtcTime(tx.clock.of(owner.productId, 1))
  await noteFired(tx, place, { what: 'abandoned', type: 'cart.abandoned', at, data: { cart_id } })
  return cart_id
}

import type { Context, TxContext } from '../src/context.ts'
import type { Writer } from '../src/db/database.ts'
import { openCheckout } from '../src/sales/checkouts/open-checkout.ts'
import type { Scope } from '../src/access/scope.ts'
import { sandboxToken } from '../src/sales/checkouts/signatures.ts'
import { findSoldProduct } from '../src/sales/checkouts/queries.ts'
import type { TestApp } from './app.ts'

interface Opened {
  readonly pricingId: number
  readonly email: string
  readonly trial?: 'true'
  readonly coupon?: string
}

/** Lets checkouts of the first product lead back to `shop.example`. */
export async function allowRedirects(db: Writer, { seller }: TestApp): Promise<void> {
  await db
    .updateTable('products')
    .set({ redirect_hosts: JSON.stringify(['shop.example']) })
    .where('id', '=', seller.product.id)
    .execute()
}

/** What names a product to a checkout, and shows that it is one of its sandbox. */
export async function sandboxProof({ db, keys }: Pick<Context, 'db' | 'keys'>, productId: number) {
  const product = await findSoldProduct(db, productId)
  const context = 'ready'
  const sandbox = sandboxToken({
    context,
    productId,
    secretKey: keys.open(product?.secret_key ?? '', 'products.secret_key'),
    publicKey: product?.public_key ?? '',
  })
  return { product_id: productId, s_ctx_ts: context, sandbox }
}

/** Opens a checkout of a price in the sandbox, ready to be paid; the token that names it. */
export async function openSandboxCheckout(
  tx: TxContext,
  scope: Scope,
  { pricingId, email, trial, coupon }: Opened,
): Promise<string> {
  const { token } = await openCheckout(
    tx,
    scope,
    {
      ...(await sandboxProof(tx, scope.productId)),
      pricing_id: pricingId,
      user_email: email,
      user_firstname: 'Ada',
      country_code: 'US',
      ...(trial && { trial }),
      ...(coupon !== undefined && { coupon }),
    },
    {},
  )
  return token
}

/** What shows a checkout that its buyer is the user of an address, in the first product of the test's seller. */
export async function proofOf(app: TestApp, email: string): Promise<{ user_token: string }> {
  const base = `/products/${app.seller.product.id}`
  const { json } = await app.call('GET', `${base}/users.json?email=${encodeURIComponent(email)}`)
  const made = await app.call('POST', `${base}/users/${json.users[0].id}/tokens/checkout.json`)
  return { user_token: made.json.token }
}

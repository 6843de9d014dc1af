import type { TxContext } from '../src/context.ts'
import { openCheckout } from '../src/flows/open-checkout.ts'
import type { Scope } from '../src/http/scope.ts'
import { sandboxToken } from '../src/lib/checkout-signatures.ts'
import { findSoldProduct } from '../src/resources/checkouts/queries.ts'

interface Opened {
  readonly pricingId: number
  readonly email: string
  readonly trial?: 'true'
  readonly coupon?: string
}

/** Opens a checkout of a price in the sandbox, ready to be paid; the token that names it. */
export async function openSandboxCheckout(
  tx: TxContext,
  scope: Scope,
  { pricingId, email, trial, coupon }: Opened,
): Promise<string> {
  const product = await findSoldProduct(tx.db, scope.productId)
  const { token } = await openCheckout(
    tx,
    scope,
    {
      product_id: scope.productId,
      pricing_id: pricingId,
      user_email: email,
      user_firstname: 'Ada',
      country_code: 'US',
      ...(trial && { trial }),
      ...(coupon !== undefined && { coupon }),
      s_ctx_ts: 'ready',
      sandbox: sandboxToken({
        context: 'ready',
        productId: scope.productId,
        secretKey: tx.keys.open(product?.secret_key ?? '', 'products.secret_key'),
        publicKey: product?.public_key ?? '',
      }),
    },
    {},
  )
  return token
}

import type { TxContext } from '../../context.ts'
import { audit } from '../../access/audit.ts'
import type { Scope } from '../../access/scope.ts'
import { unsubscribeCarts } from './queries.ts'
import { recordCart } from './service.ts'
import { linkedCart } from './unsubscribe.ts'

/**
 * Ends the mails about carts of a product to the address of a link, for good; again it changes nothing, and leaves
 * nothing behind. 404 when the link is none.
 */
export async function unsubscribeCart(
  ctx: TxContext,
  token: string,
  from: { readonly ip: string; readonly requestId: string },
): Promise<void> {
  const cart = await linkedCart(ctx, token)
  const scope: Scope = {
    kind: 'user',
    developerId: cart.developer_id,
    productId: cart.product_id,
    userId: null,
    installId: null,
    actor: { kind: 'anonymous', id: 0, credential: 'link' },
    ...from,
  }
  const updated = ctx.clock.now()
  const emailFolded = cart.email_folded
  const ended = await unsubscribeCarts(ctx.db, scope, { emailFolded, updated })
  if (ended.length === 0) return
  for (const one of ended) {
    await recordCart(ctx, scope, one, { type: 'cart.recovery.unsubscribed' })
  }
  await audit(ctx, {
    action: 'keywright/unsubscribe-cart',
    actor: scope.actor,
    productId: scope.productId,
    ...from,
    details: { cart: cart.id },
  })
}

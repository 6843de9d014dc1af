import type { ReadContext } from '../../context.ts'
import { notFound } from '../../lib/errors.ts'
import { isMailedToAddress } from '../../people/proof/mailed-to.ts'
import { readToken } from '../../lib/signed-token.ts'
import { findLinkedCart } from './unsubscribe-queries.ts'

/** Path of the page by which a buyer ends the mails about carts; the token follows. */
export const UNSUBSCRIBE_PATH = '/unsubscribe/'

/**
 * The cart of a link, with the title of its product; 404 when the text is no such link, or the cart is gone or another
 * address's.
 */
export async function linkedCart(ctx: ReadContext, token: string) {
  const claims = readToken(ctx.keys, token, { purpose: 'cart.unsubscribe', now: ctx.clock.real() })
  const id = Number(claims?.['cart_id'] ?? 0)
  const found = id === 0 ? undefined : await findLinkedCart(ctx.db, id)
  if (!found || !claims || !isMailedToAddress(claims, found.email)) throw notFound('link')
  return found
}

import type { TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { presentCart, type Cart, type CartUpdate } from './schema.ts'
import { changeCart, holdOpenCart, type CartChange } from './service.ts'
import { offerOf } from './cart-offer.ts'

/**
 * Writes what was given and differs; what is left out stays (`docs/interface.md` 10.1). 400 `cart_completed`,
 * `coupon_not_found`, `cart_email_taken` where this cart and another open one of the address were mailed about; 400 for
 * a plan or a price that the product does not have.
 */
export async function updateCart(ctx: TxContext, scope: Scope, id: number, body: CartUpdate): Promise<Cart> {
  const before = await holdOpenCart(ctx, scope, id)
  const values = { ...plainValues(body), ...(await offerOf(ctx, scope, before, body)) }
  const changed = await changeCart(ctx, scope, before, values)
  return presentCart(changed ?? before)
}

function plainValues({ country_code: country, vat_id: vatId, ...body }: CartUpdate): CartChange {
  const { email, first, last, ip, payment_method: method } = body
  return {
    ...(email !== undefined && { email: email.trim() }),
    ...(first !== undefined && { first: first.trim() }),
    ...(last !== undefined && { last: last.trim() }),
    ...(ip !== undefined && { ip }),
    ...(method !== undefined && { payment_method: method }),
    ...(country !== undefined && { country_code: country?.toUpperCase() || null }),
    ...(vatId !== undefined && { vat_id: vatId?.trim() || null }),
  }
}

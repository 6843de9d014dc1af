import { Type } from '../../lib/type.ts'
import { createCheckoutToken } from '../../people/users/personal-tokens.ts'
import { writeOperation, type AnyOperation } from '../../http/operation.ts'
import { Arguments, Id } from '../../http/wire.ts'

/** Who comes to a checkout (`docs/interface.md` 2.10). */
export const checkoutTokenOperations: readonly AnyOperation[] = [
  writeOperation({
    id: 'users/create-checkout-token',
    summary: 'Issue a token of one minute that says at a checkout who the buyer is',
    method: 'POST',
    path: '/users/{user_id}/tokens/checkout.json',
    scopes: ['product', 'developer', 'store'],
    access: 'tokens.write',
    params: Arguments({ user_id: Id('ID of the user.') }),
    status: 200,
    response: Type.Object({ token: Type.String() }, { title: 'CheckoutToken' }),
    emits: [],
    handle: (ctx, { scope, params }) => createCheckoutToken(ctx, scope, params.user_id),
  }),
]

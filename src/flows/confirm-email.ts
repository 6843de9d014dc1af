import type { TxContext } from '../context.ts'
import { audit } from '../http/audit.ts'
import type { Scope } from '../http/scope.ts'
import { notFound } from '../lib/errors.ts'
import { toUtcTime } from '../lib/time.ts'
import { getConfirmation } from '../resources/users/confirm-email.ts'
import { useConfirmation } from '../resources/users/confirmation-queries.ts'
import { proveAddress } from './prove-address.ts'

/** Proves the address that a link was mailed to (`proveAddress`). 404 when the link was used or is too old. */
export async function confirmEmail(
  ctx: TxContext,
  token: string,
  from: { readonly ip: string; readonly requestId: string },
): Promise<void> {
  const found = await getConfirmation(ctx, token)
  if (!(await useConfirmation(ctx.db, found.id, toUtcTime(ctx.clock.real())))) throw notFound('link')
  const scope: Scope = {
    kind: 'user',
    developerId: found.developer_id,
    productId: found.product_id,
    userId: found.user_id,
    installId: null,
    actor: { kind: 'user', id: found.user_id, credential: 'link' },
    ...from,
  }
  const { user_id: userId, email, install_id: installId } = found
  await proveAddress(ctx, scope, { userId, email, installId })
  await audit(ctx, {
    action: 'keywright/confirm-email',
    actor: scope.actor,
    productId: scope.productId,
    ...from,
    details: { confirmation: found.id },
  })
}

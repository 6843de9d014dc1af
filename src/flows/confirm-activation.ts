import type { TxContext } from '../context.ts'
import { audit } from '../http/audit.ts'
import type { Scope } from '../http/scope.ts'
import { notFound } from '../lib/errors.ts'
import { toUtcTime } from '../lib/time.ts'
import { connectInstalls, grantOf, withQuery } from './connect-installs.ts'
import { customerOf } from './customer.ts'
import { usePending } from './pending-activation-queries.ts'
import { readPending } from './pending-activations.ts'
import { proveAddress } from './prove-address.ts'

/**
 * Does what a mailed link is for, once: its person wants it, and has proven its address by following the link.
 * Where the browser goes then, with the keys of what was connected; null: nowhere. 404 when the link was used or
 * is too old, and what `connectInstalls` refuses, which leaves the link good.
 */
export async function confirmActivation(
  ctx: TxContext,
  token: string,
  from: { readonly ip: string; readonly requestId: string },
): Promise<string | null> {
  const pending = await readPending(ctx, token)
  if (!(await usePending(ctx.db, pending.id, toUtcTime(ctx.clock.real())))) throw notFound('link')
  const { userId, work } = pending
  const scope: Scope = {
    kind: 'user',
    developerId: pending.developerId,
    productId: pending.productId,
    userId,
    installId: null,
    actor: { kind: 'user', id: userId, credential: 'link' },
    ...from,
  }
  await proveAddress(ctx, scope, { userId, email: pending.email, installId: null })
  const user = await customerOf(ctx, scope, userId, work.isMarketingAllowed)
  const connected = await connectInstalls(ctx, scope, user, { work, reach: 'whole' })
  await audit(ctx, {
    action: 'keywright/confirm-activation',
    actor: scope.actor,
    productId: scope.productId,
    ...from,
    details: { pending: pending.id, installs: connected.installs.map(({ id }) => String(id)) },
  })
  return work.returnUrl === null ? null : withQuery(work.returnUrl, grantOf(ctx, connected, work))
}

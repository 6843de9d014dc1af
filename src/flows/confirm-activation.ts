import type { TxContext } from '../context.ts'
import { audit } from '../http/audit.ts'
import type { Scope } from '../http/scope.ts'
import { notFound } from '../lib/errors.ts'
import { toUtcTime } from '../lib/time.ts'
import { recordEvent } from '../resources/events/record.ts'
import { verifyPerson } from '../resources/users/confirmation-queries.ts'
import { connectInstalls, grantOf, withQuery } from './connect-installs.ts'
import { customerOf } from './customer.ts'
import { usePending } from './pending-activation-queries.ts'
import { readPending } from './pending-activations.ts'

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
  const now = toUtcTime(ctx.clock.real())
  if (!(await usePending(ctx.db, pending.id, now))) throw notFound('link')
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
  if (await verifyPerson(ctx.db, scope, { user_id: userId, email: pending.email }, now)) {
    const data = { user_id: String(userId), email: pending.email }
    await recordEvent(ctx, scope, { type: 'user.email.verified', userId, data })
  }
  const user = await customerOf(ctx, scope, userId, work.isMarketingAllowed)
  const connected = await connectInstalls(ctx, scope, user, work)
  await audit(ctx, {
    action: 'keywright/confirm-activation',
    actor: scope.actor,
    productId: scope.productId,
    ...from,
    details: { pending: pending.id, installs: connected.installs.map(({ id }) => String(id)) },
  })
  return work.returnUrl === null ? null : withQuery(work.returnUrl, grantOf(ctx, connected, work))
}

import type { TxContext } from '../../context.ts'
import { audit } from '../../access/audit.ts'
import type { Scope } from '../../access/scope.ts'
import { notFound } from '../../lib/errors.ts'
import { addKnownUser, addNewUser } from '../../people/users/create.ts'
import { connectInstalls, grantOf, withQuery } from '../opt-in/connect-installs.ts'
import { NEW_USER } from '../licenses/child-license.ts'
import { customerOf } from '../licenses/customer.ts'
import { usePending } from './pending-activation-queries.ts'
import { readPending, type Pending, type PendingWork } from './pending-activations.ts'
import { proveAddress } from '../../people/proof/prove-address.ts'

interface From {
  readonly ip: string
  readonly requestId: string
}

/**
 * Does what a mailed link is for, once: its person wants it, and has proven its address by following the link.
 * Where the browser goes then, with the keys of what was connected; null: nowhere. 404 when the link was used or
 * is too old, and what `connectInstalls` refuses, which leaves the link good.
 */
export async function confirmActivation(ctx: TxContext, token: string, from: From): Promise<string | null> {
  const pending = await readPending(ctx, token)
  if (!(await usePending(ctx.db, pending.id, ctx.clock.now()))) throw notFound('link')
  const { work } = pending
  const userId = pending.userId ?? (await newPerson(ctx, scopeOf(pending, null, from), work))
  const scope = scopeOf(pending, userId, from)
  await proveAddress(ctx, scope, { userId, email: pending.email })
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

const scopeOf = ({ developerId, productId }: Pending, userId: number | null, from: From): Scope => ({
  kind: 'user',
  developerId,
  productId,
  userId,
  installId: null,
  actor:
    userId === null
      ? { kind: 'anonymous', id: 0, credential: 'link' }
      : { kind: 'user', id: userId, credential: 'link' },
  ...from,
})

/** Somebody has the address meanwhile, or nobody has: its mail was read by who follows the link. */
async function newPerson(ctx: TxContext, scope: Scope, { person, isMarketingAllowed }: PendingWork) {
  if (!person) throw new Error('A link that is nobody’s says whose it is.')
  const input = { ...NEW_USER, ...person, ip: scope.ip, is_marketing_allowed: isMarketingAllowed }
  const user = (await addNewUser(ctx, scope, input)) ?? (await addKnownUser(ctx, scope, input))
  return user.id
}

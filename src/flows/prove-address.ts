import type { TxContext } from '../context.ts'
import type { Scope } from '../http/scope.ts'
import { toUtcTime } from '../lib/time.ts'
import { recordEvent } from '../resources/events/record.ts'
import { verifyPerson } from '../resources/users/confirmation-queries.ts'
import { findPersonOfInstall } from './prove-address-queries.ts'
import { proveInstall } from '../resources/users/keys.ts'

interface Proof {
  readonly userId: number
  /** The address that the link was mailed to. */
  readonly email: string
  /** The install that had the link mailed, which the mail and the page behind it name; null: none had. */
  readonly installId: number | null
}

/**
 * Notes that a person has followed a link that was mailed to its address, and records `user.email.verified` the first
 * time. Where an install had it mailed, following it also says that this site is one's own, as the mail and the page
 * name it: its keys, and those of the user that it has, are whole from then on (DECISIONS 3.12). What other sites
 * have stays as it is: it reaches nothing of what the person got elsewhere.
 */
export async function proveAddress(
  ctx: TxContext,
  scope: Scope,
  { userId, email, installId }: Proof,
): Promise<void> {
  const now = toUtcTime(ctx.clock.real())
  if (await verifyPerson(ctx.db, scope, { user_id: userId, email }, now)) {
    const data = { user_id: String(userId), email }
    await recordEvent(ctx, scope, { type: 'user.email.verified', userId, data })
  }
  if (installId === null) return
  // Neither the install nor the address need be the person's any more.
  const owner = await findPersonOfInstall(ctx.db, installId)
  if (owner?.id === userId && owner.email === email) await proveInstall(ctx, installId)
}

import type { TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { recordEvent } from '../../events/log/record.ts'
import { verifyPerson } from './confirmation-queries.ts'

interface Proof {
  readonly userId: number
  /** The address that the link was mailed to. */
  readonly email: string
}

/**
 * Notes that a person has followed a link that was mailed to its address, and records `user.email.verified` the first
 * time. Whoever had it mailed reaches nothing more by that (`docs/decisions.md` 3.12).
 */
export async function proveAddress(ctx: TxContext, scope: Scope, { userId, email }: Proof): Promise<void> {
  const now = ctx.clock.now()
  if (await verifyPerson(ctx.db, scope, { user_id: userId, email }, now)) {
    const data = { user_id: String(userId), email }
    await recordEvent(ctx, scope, { type: 'user.email.verified', userId, data })
  }
}

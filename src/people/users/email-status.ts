import type { TxContext } from '../../context.ts'
import { systemScope, type Scope } from '../../access/scope.ts'
import { notFound } from '../../lib/errors.ts'
import type { SharedType } from '../../db/tables/event-types.ts'
import { fold } from '../../lib/fold.ts'
import type { EmailStatus } from '../../mail/deliver.ts'
import { recordEvent } from '../../events/log/record.ts'
import { productsOfPerson } from './elsewhere-rows.ts'
import { findPersonByEmail } from './user-rows.ts'
import { setFirstStatus, setNextStatus } from './email-status-queries.ts'

interface SentMail {
  readonly developer_id: number
  readonly user_id: number | null
  readonly recipient: string
}

/** Notes on a user what has become of the last mail to its address (`docs/interface.md` 6.1). */
export async function noteMailStatus(
  ctx: TxContext,
  { developer_id: developerId, user_id: userId, recipient: email }: SentMail,
  status: EmailStatus,
): Promise<void> {
  if (userId === null) return
  await noteStatus(ctx, systemScope({ developerId, productId: 0 }), { userId, email, status })
}

/**
 * Notes what has become of a mail as somebody else says who reads what comes back; 404 when the account has no such
 * person.
 */
export async function reportStatus(
  ctx: TxContext,
  scope: Scope,
  { email, status }: { readonly email: string; readonly status: EmailStatus },
) {
  const person = await findPersonByEmail(ctx.db, scope, fold(email.trim()))
  if (!person) throw notFound('user')
  await noteStatus(ctx, scope, { userId: person.id, email: person.email, status })
  return { id: String(person.id), email: person.email, email_status: status }
}

const TYPES: Readonly<Record<EmailStatus, SharedType>> = {
  delivered: 'user.email_status.delivered',
  bounce: 'user.email_status.bounced',
  dropped: 'user.email_status.dropped',
}

/** A change is told in each product that the person uses; the first delivery is none (`docs/interface.md` 11.2). */
async function noteStatus(
  ctx: TxContext,
  scope: Scope,
  mailed: { readonly userId: number; readonly email: string; readonly status: EmailStatus },
): Promise<void> {
  const { userId, email, status } = mailed
  const updated = ctx.clock.now()
  const isFirst = await setFirstStatus(ctx.db, scope, mailed, updated)
  const isTold = isFirst ? status !== 'delivered' : await setNextStatus(ctx.db, scope, mailed, updated)
  if (!isTold) return
  const data = { user_id: String(userId), email, email_status: status }
  for (const productId of await productsOfPerson(ctx.db, userId)) {
    await recordEvent(ctx, { ...scope, productId }, { type: TYPES[status], userId, data })
  }
}

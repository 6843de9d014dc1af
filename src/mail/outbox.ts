import type { Writer } from '../db/database.ts'
import type { Clock } from '../lib/clock.ts'
import type { Keyring } from '../lib/keyring.ts'
import type { MailContent, QueuedContent } from './message.ts'
import { findSender, insertMail } from './queries.ts'

/** Where the sealed content of a mail is kept. */
export const CONTENT_PLACE = 'mails.content'

export interface OutgoingMail {
  readonly developerId: number
  readonly productId: number | null
  readonly userId: number | null
  readonly kind:
    | 'cart_recovery'
    | 'confirm_email'
    | 'license'
    | 'license_expired'
    | 'license_keys'
    | 'member_invitation'
    | 'ownership_change'
    | 'pending_activation'
    | 'renewal_cancelled'
    | 'renewal_failed'
    | 'renewal_reminder'
    | 'renewed'
    | 'trial_expiring'
  readonly recipient: string
  readonly content: MailContent
}

/**
 * Puts a mail into the outbox, in the transaction of what it tells; a job delivers it. A mail of a product
 * comes from the address for mail without an answer, of the product or else of its store.
 */
export async function queueMail(
  { db, keys, clock }: { readonly db: Writer; readonly keys: Keyring; readonly clock: Clock },
  mail: OutgoingMail,
): Promise<void> {
  const now = clock.real()
  const sender = mail.productId === null ? null : await findSender(db, mail.productId)
  const content: QueuedContent = { ...mail.content, sender }
  await insertMail(db, {
    developer_id: mail.developerId,
    product_id: mail.productId,
    user_id: mail.userId,
    kind: mail.kind,
    recipient: mail.recipient,
    content: keys.seal(JSON.stringify(content), CONTENT_PLACE),
    state: 'pending',
    attempts: 0,
    due_at: now,
    lease_until: 0,
    fence: 0,
    created_at: now,
    sent_at: null,
    last_error: null,
  })
}

import type { Writer } from '../db/database.ts'
import type { Clock } from '../lib/clock.ts'
import type { Keyring } from '../lib/keyring.ts'
import { insertMail } from './queries.ts'
import type { MailContent } from './message.ts'

/** Where the sealed content of a mail is kept. */
export const CONTENT_PLACE = 'mails.content'

export interface OutgoingMail {
  readonly developerId: number
  readonly productId: number | null
  readonly userId: number | null
  readonly kind: 'confirm_email' | 'member_invitation'
  readonly recipient: string
  readonly content: MailContent
}

/** Puts a mail into the outbox, in the transaction of what it tells; a job delivers it. */
export async function queueMail(
  { db, keys, clock }: { readonly db: Writer; readonly keys: Keyring; readonly clock: Clock },
  mail: OutgoingMail,
): Promise<void> {
  const now = clock.real()
  await insertMail(db, {
    developer_id: mail.developerId,
    product_id: mail.productId,
    user_id: mail.userId,
    kind: mail.kind,
    recipient: mail.recipient,
    content: keys.seal(JSON.stringify(mail.content), CONTENT_PLACE),
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

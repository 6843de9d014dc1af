import type { Writer } from '../db/database.ts'
import type { Clock } from '../lib/clock.ts'
import type { Keyring } from '../lib/keyring.ts'
import { toUtcTime } from '../lib/time.ts'
import { answersTo } from './answers.ts'
import type { MailAddress, MailContent, QueuedContent } from './message.ts'
import { ownTextIn } from './own-texts.ts'
import { insertMails, type NewMail } from './queries.ts'
import { findAbout, type About } from './mail-rows.ts'
import { renderMail, type Brand, type Filled } from './render.ts'
import { secretsOf } from './secrets.ts'
import type { Template } from './templates.ts'
import { textsIn } from './texts/texts.ts'

/** Where the sealed content of a mail is kept. */
export const CONTENT_PLACE = 'mails.content'

interface To {
  readonly developerId: number
  readonly productId: number | null
  /** The user whose address it is; null: it is no user's. */
  readonly userId: number | null
  /** The license that it is about; absent or null: none, or several. */
  readonly licenseId?: number | null
  /** What is about something of a sandbox says so. */
  readonly environment?: 0 | 1
  readonly recipient: string
  /** What its reader has told to read, where no install says it; absent or null: nothing. */
  readonly language?: string | null
  /** Who is answered, in the place of who reads answers of the product. */
  readonly replyTo?: MailAddress
  /** The payment whose invoice is attached. */
  readonly invoiceOf?: number | undefined
}

/** A mail by its template, with what that is filled with. */
export type OutgoingMail = To & { readonly [T in Template]: Filled<T> }[Template]

interface Outbox {
  readonly db: Writer
  readonly keys: Keyring
  readonly clock: Clock
  readonly baseUrl: string
}

/**
 * Puts a mail into the outbox, in the transaction of what it tells; a job delivers it. It is written as it is sent: in
 * the language that the person has chosen, else that of their last install, else that of `language`; one of a product
 * with its name and picture, and from the address for mail without an answer, of the product or else of its store, with that of who reads answers (`answersTo`). Who was
 * erased has no address, and is mailed nothing.
 */
export async function queueMail(outbox: Outbox, mail: OutgoingMail): Promise<void> {
  if (mail.recipient === '') return
  await queueAddressed(outbox, [{ mail, about: await findAbout(outbox.db, mail) }])
}

/** A mail, and what `findAbout` has found for it. */
export interface AddressedMail {
  readonly mail: OutgoingMail
  readonly about: About | undefined
}

/** Queues mails about whose products is read already. */
export async function queueAddressed(outbox: Outbox, mails: readonly AddressedMail[]): Promise<void> {
  const rows = mails.filter(({ mail }) => mail.recipient !== '').map((one) => rowOf(outbox, one))
  if (rows.length > 0) await insertMails(outbox.db, rows)
}

function rowOf({ keys, clock, baseUrl }: Outbox, { mail, about }: AddressedMail): NewMail {
  const content: QueuedContent = {
    ...written(baseUrl, about, mail),
    sender: about?.sender ?? null,
    replyTo: mail.replyTo ?? (about ? answersTo(about.helpers, mail.template) : null),
    unsubscribe: mail.unsubscribe,
    invoiceOf: mail.invoiceOf,
    secrets: secretsOf(mail),
  }
  const now = clock.real()
  return {
    developer_id: mail.developerId,
    product_id: mail.productId,
    user_id: mail.userId,
    ...aboutOf(clock, mail),
    kind: mail.template.split('.')[0] ?? mail.template,
    recipient: mail.recipient,
    content: keys.seal(JSON.stringify(content), CONTENT_PLACE),
    state: 'pending',
    attempts: 0,
    due_at: now,
    lease_until: 0,
    fence: 0,
    failing_since: null,
    keep_until: null,
    created_at: now,
    sent_at: null,
    last_error: null,
  }
}

/** What a mail shows of the product that it is about, in what language, and by which texts. */
export type Subject = Pick<About, 'product' | 'icon' | 'language' | 'ownTexts'>

/**
 * A mail as it is sent: in the language of who gets it, with the name and picture of its product, by the product's own
 * text where it has one in that language.
 */
export function written(
  baseUrl: string,
  about: Subject | undefined,
  mail: { readonly language?: string | null } & { readonly [T in Template]: Filled<T> }[Template],
): MailContent {
  const texts = textsIn(about?.language ?? mail.language ?? null)
  const brand = about ? brandOf(baseUrl, about) : NO_BRAND
  const own = ownTextIn(about?.ownTexts ?? null, mail.template, texts.language)
  return renderMail(texts, { ...brand, own }, mail)
}

/** The license that a mail is about, whether it is of a sandbox, and when it was written on the clock of that. */
const aboutOf = (clock: Clock, { licenseId, environment, productId }: To) => ({
  license_id: licenseId ?? null,
  environment: environment ?? 0,
  on_clock: environment === 1 && productId !== null ? toUtcTime(clock.of(productId, environment)) : null,
})

const NO_BRAND: Brand = { product: '', logo: null }

/** A kept picture is a path of this server. */
export const brandOf = (
  baseUrl: string,
  { product, icon }: { readonly product: string; readonly icon: string | null },
): Brand => ({ product, logo: icon?.startsWith('/') ? baseUrl + icon : icon })

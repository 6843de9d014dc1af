/** What a mail says; addresses and ids are added when it is delivered. */
export interface MailContent {
  readonly subject: string
  readonly text: string
  readonly html: string
}

export interface MailAddress {
  /** Empty where there is none. */
  readonly name: string
  readonly address: string
}

/** A mail as it waits in the outbox. */
export interface QueuedContent extends MailContent {
  /** Who the seller says it comes from; null: this server. */
  readonly sender: MailAddress | null
  /** Where answers go; null, or absent in one that an earlier version wrote: to whom it is from. */
  readonly replyTo?: MailAddress | null
  /** Address after which no more mails like this one come: a header of its own (RFC 8058). */
  readonly unsubscribe?: string | undefined
  /** The payment whose invoice is attached, as it is when the mail is delivered. */
  readonly invoiceOf?: number | undefined
  /** What of it lets its reader act (`secrets.ts`); absent in one that an earlier version wrote. */
  readonly secrets?: readonly string[]
}

/** What is attached to a mail. */
export interface MailFile {
  readonly name: string
  readonly type: string
  readonly content: Buffer
}

import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { DatabaseBusy } from '../db/busy.ts'
import type { Database } from '../db/database.ts'
import type { UsersTable } from '../db/tables/users.ts'
import type { Clock } from '../lib/clock.ts'
import { errorText } from '../lib/error-text.ts'
import type { Keyring } from '../lib/keyring.ts'
import { DAY, HOUR, MINUTE, SECOND, toRfc2822 } from '../lib/time.ts'
import type { MailAddress, MailContent, MailFile, QueuedContent } from './message.ts'
import { CONTENT_PLACE } from './outbox.ts'
import { claimMails } from './queries.ts'
import { updateMail, type MailRow } from './mail-rows.ts'

const BATCH = 20
const LANES = 5
const LEASE_MS = 60 * SECOND
const DELIVERY_LIMIT_MS = 30 * SECOND
/** After each time that it is put off; the one that finds no more gives the mail up. */
const RETRIES_MS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR]
/** How long, and at the least how often, a mail is tried that nobody gets to answer. */
const UNANSWERED_MS = 5 * DAY
const UNANSWERED_PAUSE_MS = 2 * HOUR
/** How long a mail that was given up can be sent after all. */
const KEPT_MS = 30 * DAY

/** A mail as it is handed over. */
export interface Mail extends MailContent {
  readonly id: number
  /** One bare address. */
  readonly recipient: string
  readonly from: MailAddress
  /** This server, where the mail is from somebody else: the header Sender, and the sender of the envelope. */
  readonly sender: MailAddress | null
  /** Where answers go; null: to whom it is from. */
  readonly replyTo: MailAddress | null
  /** Does not change from attempt to attempt, so that a receiver can tell a repetition. */
  readonly messageId: string
  /** When it was queued, in the form of RFC 2822. */
  readonly date: string
  /** Address after which no more like it come; null: it is of no kind that can be ended. */
  readonly unsubscribe: string | null
  readonly files: readonly MailFile[]
}

export interface Transport {
  /** Whether a mail that is handed over is on its way to who it is for. */
  readonly reachesPeople: boolean
  /**
   * Resolves when the mail is handed over for good; whatever it throws means that it was not. `MailRefused` and
   * `MailPutOff` are what the receiver says of this mail; all else is a fault of our own, which says nothing of it. May
   * be called again for a mail that was delivered, when the process died before it could say so. `signal` is aborted
   * when nobody waits any more.
   */
  deliver(mail: Mail, signal: AbortSignal): Promise<void>
  /** Lets go of its connections, whatever is under way on them. */
  close(): void
}

/** What has become of the last mail to a user, as `email_status` says it (`docs/interface.md` 6.1). */
export type EmailStatus = NonNullable<UsersTable['email_status']>

/**
 * The mail is refused for good: `bounce` as there is no such mailbox, `dropped` for what it says or whom it is from.
 */
export class MailRefused extends Error {
  readonly status: Exclude<EmailStatus, 'delivered'>

  constructor(status: Exclude<EmailStatus, 'delivered'>, message: string) {
    super(message)
    this.status = status
  }
}

/** The receiver does not take the mail now: there is no room, it is slowed down, it wants to see it again. */
export class MailPutOff extends Error {}

export interface Office {
  readonly database: Database
  readonly clock: Clock
  readonly keys: Keyring
  readonly log: Logger
  readonly baseUrl: string
  readonly config: Pick<Config, 'mail'>
  /** The invoice of a payment that a mail is about; null: there is none any more. */
  invoiceOf(row: MailRow, paymentId: number): Promise<MailFile | null>
  /**
   * Writes what becomes of a claimed mail, and on its user with what status it ended, in one transaction; false when
   * the claim has gone to somebody else.
   */
  settle(row: MailRow, to: Partial<MailRow>, status: EmailStatus | null): Promise<boolean>
}

/**
 * Claims mails that are due and delivers them, five at a time. A mail that is put off comes again after 1, 5 and
 * 30 minutes, 2 and 5 hours, and is then given up, as one that is refused is at once. One that fails by our own fault
 * is tried for five days, every two hours at least, and its user has no status of it. What was given up keeps its
 * content for 30 days (`retryMail`). When `stopping` is aborted, those not begun are left to others.
 */
export async function deliverDueMails(
  office: Office,
  transportFor: (row: MailRow) => Transport,
  stopping: AbortSignal,
): Promise<'more' | 'done'> {
  const { database, clock } = office
  const options = { engine: database.engine, now: clock.real(), leaseMs: LEASE_MS, limit: BATCH }
  const claimed = await database.transaction((db) => claimMails(db, options))
  const waiting = claimed.values()
  const lane = async () => {
    for (const row of waiting) {
      if (stopping.aborted) await change(office, row, { lease_until: 0 })
      else await deliverOne(office, transportFor(row), row)
    }
  }
  const lanes = await Promise.allSettled(Array.from({ length: LANES }, lane))
  for (const ended of lanes) if (ended.status === 'rejected') throw ended.reason
  return claimed.length === BATCH ? 'more' : 'done'
}

async function deliverOne(office: Office, transport: Transport, row: MailRow): Promise<void> {
  if (!(await hasTime(office, row))) return
  try {
    await inTime(async (signal) => transport.deliver(await mailOf(office, row), signal))
  } catch (error) {
    return recordFailure(office, transport, row, error)
  }
  const sent = { state: 'sent', sent_at: office.clock.real(), last_error: null } as const
  await change(office, row, { ...SETTLED, ...sent }, transport.reachesPeople ? 'delivered' : null)
}

const SETTLED = { content: null, due_at: null, lease_until: 0, failing_since: null } as const

async function recordFailure(
  office: Office,
  { reachesPeople }: Transport,
  row: MailRow,
  error: unknown,
): Promise<void> {
  const last_error = withoutAddress(error, row.recipient)
  const now = office.clock.real()
  if (!(error instanceof MailRefused || error instanceof MailPutOff)) {
    office.log.error({ mail: row.id, error: last_error }, 'mail cannot be handed over')
    return change(office, row, { ...afterOwnFault(row, now), last_error })
  }
  const attempts = row.attempts + 1
  office.log.warn({ mail: row.id, attempts, error: last_error }, 'a mail could not be delivered')
  const wait = error instanceof MailRefused ? undefined : RETRIES_MS[row.attempts]
  if (wait !== undefined) return change(office, row, { ...dueAt(now + wait, null), attempts, last_error })
  const status = error instanceof MailRefused ? error.status : 'dropped'
  await change(office, row, { ...givenUp(now), attempts, last_error }, reachesPeople ? status : null)
}

/** As long as it lasts so far, it is waited once more. */
function afterOwnFault({ failing_since: before }: MailRow, now: number): Partial<MailRow> {
  const since = before ?? now
  const lasted = now - since
  if (lasted >= UNANSWERED_MS) return givenUp(now)
  return dueAt(now + Math.min(Math.max(lasted, MINUTE), UNANSWERED_PAUSE_MS), since)
}

const dueAt = (due_at: number, failing_since: number | null) => ({ due_at, failing_since, lease_until: 0 })

const givenUp = (now: number) =>
  ({
    state: 'failed',
    due_at: null,
    failing_since: null,
    lease_until: 0,
    keep_until: now + KEPT_MS,
  }) as const

/** What is logged and stored of a failure: a server may repeat whom the mail was for, however it writes it. */
function withoutAddress(error: unknown, recipient: string): string {
  const message = error instanceof Error ? error.message : String(error)
  return errorText(message.replaceAll(new RegExp(RegExp.escape(recipient), 'gi'), '…'))
}

/** Whether this mail is still ours for as long as a delivery may take; extends the claim where it is short. */
async function hasTime({ database, clock }: Office, row: MailRow): Promise<boolean> {
  const now = clock.real()
  if (row.lease_until >= now + DELIVERY_LIMIT_MS) return true
  return database.transaction((db) => updateMail(db, row, { lease_until: now + LEASE_MS }))
}

async function change(
  office: Office,
  row: MailRow,
  to: Partial<MailRow>,
  status: EmailStatus | null = null,
): Promise<void> {
  const isOurs = await settled(office, row, to, status)
  if (!isOurs) office.log.warn({ mail: row.id }, 'a mail took longer than its lease')
}

/** A status that cannot be noted keeps no mail from being over, which would be sent again and again. */
async function settled(
  { log, settle }: Office,
  row: MailRow,
  to: Partial<MailRow>,
  status: EmailStatus | null,
): Promise<boolean> {
  try {
    return await settle(row, to, status)
  } catch (error) {
    if (status === null || error instanceof DatabaseBusy) throw error
    log.error({ err: error, mail: row.id }, 'the status of a mail could not be noted')
    return settle(row, to, null)
  }
}

function inTime(deliver: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const giveUp = new AbortController()
  return new Promise((resolve, reject) => {
    const delivery = deliver(giveUp.signal)
    const tooLate = () => {
      reject(new Error('The delivery took longer than 30 seconds.'))
      giveUp.abort()
    }
    const timer = setTimeout(tooLate, DELIVERY_LIMIT_MS)
    delivery.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

async function mailOf(office: Office, row: MailRow): Promise<Mail> {
  const { keys, baseUrl, config } = office
  if (row.content === null) throw new Error('The mail has no content.')
  const {
    sender,
    unsubscribe = null,
    invoiceOf,
    replyTo,
    subject,
    text,
    html,
  } = JSON.parse(keys.open(row.content, CONTENT_PLACE)) as QueuedContent
  const { hostname } = new URL(baseUrl)
  const invoice = invoiceOf === undefined ? null : await office.invoiceOf(row, invoiceOf)
  const server = config.mail.from ?? { name: 'Keywright', address: `no-reply@${hostname}` }
  return {
    subject,
    text,
    html,
    id: row.id,
    recipient: row.recipient,
    from: sender ?? server,
    sender: sender && server,
    replyTo: replyTo ?? null,
    messageId: `<mail-${row.id}.${row.created_at}@${hostname}>`,
    date: toRfc2822(row.created_at),
    unsubscribe,
    files: invoice ? [invoice] : [],
  }
}

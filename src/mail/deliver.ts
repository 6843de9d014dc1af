import type { Logger } from 'pino'
import type { Database } from '../db/database.ts'
import type { Clock } from '../lib/clock.ts'
import { errorText } from '../lib/error-text.ts'
import type { Keyring } from '../lib/keyring.ts'
import { HOUR, MINUTE, SECOND, toRfc2822 } from '../lib/time.ts'
import type { MailAddress, MailContent, QueuedContent } from './message.ts'
import { CONTENT_PLACE } from './outbox.ts'
import { claimMails, updateMail, type MailRow } from './queries.ts'

const BATCH = 20
const LANES = 5
const LEASE_MS = 60 * SECOND
const DELIVERY_LIMIT_MS = 30 * SECOND
/** After each failure in turn; the one that finds no more gives the mail up. */
const RETRIES_MS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR]

/** A mail as it is handed over. */
export interface Mail extends MailContent {
  readonly id: number
  /** One bare address. */
  readonly recipient: string
  readonly from: MailAddress
  /** This server, where the mail is from somebody else: the header Sender, and the sender of the envelope. */
  readonly sender: MailAddress | null
  /** The same at each attempt, so that a receiver can tell a repetition. */
  readonly messageId: string
  /** When it was queued, in the form of RFC 2822. */
  readonly date: string
}

export interface Transport {
  /**
   * Resolves when the mail is handed over for good; whatever it throws means that it was not. May be
   * called again for a mail that was delivered, when the process died before it could say so.
   */
  deliver(mail: Mail): Promise<void>
}

interface Office {
  readonly database: Database
  readonly clock: Clock
  readonly keys: Keyring
  readonly log: Logger
  readonly baseUrl: string
}

/**
 * Claims mails that are due and delivers them, five at a time. A mail that fails comes again after 1, 5 and
 * 30 minutes, 2 and 5 hours, and is then given up; its content is kept no longer than that. When
 * `stopping` is aborted, those not begun are left to others.
 */
export async function deliverDueMails(
  office: Office,
  transport: Transport,
  stopping: AbortSignal,
): Promise<'more' | 'done'> {
  const { database, clock } = office
  const options = { engine: database.engine, now: clock.real(), leaseMs: LEASE_MS, limit: BATCH }
  const claimed = await database.transaction((db) => claimMails(db, options))
  const waiting = claimed.values()
  const lane = async () => {
    for (const row of waiting) {
      if (stopping.aborted) await change(office, row, { lease_until: 0 })
      else await deliverOne(office, transport, row)
    }
  }
  const lanes = await Promise.allSettled(Array.from({ length: LANES }, lane))
  for (const ended of lanes) if (ended.status === 'rejected') throw ended.reason
  return claimed.length === BATCH ? 'more' : 'done'
}

async function deliverOne(office: Office, transport: Transport, row: MailRow): Promise<void> {
  if (!(await hasTime(office, row))) return
  try {
    await inTime(transport.deliver(mailOf(office, row)))
  } catch (error) {
    return recordFailure(office, row, error)
  }
  const sent_at = office.clock.real()
  await change(office, row, {
    state: 'sent',
    sent_at,
    content: null,
    due_at: null,
    lease_until: 0,
    last_error: null,
  })
}

async function recordFailure(office: Office, row: MailRow, error: unknown): Promise<void> {
  const attempts = row.attempts + 1
  const last_error = errorText(error)
  const wait = RETRIES_MS[row.attempts]
  const next =
    wait === undefined
      ? ({ state: 'failed', content: null, due_at: null } as const)
      : { due_at: office.clock.real() + wait }
  office.log.warn({ mail: row.id, attempts, error: last_error }, 'a mail could not be delivered')
  await change(office, row, { ...next, attempts, last_error, lease_until: 0 })
}

/** Whether this mail is still ours for as long as a delivery may take; extends the claim where it is short. */
async function hasTime({ database, clock }: Office, row: MailRow): Promise<boolean> {
  const now = clock.real()
  if (row.lease_until >= now + DELIVERY_LIMIT_MS) return true
  return database.transaction((db) => updateMail(db, row, { lease_until: now + LEASE_MS }))
}

async function change({ database, log }: Office, row: MailRow, to: Partial<MailRow>): Promise<void> {
  const isOurs = await database.transaction((db) => updateMail(db, row, to))
  if (!isOurs) log.warn({ mail: row.id }, 'a mail took longer than its lease')
}

function inTime(delivery: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const tooLate = () => reject(new Error('The delivery took longer than 30 seconds.'))
    const timer = setTimeout(tooLate, DELIVERY_LIMIT_MS)
    delivery.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

function mailOf({ keys, baseUrl }: Office, row: MailRow): Mail {
  if (row.content === null) throw new Error('The mail has no content.')
  const { sender, ...content } = JSON.parse(keys.open(row.content, CONTENT_PLACE)) as QueuedContent
  const server = serverAddress(baseUrl)
  return {
    ...content,
    id: row.id,
    recipient: row.recipient,
    from: sender ?? server,
    sender: sender && server,
    messageId: `<mail-${row.id}@keywright>`,
    date: toRfc2822(row.created_at),
  }
}

const serverAddress = (baseUrl: string): MailAddress => ({
  name: 'Keywright',
  address: `no-reply@${new URL(baseUrl).hostname}`,
})

import { randomInt } from 'node:crypto'
import type { TxContext } from '../../context.ts'
import type { Engine } from '../../db/database.ts'
import { lockEvents } from '../../db/event-sequence.ts'
import { systemScope } from '../../access/scope.ts'
import { nextAttemptAt, parseRetryAfter } from './delivery-times.ts'
import type { Keyring } from '../../lib/keyring.ts'
import { DAY, toUtcTime } from '../../lib/time.ts'
import { queueMail } from '../../mail/outbox.ts'
import { recordEvent } from '../log/record.ts'
import { maskedAddressOf, sealAnswer } from '../listeners/address.ts'
import type { WebhookRow } from '../listeners/webhook.entity.ts'
import type { Posted } from './post.ts'
import { CHAIN } from './chains.ts'
import {
  endDeliveries,
  findSigner,
  insertAttempts,
  ORDERED,
  retryDelivery,
  settleEvents,
  switchOff,
  unpark,
  updateHealth,
  type DueDelivery,
  type Health,
  type NewAttempt,
} from './webhook-queries.ts'

/** An attempt at a delivery and what came of it. */
export interface Attempted {
  readonly delivery: DueDelivery
  /** Where it was sent, as the listener's row has it; null: it could not be sent. */
  readonly url: string | null
  /** When it was begun, milliseconds. */
  readonly at: number
  readonly posted: Posted
}

/** So many failures in a row over so long a time switch a listener off (`docs/decisions.md` 6.5). */
const MOST_FAILURES = 100
const FAILING_MS = DAY

/** Any 2xx counts as taken. */
export const hasArrived = ({ posted: { status } }: Attempted) =>
  status !== null && status >= 200 && status < 300

/** Writes what came of attempts, in the transaction that holds the listener; the listener as it then stands. */
export async function settleAttempts(
  tx: TxContext,
  engine: Engine,
  webhook: WebhookRow,
  attempts: readonly Attempted[],
): Promise<WebhookRow> {
  const { db, clock } = tx
  const now = clock.real()
  const time = toUtcTime(now)
  const judged = attempts.map((attempt) => ({ ...attempt, nextAt: nextAt(attempt, now) }))
  const arrived = judged.filter(hasArrived)
  const givenUp = judged.filter((one) => !hasArrived(one) && one.nextAt === null)
  const ended = [...arrived, ...givenUp].map(({ delivery }) => delivery)
  const eventIds = ended.map(({ event_id: id }) => id)
  await lockEvents(db, engine, eventIds)
  const ids = (some: readonly Attempted[]) => some.map(({ delivery }) => delivery.id)
  if (arrived.length > 0) await endDeliveries(db, ids(arrived), { state: 'processed', attempts: 1, time })
  if (givenUp.length > 0) await endDeliveries(db, ids(givenUp), { state: 'error', attempts: 1, time })
  for (const { delivery, nextAt: at } of judged) {
    if (at !== null) await retryDelivery(db, delivery.id, { at, time })
  }
  await insertAttempts(
    db,
    judged.map((one) => rowOf(tx.keys, one)),
  )
  const orderKeys = freedBy(judged)
  if (orderKeys.length > 0) await unpark(db, webhook, { orderKeys, now, limit: CHAIN })
  if (eventIds.length > 0) await settleEvents(db, eventIds, time)
  // What another address has answered, or nobody was sent, says nothing of this one.
  const answered = attempts.filter(({ url }) => url === webhook.url)
  const { failures, failing_since } = answered.reduce<Health>(healthAfter, webhook)
  const changed = { ...webhook, failures, failing_since }
  if (failures !== webhook.failures || failing_since !== webhook.failing_since) {
    await updateHealth(db, webhook, { failures, failing_since })
  }
  const reason = offReason(changed, answered, now)
  if (reason === null || !webhook.is_active) return changed
  await end(tx, webhook, reason)
  return { ...changed, is_active: false, off_reason: reason }
}

/** Whose next events may go: whose last one has ended, or gives way. */
function freedBy(judged: readonly (Attempted & { readonly nextAt: number | null })[]): string[] {
  const freed = new Set<string>()
  for (const { delivery, nextAt: at } of judged) {
    if (at === null || delivery.attempts + 1 >= ORDERED) freed.add(delivery.order_key)
    else freed.delete(delivery.order_key)
  }
  return [...freed]
}

/** Null: it arrived, or the attempts are used up. */
function nextAt(attempt: Attempted, now: number): number | null {
  if (hasArrived(attempt)) return null
  const { status, retryAfter } = attempt.posted
  const asked = status === 429 || status === 503 ? parseRetryAfter(retryAfter, now) : null
  const attempts = attempt.delivery.attempts + 1
  return nextAttemptAt({ attempts, now, retryAfterMs: asked, random: randomInt(1_000) / 1_000 })
}

const rowOf = (
  keys: Keyring,
  { delivery, at, posted, nextAt: next }: Attempted & { nextAt: number | null },
): NewAttempt => ({
  delivery,
  at,
  durationMs: posted.durationMs,
  status: posted.status,
  answer: posted.answer === null ? null : sealAnswer(keys, posted.answer),
  error: posted.error,
  nextAt: next,
})

function healthAfter({ failures, failing_since: since }: Health, attempt: Attempted): Health {
  if (hasArrived(attempt)) return { failures: 0, failing_since: null }
  return { failures: failures + 1, failing_since: since ?? attempt.at }
}

function offReason(health: Health, attempts: readonly Attempted[], now: number): 'gone' | 'failing' | null {
  if (attempts.some(({ posted }) => posted.status === 410)) return 'gone'
  const { failures, failing_since: since } = health
  return failures > MOST_FAILURES && since !== null && now - since >= FAILING_MS ? 'failing' : null
}

/** Switches a listener off and tells whose it is; what waits is canceled by the batches that follow. */
async function end(tx: TxContext, webhook: WebhookRow, reason: 'gone' | 'failing'): Promise<void> {
  const { id, developer_id: developerId, product_id: productId } = webhook
  await switchOff(tx.db, webhook, { reason, time: tx.clock.now() })
  const scope = systemScope({ developerId, productId })
  await recordEvent(tx, scope, {
    type: 'webhook.updated',
    data: { webhook_id: String(id), is_active: false, off_reason: reason },
  })
  const { email, first, language } = await findSigner(tx.db, productId)
  await queueMail(tx, {
    developerId,
    productId,
    userId: null,
    recipient: email,
    language,
    template: 'webhook_off',
    name: first,
    values: { url: maskedAddressOf(tx, webhook), isGone: reason === 'gone' },
  })
}

import type { TxContext } from '../context.ts'
import type { Paid } from '../gateways/gateway.ts'
import { systemScope, type Scope } from '../http/scope.ts'
import { ATTEMPTS, nextAttempt } from '../lib/dunning.ts'
import { toDecimal } from '../lib/money.ts'
import { periodAfter } from '../lib/periods.ts'
import { fromUtcTime, HOUR, toUtcTime, type UtcTime } from '../lib/time.ts'
import type { MailContent } from '../mail/message.ts'
import { queueMail, type OutgoingMail } from '../mail/outbox.ts'
import { renewalCancelledMail, renewalFailedMail, renewedMail } from '../mail/renewal-mails.ts'
import { recordEvent } from '../resources/events/record.ts'
import { lockLicense } from '../resources/licenses/queries.ts'
import { decideCharge, setOutcome, type ChargeRow } from '../resources/payments/charge-queries.ts'
import { noteFired } from '../resources/sandbox/fired.ts'
import { lockSubscription } from '../resources/subscriptions/queries.ts'
import type { SubscriptionRow } from '../resources/subscriptions/schema.ts'
import type { Fired } from '../db/tables/sandbox.ts'
import type { EventType } from '../lib/event-types.ts'
import { cancelLicense } from './cancel-license.ts'
import { holdFamily } from './license-family.ts'
import { recordPayment } from './record-payment.ts'
import { changeSubscription, type AboutRenewal } from './renewal-queries.ts'
import { afterOneRenewal, type RenewalQuote } from './renewal-quote.ts'
import { endSubscription } from './start-subscription.ts'
import { changeFamily } from './update-license.ts'

/** One attempt at a renewal. */
export interface Attempt extends RenewalQuote {
  readonly row: SubscriptionRow
  readonly about: AboutRenewal
  /** On the clock of the subscription. */
  readonly now: UtcTime
  /** The end of the paid period, which names the one that is to be paid. */
  readonly period: UtcTime
  /** Null: there is nothing to charge, or nobody to charge it. */
  readonly charge: ChargeRow | null
}

/**
 * A renewal is paid (null: there was nothing to pay): the payment is written, the next period begins, and the
 * license lives until some hours after its end (DECISIONS 5.5). Does nothing when the charge was settled before. What
 * was cancelled while it was charged keeps what it has paid, and is renewed no more.
 */
export async function settlePaid(tx: TxContext, attempt: Attempt, paid: Paid | null): Promise<void> {
  const { row, charge, period } = attempt
  const scope = scopeOf(attempt)
  if (charge && !(await decide(tx, scope, charge, paid))) return
  const payment = await recordPayment(tx, scope, paymentOf(attempt, paid))
  if (charge) await setOutcome(tx.db, scope, charge.id, payment.id)
  const isEnded = await isCancelled(tx, scope, row)
  const end = periodAfter(row.period_anchor, period, row.billing_cycle || 1)
  await changeSubscription(tx.db, row.id, {
    period_start: period,
    ...(isEnded ? {} : { next_payment: end, due_at: end }),
    attempt: 0,
    failed_payments: 0,
    outstanding_balance: 0,
    tax_rate: attempt.tax.rate,
    ...afterOneRenewal(row, attempt.about),
    lease_until: 0,
    updated: toUtcTime(tx.clock.real()),
  })
  await extendLicense(tx, scope, attempt, end)
  await note(tx, attempt, { what: 'renewed', type: 'payment.created' })
  if (charge) await mail(tx, attempt, 'renewed', renewedMail({ ...valuesOf(attempt), until: end }))
}

/**
 * An attempt failed: it is tried again, or was the last one, which ends subscription and license (DECISIONS 5.5).
 * Does nothing when the charge was settled before.
 */
export async function settleFailed(tx: TxContext, attempt: Attempt, reason: string): Promise<void> {
  const { row, charge, now, quote } = attempt
  const scope = scopeOf(attempt)
  if (charge && !(await decide(tx, scope, charge, null))) return
  if (await isCancelled(tx, scope, row)) return
  const made = row.attempt + 1
  const again = nextAttempt(made, row.due_at ?? now, now)
  await changeSubscription(tx.db, row.id, {
    attempt: made,
    failed_payments: row.failed_payments + 1,
    outstanding_balance: quote.total,
    due_at: again,
    lease_until: 0,
    updated: toUtcTime(tx.clock.real()),
  })
  await tell(tx, attempt, 'subscription.renewal.failed', { reason })
  await note(tx, attempt, { what: 'failed', type: 'subscription.renewal.failed' })
  if (again === null) return giveUp(tx, attempt, reason)
  await mail(tx, attempt, 'renewal_failed', renewalFailedMail({ ...valuesOf(attempt), reason, again }))
  await tell(tx, attempt, 'subscription.renewal.failed_email.sent', {})
}

/** Tells that a renewal that failed is tried again. */
export const announceRetry = (tx: TxContext, attempt: Attempt): Promise<void> =>
  tell(tx, attempt, 'subscription.renewal.retry', {})

async function giveUp(tx: TxContext, attempt: Attempt, reason: string): Promise<void> {
  const { row } = attempt
  const scope = scopeOf(attempt)
  await tell(tx, attempt, 'subscription.renewal.failed.last', { reason })
  await endSubscription(tx, scope, row)
  if (row.license_id !== null && (await lockLicense(tx.db, scope, row.license_id))) {
    await cancelLicense(tx, scope, row.license_id, {})
  }
  await note(tx, attempt, { what: 'cancelled', type: 'subscription.cancelled' })
  await mail(tx, attempt, 'renewal_cancelled', renewalCancelledMail({ ...valuesOf(attempt), reason }))
}

const decide = (tx: TxContext, scope: Scope, { id, external_id: known }: ChargeRow, paid: Paid | null) =>
  decideCharge(tx.db, scope, {
    id,
    state: paid ? 'settled' : 'declined',
    externalId: paid?.externalId ?? known,
    at: toUtcTime(tx.clock.real()),
  })

/** Whether a subscription was cancelled meanwhile, of which there is no more until the end of the transaction. */
const isCancelled = async (tx: TxContext, scope: Scope, { id }: SubscriptionRow): Promise<boolean> =>
  (await lockSubscription(tx.db, scope, id))?.canceled_at !== null

/** What a job does to a subscription's product. */
export const scopeOf = ({ row, about }: Attempt): Scope =>
  systemScope({ developerId: about.developer_id, productId: row.product_id })

const paymentOf = ({ row, quote, tax, now, charge }: Attempt, paid: Paid | null) => ({
  user_id: row.user_id,
  install_id: row.install_id,
  subscription_id: row.id,
  plan_id: row.plan_id,
  pricing_id: row.pricing_id,
  license_id: row.license_id,
  coupon_id: row.coupon_id,
  bound_payment_id: null,
  payment_method_id: paid ? row.payment_method_id : null,
  type: 'payment' as const,
  gross: quote.gross,
  tax: quote.tax,
  tax_rate: tax.rate,
  tax_rule: tax.rule,
  gateway_fee: paid?.fee ?? 0,
  currency: row.currency,
  billing_cycle: row.billing_cycle,
  is_renewal: 1 as const,
  external_id: paid?.externalId ?? null,
  gateway: charge?.gateway ?? null,
  country_code: row.country_code,
  zip_postal_code: row.zip_postal_code,
  vat_id: row.vat_id,
  ip: null,
  source: row.source,
  environment: row.environment,
  refund_reason: null,
  processed_at: now,
})

/** Never ends a license earlier than it ends already. */
async function extendLicense(
  tx: TxContext,
  scope: Scope,
  { row, about }: Attempt,
  end: UtcTime,
): Promise<void> {
  if (row.license_id === null || !(await lockLicense(tx.db, scope, row.license_id))) return
  const family = await holdFamily(tx, scope, row.license_id)
  const expiration = toUtcTime(fromUtcTime(end) + about.renewal_grace_hours * HOUR)
  if (family.license.expiration === null || family.license.expiration >= expiration) return
  await changeFamily(tx, scope, family, { change: { expiration }, isRenewal: true })
}

const idsOf = ({ row }: Attempt) => ({
  subscription_id: String(row.id),
  license_id: row.license_id === null ? null : String(row.license_id),
})

const tell = (tx: TxContext, attempt: Attempt, type: EventType, more: object) =>
  recordEvent(tx, scopeOf(attempt), {
    type,
    userId: attempt.row.user_id,
    ...(attempt.row.install_id !== null && { installId: attempt.row.install_id }),
    data: { ...idsOf(attempt), attempt: attempt.row.attempt + 1, attempts: ATTEMPTS, ...more },
  })

const note = (tx: TxContext, attempt: Attempt, { what, type }: { what: Fired; type: EventType }) =>
  noteFired(tx, attempt.row, { what, type, at: attempt.now, data: idsOf(attempt) })

const valuesOf = ({ about, quote }: Attempt) => ({
  name: `${about.first} ${about.last}`.trim(),
  product: about.product,
  plan: about.plan,
  amount: `${toDecimal(quote.total).toFixed(2)} ${quote.currency.toUpperCase()}`,
})

const mail = (tx: TxContext, attempt: Attempt, kind: OutgoingMail['kind'], content: MailContent) =>
  queueMail(tx, {
    developerId: attempt.about.developer_id,
    productId: attempt.row.product_id,
    userId: attempt.row.user_id,
    kind,
    recipient: attempt.about.email,
    content,
  })

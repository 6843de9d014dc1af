import { hold } from '../../db/hold.ts'
import type { TxContext } from '../../context.ts'
import type { Paid } from '../../gateways/gateway.ts'
import { systemScope, type Scope } from '../../access/scope.ts'
import { ATTEMPTS, nextAttempt } from './dunning.ts'
import { DAY, fromUtcTime, toUtcTime, type UtcTime } from '../../lib/time.ts'
import { queueMail } from '../../mail/outbox.ts'
import { recordEvent } from '../../events/log/record.ts'
import type { LicenseRow } from '../../licensing/licenses/schema.ts'
import { decideCharge, setOutcome, type ChargeRow } from '../charges/charge-rows.ts'
import type { PaymentRow } from '../payments/schema.ts'
import { noteFired } from '../../catalogue/sandbox/fired.ts'
import { NOTHING_OWED } from '../subscriptions/subscription-rows.ts'
import type { SubscriptionRow } from '../subscriptions/schema.ts'
import type { Fired } from '../../db/tables/sandbox.ts'
import type { EventType } from '../../db/tables/event-types.ts'
import { cancelLicense } from '../../licensing/licenses/cancel-license.ts'
import { forgetKeyChange } from '../checkouts/front/change.ts'
import { paymentMethodLink } from '../checkouts/front/links.ts'
import { convertByPayment } from '../subscriptions/convert-trial.ts'
import { lateBy, withGrace } from './late-renewal.ts'
import { familyOf } from '../../licensing/licenses/family.ts'
import { leaveReceipt } from '../payments/mail-receipt.ts'
import { noteProven } from '../../licensing/activation/proven-license.ts'
import { recordSale, type Recorded } from '../payments/record-payment.ts'
import { takeOwed } from '../refunds/refund-payment.ts'
import { fateOf, isDueStill } from './fate.ts'
import { endOfPaid, isFirst, paymentOf } from './payment.ts'
import { changeSubscription } from './queries.ts'
import type { AboutRenewal } from './renewal-rows.ts'
import { afterOneRenewal, type RenewalQuote } from './quote.ts'
import { endSubscription } from '../subscriptions/start-subscription.ts'
import { changeFamily } from '../../licensing/licenses/update-license.ts'

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
 * license lives until some hours after its end (`docs/decisions.md` 5.5). The first payment after a trial converts it;
 * what is paid once has no next period. False: the charge was decided before, and nothing is done. What was cancelled
 * while it was charged keeps what it has paid, and is renewed no more; what can pay for nothing any more is given back
 * (`fateOf`).
 */
export async function settlePaid(tx: TxContext, attempt: Attempt, paid: Paid | null): Promise<boolean> {
  const { charge } = attempt
  if (charge && !(await decide(tx, scopeOf(attempt), charge, paid))) return false
  await writePaid(tx, attempt, paid)
  return true
}

/** Writes a paid renewal down whose charge the caller has decided; the payment. */
export async function writePaid(tx: TxContext, attempt: Attempt, paid: Paid | null): Promise<PaymentRow> {
  const { row, charge, period } = attempt
  const scope = scopeOf(attempt)
  const found = await fateOf(tx, scope, { id: row.id, period })
  const { license } = found
  const sale = { ...paymentOf(attempt, paid), license_id: license === null ? null : license.id }
  const { payment, bought } = await recordSale(tx, scope, { ...sale, isInTotal: found.fate !== 'given back' })
  if (charge) await setOutcome(tx.db, scope, charge.id, payment.id)
  if (found.fate === 'given back') return giveBack(tx, attempt, payment, found)
  if (found.license.is_unproven && charge) await noteProven(tx, found.license)
  const end = endOfPaid(attempt)
  const renews = found.fate === 'renews'
  await changeSubscription(tx.db, row.id, {
    period_start: period,
    ...(renews && { next_payment: end, due_at: dueAfter(attempt, end) }),
    ...NOTHING_OWED,
    total_gross: found.total + payment.gross + payment.tax,
    tax_rate: attempt.tax.rate,
    ...(isFirst(attempt) && { initial_amount: attempt.quote.gross }),
    ...afterOneRenewal(row, attempt.about, attempt),
    lease_until: 0,
    updated: tx.clock.now(),
  })
  if (end === null && renews) await endSubscription(tx, scope, row)
  if (found.license.key_change_at !== null) await forgetKeyChange(tx.db, found.license.id)
  await (isFirst(attempt) ? convert : extend)(tx, attempt, { end, payment, bought, license: found.license })
  return payment
}

/** What was missed is charged one period a day, where it is at all. */
const dueAfter = ({ about, now }: Attempt, end: UtcTime | null): UtcTime | null =>
  end !== null && end <= now && about.charge_arrears ? toUtcTime(fromUtcTime(now) + DAY) : end

/** A job has the gateway give back what can pay for nothing any more. */
async function giveBack(
  tx: TxContext,
  attempt: Attempt,
  payment: PaymentRow,
  { reason, isOver }: { readonly reason: string; readonly isOver: boolean },
): Promise<PaymentRow> {
  const { row } = attempt
  const scope = scopeOf(attempt)
  if (isOver) {
    const updated = tx.clock.now()
    await changeSubscription(tx.db, row.id, { outstanding_balance: 0, lease_until: 0, updated })
    await endSubscription(tx, scope, row)
  }
  if (payment.gross + payment.tax > 0) await takeOwed(tx, scope, payment.id, { reason })
  return payment
}

interface PaidUntil extends Recorded {
  readonly end: UtcTime | null
  /** Held until the end of the transaction. */
  readonly license: LicenseRow
}

/** The trial becomes what was bought. */
async function convert(tx: TxContext, attempt: Attempt, until: PaidUntil): Promise<void> {
  const { end, payment, license } = until
  const { row, now } = attempt
  const expiration = end === null ? null : withGrace(attempt, end)
  await convertByPayment(tx, scopeOf(attempt), { row, license, paymentId: payment.id, now, expiration })
  await note(tx, attempt, { what: 'converted', type: 'payment.created' })
  await mailReceipt(tx, attempt, 'trial_converted', until)
}

async function extend(tx: TxContext, attempt: Attempt, until: PaidUntil): Promise<void> {
  const { end, license } = until
  if (end !== null) await extendLicense(tx, attempt, { end, license })
  await note(tx, attempt, { what: 'renewed', type: 'payment.created' })
  await mailReceipt(tx, attempt, 'renewed', until)
}

/** Nobody is told of a payment of nothing. */
async function mailReceipt(
  tx: TxContext,
  attempt: Attempt,
  template: 'renewed' | 'trial_converted',
  { end, payment, bought }: PaidUntil,
): Promise<void> {
  if (!attempt.charge) return
  const to = toBuyer(attempt)
  await leaveReceipt(tx, {
    payment,
    bought,
    mailWith: (values) => ({
      ...to,
      template,
      values: { ...values, until: end === null ? '' : { time: end } },
    }),
  })
}

/**
 * An attempt failed: it is tried again, or was the last one, which ends subscription and license
 * (`docs/decisions.md` 5.5). Does nothing when the charge was settled before, and no more than that when the
 * subscription is due for it no more.
 */
export async function settleFailed(tx: TxContext, attempt: Attempt, reason: string): Promise<void> {
  const { row, charge, now, quote, period } = attempt
  const scope = scopeOf(attempt)
  if (charge && !(await decide(tx, scope, charge, null))) return
  if (!(await isDueStill(tx, scope, { id: row.id, period, attempt: attemptBefore(attempt) }))) return
  // A period that is over by now is left out, so its bank's answer says nothing of what is charged next.
  if (charge && lateBy(attempt, period).over > 0) return
  const made = row.attempt + 1
  const again = nextAttempt(made, row.due_at ?? now, now)
  await changeSubscription(tx.db, row.id, {
    attempt: made,
    failed_payments: row.failed_payments + 1,
    outstanding_balance: quote.total,
    due_at: again,
    lease_until: 0,
    updated: tx.clock.now(),
  })
  await tell(tx, attempt, 'subscription.renewal.failed', { reason })
  await note(tx, attempt, { what: 'failed', type: 'subscription.renewal.failed' })
  if (again === null) return giveUp(tx, attempt, reason)
  const template = RETRY_MAILS[Math.min(made, RETRY_MAILS.length) - 1] ?? RETRY_MAILS[0]
  const values = {
    ...valuesOf(attempt),
    link: await paymentMethodLink(tx, row),
    reason,
    again: { time: again },
  }
  await queueMail(tx, { ...toBuyer(attempt), template, values })
  await tell(tx, attempt, MAILED, {})
  await note(tx, attempt, { what: 'mailed', type: MAILED })
}

/** Tells that a renewal that failed is tried again. */
export const announceRetry = (tx: TxContext, attempt: Attempt): Promise<void> =>
  tell(tx, attempt, 'subscription.renewal.retry', {})

async function giveUp(tx: TxContext, attempt: Attempt, reason: string): Promise<void> {
  const { row } = attempt
  const scope = scopeOf(attempt)
  await tell(tx, attempt, 'subscription.renewal.failed.last', { reason })
  await endSubscription(tx, scope, row)
  if (row.license_id !== null && (await hold(tx.db, 'licenses', scope, row.license_id))) {
    await cancelLicense(tx, scope, row.license_id, {})
  }
  await note(tx, attempt, { what: 'cancelled', type: 'subscription.cancelled' })
  const values = { ...valuesOf(attempt), reason }
  await queueMail(tx, { ...toBuyer(attempt), template: 'renewal_cancelled', values })
}

const decide = (tx: TxContext, scope: Scope, { id, external_id: known }: ChargeRow, paid: Paid | null) =>
  decideCharge(tx.db, scope, {
    id,
    state: paid ? 'settled' : 'declined',
    externalId: paid?.externalId ?? known,
    at: tx.clock.now(),
  })

/** How many attempts there were before this one, as the name of its charge says. */
export const attemptBefore = ({ row, charge }: Attempt): number =>
  charge ? Number(/:(\d+)$/.exec(charge.key)?.[1] ?? row.attempt + 1) - 1 : row.attempt

/** What a job does to a subscription's product. */
export const scopeOf = ({ row, about }: Attempt): Scope =>
  systemScope({ developerId: about.developer_id, productId: row.product_id })

/** Never ends a license earlier than it ends already. */
async function extendLicense(
  tx: TxContext,
  attempt: Attempt,
  { end, license }: { readonly end: UtcTime; readonly license: LicenseRow },
): Promise<void> {
  const expiration = withGrace(attempt, end)
  if (license.expiration === null || license.expiration >= expiration) return
  const family = await familyOf(tx, license)
  await changeFamily(tx, scopeOf(attempt), family, { change: { expiration }, isRenewal: true })
}

const idsOf = ({ row }: Attempt) => ({
  subscription_id: String(row.id),
  license_id: row.license_id === null ? null : String(row.license_id),
})

const tell = (tx: TxContext, attempt: Attempt, type: EventType, more: object) =>
  recordEvent(tx, scopeOf(attempt), {
    type,
    environment: attempt.row.environment,
    userId: attempt.row.user_id,
    ...(attempt.row.install_id !== null && { installId: attempt.row.install_id }),
    data: { ...idsOf(attempt), attempt: attempt.row.attempt + 1, attempts: ATTEMPTS, ...more },
  })

const note = (tx: TxContext, attempt: Attempt, { what, type }: { what: Fired; type: EventType }) =>
  noteFired(tx, attempt.row, { what, type, at: attempt.now, data: idsOf(attempt) })

const MAILED = 'subscription.renewal.failed_email.sent'

/** After each attempt that failed and is followed by another. */
const RETRY_MAILS = ['renewal_failed.1', 'renewal_failed.2', 'renewal_failed.3'] as const

const valuesOf = ({ about, quote }: Attempt) => ({
  plan: about.plan,
  amount: { minor: quote.total, currency: quote.currency },
})

const toBuyer = ({ about, row }: Attempt) => ({
  developerId: about.developer_id,
  licenseId: row.license_id,
  environment: row.environment,
  productId: row.product_id,
  userId: row.user_id,
  recipient: about.email,
  name: `${about.first} ${about.last}`.trim(),
})

import { hold } from '../../db/hold.ts'
import type { TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { invalid, notFound } from '../../lib/errors.ts'
import { leftOf, leftOfPayment, raiseOf, splitDispute, totalOf, type PaidParts } from './refunds.ts'
import { toUtcTime } from '../../lib/time.ts'
import type { EventType } from '../../db/tables/event-types.ts'
import { recordEvent } from '../../events/log/record.ts'
import { boundTo, raiseDisputed, returnToPayment, takeFromPayment } from '../payments/payment-rows.ts'
import type { PaymentRow } from '../payments/schema.ts'
import { isUnearned } from './owed-refunds.ts'
import { recordMore, recordUnlessKnown, undoing } from '../payments/record-payment.ts'
import { cancelBought } from './record-refund.ts'

export interface Dispute {
  readonly paymentId: number
  /** With tax, minor units; of more than is left of the payment that is booked, and the rest by `raiseDispute`. */
  readonly minor: number
  /** What the gateway takes for it, minor units. */
  readonly fee: number
}

/**
 * Writes down that a buyer's bank disputes a payment: the money is gone until it is settled, and cannot be refunded.
 * A payment is disputed once, so told again it answers what is there. 404 without such a payment, 400
 * `payment_not_refundable` for what is none.
 */
export async function openDispute(ctx: TxContext, scope: Scope, dispute: Dispute): Promise<PaymentRow> {
  const payment = await holdPayment(ctx, scope, dispute.paymentId)
  const known = await openOf(ctx, scope, payment)
  if (known) return known
  const parts = splitDispute(leftOfPayment(payment), dispute.minor)
  const taken = await takeFromPayment(ctx.db, scope, { id: payment.id, ...parts, updated: now(ctx) })
  if (!taken) throw new Error('What is left of a payment that is held stays.')
  return record(ctx, scope, payment, {
    type: 'disputed',
    gross: 0 - parts.gross,
    tax: 0 - parts.tax,
    fee: dispute.fee,
    missing: Math.max(0, dispute.minor - totalOf(parts)),
    event: 'payment.dispute.created',
  })
}

/**
 * Writes down how a dispute ended, once. Won: the money is back. Lost: it is gone for good, and license and
 * subscription are cancelled as by a full refund (`docs/decisions.md` 5.6), unless the payment has bought nothing. 404
 * without such a payment, 400 `no_dispute` when it is not disputed.
 */
export async function settleDispute(
  ctx: TxContext,
  scope: Scope,
  { paymentId, isWon }: { readonly paymentId: number; readonly isWon: boolean },
): Promise<PaymentRow> {
  const payment = await holdPayment(ctx, scope, paymentId)
  const open = await openOf(ctx, scope, payment)
  if (!open) throw invalid('no_dispute', 'This payment is not disputed.')
  const closed = await closedOf(ctx, scope, payment)
  if (closed) return closed
  const parts = { gross: 0 - open.gross, tax: 0 - open.tax }
  if (!isWon) return lose(ctx, scope, payment, parts)
  await returnToPayment(ctx.db, scope, { id: payment.id, ...parts, updated: now(ctx) })
  const event = 'payment.dispute.won'
  return record(ctx, scope, payment, { type: 'won_dispute', ...parts, fee: 0, event })
}

async function lose(ctx: TxContext, scope: Scope, payment: PaymentRow, lost: PaidParts): Promise<PaymentRow> {
  const ends = !(await isUnearned(ctx, scope, payment.id))
  await cancelBought(ctx, scope, payment, { license: ends, subscription: ends })
  const event = 'payment.dispute.lost'
  return record(ctx, scope, payment, { type: 'lost_dispute', gross: 0, tax: 0, fee: 0, lost, event })
}

/**
 * Books what was missing of a dispute as far as it is left now, as a refund has failed (`docs/decisions.md` 5.25). A
 * dispute that is lost has its credit note, so the bank takes it by a `chargeback`; of one that is won nothing is
 * missing. Nothing where nothing is missing.
 */
export async function raiseDispute(ctx: TxContext, scope: Scope, paymentId: number): Promise<void> {
  const payment = await holdPayment(ctx, scope, paymentId)
  const rows = await boundTo(ctx.db, scope, paymentId)
  const open = rows.find(({ type }) => type === 'disputed')
  if (!open || rows.some(({ type }) => type === 'won_dispute')) return
  const booked = rows.filter(({ type }) => type === 'disputed' || type === 'chargeback')
  const parts = raiseOf(leftOfPayment(payment), leftOf({ gross: 0, tax: 0 }, booked), open.refunded_gross)
  const minor = totalOf(parts)
  if (minor === 0) return
  const updated = now(ctx)
  const taken = await takeFromPayment(ctx.db, scope, { id: payment.id, ...parts, updated })
  if (!taken) throw new Error('What is left of a payment that is held stays.')
  const isLost = rows.some(({ type }) => type === 'lost_dispute')
  const raised = { id: open.id, ...(isLost ? { gross: 0, tax: 0 } : parts), booked: minor, updated }
  await raiseDisputed(ctx.db, scope, raised)
  if (!isLost) return raise(ctx, scope, open, parts)
  const back = { gross: 0 - parts.gross, tax: 0 - parts.tax }
  await record(ctx, scope, payment, { type: 'chargeback', ...back, fee: 0, event: 'payment.dispute.lost' })
}

async function raise(ctx: TxContext, scope: Scope, open: PaymentRow, more: PaidParts): Promise<void> {
  await recordMore(ctx, scope, open, more)
  const data = {
    payment_id: String(open.id),
    bound_payment_id: String(open.bound_payment_id),
    is_raised: true,
  }
  const { user_id: userId, license_id: licenseId, environment } = open
  const type = 'payment.dispute.created'
  await recordEvent(ctx, scope, { type, environment, userId, licenseId, data })
}

interface Step extends PaidParts {
  readonly type: 'disputed' | 'won_dispute' | 'lost_dispute' | 'chargeback'
  readonly fee: number
  readonly lost?: PaidParts
  readonly missing?: number
  readonly event: EventType
}

async function record(
  ctx: TxContext,
  scope: Scope,
  payment: PaymentRow,
  { type, gross, tax, fee, lost, missing, event }: Step,
): Promise<PaymentRow> {
  const at = toUtcTime(ctx.clock.of(payment.product_id, payment.environment))
  const row = await recordUnlessKnown(ctx, scope, {
    ...undoing(payment, type, at),
    gross,
    tax,
    gateway_fee: fee,
    external_id: null,
    refund_reason: null,
    ...(lost && { lost }),
    ...(missing !== undefined && { missing }),
  })
  if (!row) throw new Error('What a held payment has not, it gets.')
  const about = { payment_id: String(row.id), bound_payment_id: String(payment.id) }
  const data = type === 'chargeback' ? { ...about, is_raised: true } : about
  const { user_id: userId, license_id: licenseId, environment } = payment
  const told = { environment, userId, licenseId, data }
  await recordEvent(ctx, scope, { type: event, ...told })
  if (type === 'won_dispute' || type === 'lost_dispute') {
    await recordEvent(ctx, scope, { type: 'payment.dispute.closed', ...told })
  }
  return row
}

async function holdPayment(ctx: TxContext, scope: Scope, id: number): Promise<PaymentRow> {
  const payment = await hold(ctx.db, 'payments', scope, id)
  if (!payment) throw notFound('payment')
  if (payment.type === 'payment') return payment
  throw invalid('payment_not_refundable', 'Only a payment can be disputed, not what undoes one.')
}

const openOf = async (ctx: TxContext, scope: Scope, { id }: PaymentRow) =>
  (await boundTo(ctx.db, scope, id)).find(({ type }) => type === 'disputed')

const closedOf = async (ctx: TxContext, scope: Scope, { id }: PaymentRow) =>
  (await boundTo(ctx.db, scope, id)).find(({ type }) => type === 'won_dispute' || type === 'lost_dispute')

const now = ({ clock }: TxContext) => clock.now()

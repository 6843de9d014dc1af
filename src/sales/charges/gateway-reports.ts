import { hold } from '../../db/hold.ts'
import { transaction, type Context, type TxContext } from '../../context.ts'
import type { GatewayEvent } from '../../gateways/gateway.ts'
import { audit } from '../../access/audit.ts'
import type { Caller } from '../../access/counted-callers.ts'
import { systemScope, type Scope } from '../../access/scope.ts'
import { leftOfPayment, splitRefund, totalOf } from '../refunds/refunds.ts'
import { DAY, fromUtcTime, HOUR, MINUTE, toUtcTime } from '../../lib/time.ts'
import {
  changeEvent,
  findChargeByKey,
  findRefundAt,
  holdEvent,
  paidInSandbox,
  takeEvent,
  wakeRefunds,
  type GatewayEventRow,
} from './gateway-event-queries.ts'
import { findChargeAt, type ReportedCharge } from './reported-charge-rows.ts'
import { takeFromPayment } from '../payments/payment-rows.ts'
import type { PaymentRow } from '../payments/schema.ts'
import { openDispute, settleDispute } from '../refunds/disputes.ts'
import { failRefund } from '../refunds/fail-refund.ts'
import { keptCharge, NOTHING_KEPT, openedReport } from './kept-charge.ts'
import { holdUnderWay, isUnearned, makeWay, oweAgain, type UnderWay } from '../refunds/owed-refunds.ts'
import { recordRefund } from '../refunds/record-refund.ts'
import { giveBackSecond } from './second-charge.ts'
import { settleReportedCharge } from './settle-reported.ts'
import { hasFailed, takeOfUnbought, type Dispute, type Refund, type Taken } from './unbought-reports.ts'

/** What the log, the metrics and the audit log call a report of a gateway. */
export const GATEWAY_REPORT = 'gateway-webhook'

/** How long what is reported of a charge that nobody knows is looked at again; another system may have made it. */
const UNKNOWN_MS = 3 * DAY

/**
 * Takes what a gateway reported, each event once, in one transaction with all that follows from it: a purchase or a
 * renewal is paid or declined, a refund or a dispute is written down. Repeated, late and out of order events do no
 * harm. What cannot be taken yet is kept for `retakeReport`; a charge that nobody knows yet is found by the job that
 * asks its gateway for it again. The audit log has what came by a request, `from` it.
 */
export async function takeReports(
  ctx: Context,
  gateway: string,
  events: readonly GatewayEvent[],
  from?: Caller,
): Promise<void> {
  if (events.length === 0) return
  await transaction(ctx, async (tx) => {
    const details = { events: events.map(({ id, type }) => ({ id, type })) }
    if (from) await audit(tx, { ...from, action: GATEWAY_REPORT, details })
    for (const [index, event] of events.entries()) {
      const event_id = index === 0 ? event.id : `${event.id}#${index}`
      const row = await takeEvent(tx.db, { ...rowOf(event), gateway, event_id, created: now(tx) })
      if (row) await noteTaken(tx, { ...row, event }, await take(tx, gateway, event))
    }
  })
}

/** How far back a gateway that sends nothing by itself is listened to. */
const LATELY_MS = 10 * MINUTE
const MANY = 1_000

/** Takes what gateways of the sandbox that send nothing by themselves report of what they were paid lately. */
export async function hearGateways(ctx: Context): Promise<void> {
  const now = ctx.clock.real()
  for (const gateway of ctx.gateways) {
    if (!gateway.reportsOf) continue
    const lately = { since: toUtcTime(now - LATELY_MS), limit: MANY }
    for (const { external_id: id } of await paidInSandbox(ctx.db, gateway.code, lately)) {
      await takeReports(ctx, gateway.code, gateway.reportsOf(id ?? '', now))
    }
  }
}

/** What is told of a charge is kept only where it is settled later. */
const rowOf = (event: GatewayEvent) => ({
  refund_id: event.type === 'refund' ? event.refundId : null,
  report: event.type === 'charge' ? null : JSON.stringify(event),
  method: null,
  due_at: null,
})

/** Looks again at an event that waits, in the transaction of its caller. */
export async function retakeReport(
  tx: TxContext,
  { id, due_at }: { readonly id: number; readonly due_at: number | null },
): Promise<void> {
  const row = due_at === null ? undefined : await holdEvent(tx.db, id, due_at)
  const event = row && openedReport(tx, row)
  if (event) await noteTaken(tx, { ...row, event }, await take(tx, row.gateway, event))
}

/** Looks again after a quarter of its age: a minute at least, an hour at most. */
async function noteTaken(
  tx: TxContext,
  { id, created, event }: Pick<GatewayEventRow, 'id' | 'created'> & { readonly event: GatewayEvent },
  taken: Taken,
): Promise<void> {
  const { db, clock } = tx
  const age = clock.real() - fromUtcTime(created)
  const isOver = taken === 'done' || (taken === 'unknown' && age > UNKNOWN_MS)
  const again = clock.real() + Math.min(HOUR, Math.max(MINUTE, age / 4))
  const due_at = isOver ? null : Math.floor(again)
  const kept = event.type === 'charge' ? (isOver ? NOTHING_KEPT : keptCharge(tx, event)) : {}
  await changeEvent(db, id, { due_at, ...kept })
}

async function take(tx: TxContext, gateway: string, event: GatewayEvent): Promise<Taken> {
  const charge = await reportedOn(tx, gateway, event)
  if (event.type === 'charge') {
    return charge ? settleReportedCharge(tx, charge, event.charge) : 'done'
  }
  if (!charge) return 'unknown'
  if (charge.outcome_id === null) return takeOfUnbought(tx, charge, event)
  const scope = systemScope({ developerId: charge.developer_id, productId: charge.product_id })
  const payment = await hold(tx.db, 'payments', scope, charge.outcome_id)
  if (!payment) return 'unknown'
  return event.type === 'dispute'
    ? takeDispute(tx, scope, payment, event)
    : takeRefund(tx, scope, payment, event)
}

/**
 * The charge that an event is about: by its id, or by its key where the answer that told the id was lost. What was paid
 * a second time under that key is given back.
 */
async function reportedOn(
  tx: TxContext,
  gateway: string,
  event: GatewayEvent,
): Promise<ReportedCharge | undefined> {
  const { db } = tx
  const named = await findChargeAt(db, gateway, event.chargeId)
  if (named || event.type !== 'charge' || event.key === undefined) return named
  const asked = await findChargeByKey(db, gateway, event.key)
  if (!asked || asked.external_id === null) return asked
  if (event.charge.outcome === 'paid') await giveBackSecond(tx, asked, event.charge)
  return undefined
}

/**
 * While a refund is under way nobody knows what is left for a dispute to take. What the buyer is owed and the gateway has
 * refused to give back makes way, and is owed again as far as the dispute leaves it.
 */
async function takeDispute(
  tx: TxContext,
  scope: Scope,
  { id: paymentId }: PaymentRow,
  { state, minor, fee }: Dispute,
): Promise<Taken> {
  const underWay = await holdUnderWay(tx, scope, paymentId)
  if (underWay.asked.length > 0) return 'later'
  await makeWay(tx, scope, underWay)
  await openDispute(tx, scope, { paymentId, minor, fee })
  if (state !== 'open') await settleDispute(tx, scope, { paymentId, isWon: state === 'won' })
  await oweAgain(tx, scope, paymentId)
  return 'done'
}

/**
 * A refund that is begun here and not answered may be the one that is reported: it is asked for again first. One that was
 * refused is not, and makes way. What is more than is left waits for what has put it back at the gateway to be told.
 */
async function takeRefund(
  tx: TxContext,
  scope: Scope,
  payment: PaymentRow,
  { refundId, minor, state, at }: Refund,
): Promise<Taken> {
  const refund = await findRefundAt(tx.db, scope, payment, refundId)
  if (refund && state === 'failed') await failRefund(tx, scope, { payment, refund })
  if (refund) return 'done'
  const underWay = await holdUnderWay(tx, scope, payment.id)
  const asked = underWay.asked.map(({ id }) => id)
  if (asked.length > 0) {
    await wakeRefunds(tx.db, scope, asked)
    return 'later'
  }
  const isMade = state === 'refunded' && !(await hasFailed(tx, payment.gateway, refundId))
  const isLate = tx.clock.real() - at > UNKNOWN_MS
  if (isMade && !isLate && minor > leftBeside(payment, underWay)) return 'later'
  await makeWay(tx, scope, underWay)
  if (isMade) await recordMadeElsewhere(tx, scope, payment.id, { refundId, minor })
  await oweAgain(tx, scope, payment.id, { rests: !isMade })
  return 'done'
}

/** What is left of a payment when what rests makes way, minor units. */
const leftBeside = (payment: PaymentRow, { resting }: UnderWay): number =>
  resting.reduce((sum, { amount }) => sum + amount, totalOf(leftOfPayment(payment)))

/** A refund that was made with the gateway itself, as far as the books have the payment. */
async function recordMadeElsewhere(
  tx: TxContext,
  scope: Scope,
  paymentId: number,
  { refundId, minor }: Pick<Refund, 'refundId' | 'minor'>,
): Promise<void> {
  const payment = await hold(tx.db, 'payments', scope, paymentId)
  if (!payment) return
  const left = leftOfPayment(payment)
  const amount = Math.min(minor, totalOf(left))
  if (amount < minor) tx.log.warn({ payment: payment.id, refundId }, 'a refund exceeds its payment')
  if (amount === 0) return
  const parts = splitRefund(left, amount)
  const taken = await takeFromPayment(tx.db, scope, { id: payment.id, ...parts, updated: now(tx) })
  if (!taken) throw new Error('What is left of a payment that is held stays.')
  const cancels = (await isUnearned(tx, scope, payment.id)) ? false : null
  const terms = {
    ...parts,
    paymentId: payment.id,
    reason: null,
    cancelLicense: cancels,
    cancelSubscription: cancels,
  }
  await recordRefund(tx, scope, terms, refundId)
}

const now = ({ clock }: TxContext) => clock.now()

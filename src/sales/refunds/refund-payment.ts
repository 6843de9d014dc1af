import { hold } from '../../db/hold.ts'
import { randomUUID } from 'node:crypto'
import { transaction, type Context, type ReadContext, type TxContext } from '../../context.ts'
import { gatewayFor } from '../../gateways/choose.ts'
import { GatewayUnreachable, type Gateway, type RefundOutcome } from '../../gateways/gateway.ts'
import type { Scope } from '../../access/scope.ts'
import { ApiError, invalid, notFound, Refused } from '../../lib/errors.ts'
import { toMinor } from '../../lib/money.ts'
import { leftOfPayment, refundExceeds, splitRefund, totalOf } from './refunds.ts'
import { DAY, MINUTE } from '../../lib/time.ts'
import {
  decideCharge,
  findCharge,
  insertCharge,
  startedCharge,
  leaveCharge,
  openRefundsOf,
  setOutcome,
  takeCharge,
  type ChargeRow,
} from '../charges/charge-rows.ts'
import { returnToPayment, takeFromPayment } from '../payments/payment-rows.ts'
import type { PaymentRow, RefundCreate } from '../payments/schema.ts'
import { getPayment } from '../payments/service.ts'
import { oweTax } from '../taxes/provisional-tax-rows.ts'
import { unboughtOf } from '../charges/give-back-charge.ts'
import { isKeyOld } from '../charges/known-charge.ts'
import { inHandOf } from '../charges/left-lease.ts'
import { recordRefund, type RefundTerms } from './record-refund.ts'
import { restUntil } from './resting-refunds.ts'

/** How long who asks a gateway has a refund in hand: less than a claim of an Idempotency-Key lasts. */
const LEASE_MS = MINUTE / 2

/** A refund whose part of the payment is taken, and what its gateway answered. */
export interface BegunRefund {
  readonly scope: Scope
  readonly charge: ChargeRow
  readonly outcome: RefundOutcome
}

/**
 * Takes what is to be given back from a payment and asks its gateway, in this order, so that parts that are given
 * back at once are never more than the payment (`docs/decisions.md` 5.1). An earlier refund of the same amount that got
 * no answer is asked for again, under its own key, and not a second one; without an amount, when nothing else is left.
 * `settleRefund` does the rest; null: the payment was made elsewhere, and nobody is asked. 404 without such a payment;
 * 400 `payment_not_refundable`, `invalid_refund_amount`, `refund_exceeds_payment`, `gateway_not_configured`; 503
 * `gateway_unreachable`: the refund stays begun, and a job ends it.
 */
export async function beginRefund(
  ctx: Context,
  scope: Scope,
  id: number,
  input: RefundCreate,
): Promise<BegunRefund | null> {
  const { gateway, environment } = await getPayment(ctx, scope, id)
  if (gateway === null) return null
  gatewayFor(ctx.gateways, { gateway, environment })
  const charge = await transaction(ctx, (tx) => takeRefund(tx, scope, id, input))
  const outcome = await inHandOf(ctx, { scope, taken: charge }, () => askGateway(ctx, scope, charge))
  return { scope, charge, outcome }
}

/**
 * Begins to give back what was taken and can pay for nothing: without an amount all of a payment, which has bought
 * nothing then. A job asks its gateway, again and again when that refuses, as the buyer is owed it. License and
 * subscription stay. `isAgain`: it is what an earlier one was to give back, and nothing more is owed.
 */
export async function takeOwed(
  ctx: TxContext,
  scope: Scope,
  id: number,
  { isAgain = false, ...owed }: Pick<RefundCreate, 'amount' | 'reason'> & { readonly isAgain?: boolean },
): Promise<ChargeRow> {
  const payment = await holdPayment(ctx, scope, id)
  const input = { ...owed, cancel_license: false, cancel_subscription: false }
  const row = await takenRefund(ctx, scope, payment, input)
  const is_unearned = owed.amount === undefined
  return insertCharge(ctx.db, { ...row, is_owed: true, is_unearned, is_again: isAgain })
}

/** The charge of a refund that a seller asks for, new or left over, in hand of the caller. */
async function takeRefund(ctx: TxContext, scope: Scope, id: number, input: RefundCreate): Promise<ChargeRow> {
  const payment = await holdPayment(ctx, scope, id)
  const now = ctx.clock.real()
  const wanted = input.amount === undefined ? undefined : toMinor(input.amount)
  const isNothingLeft = totalOf(leftOfPayment(payment)) === 0
  for (const open of await openRefundsOf(ctx.db, scope, id, now)) {
    if (!isAskedFor(open) || (wanted === undefined ? !isNothingLeft : wanted !== open.amount)) continue
    const taken = await takeCharge(ctx.db, scope, { id: open.id, now, leaseUntil: now + LEASE_MS })
    if (taken) return taken
  }
  return insertCharge(ctx.db, await takenRefund(ctx, scope, payment, input))
}

/** Whether a seller has asked for a refund, and it is not given back by itself: what is owed, or a tax. */
const isAskedFor = ({ is_owed: isOwed, details }: ChargeRow): boolean =>
  !isOwed && (JSON.parse(details ?? '{}') as Partial<RefundTerms>).taxRule === undefined

const takenRefund = async (ctx: TxContext, scope: Scope, payment: PaymentRow, input: RefundCreate) =>
  refundRow(ctx, payment, {
    key: `refund:${randomUUID()}`,
    terms: await takeParts(ctx, scope, payment, input),
  })

interface NamedRefund {
  /** Names the refund at the gateway for ever. */
  readonly key: string
  readonly terms: RefundTerms
}

/**
 * A refund whose part is taken from its payment, in hand of the caller, as it is written before its gateway is asked.
 */
export function refundRow({ clock }: TxContext, payment: PaymentRow, { key, terms }: NamedRefund) {
  const now = clock.real()
  return startedCharge(now, {
    key,
    product_id: payment.product_id,
    user_id: payment.user_id,
    environment: payment.environment,
    purpose: 'refund',
    subscription_id: payment.subscription_id,
    payment_id: payment.id,
    amount: terms.gross + terms.tax,
    currency: payment.currency,
    gateway: payment.gateway ?? '',
    details: JSON.stringify(terms),
    lease_until: now + LEASE_MS,
  })
}

async function holdPayment(ctx: TxContext, scope: Scope, id: number): Promise<PaymentRow> {
  const payment = await hold(ctx.db, 'payments', scope, id)
  if (!payment) throw notFound('payment')
  if (payment.type === 'payment') return payment
  throw invalid('payment_not_refundable', 'Only a payment can be refunded, not what undoes one.')
}

/** Takes a part of a payment that is held. */
async function takeParts(
  ctx: TxContext,
  scope: Scope,
  payment: PaymentRow,
  input: RefundCreate,
): Promise<RefundTerms> {
  const left = leftOfPayment(payment)
  const parts = splitRefund(left, input.amount === undefined ? totalOf(left) : toMinor(input.amount))
  const updated = ctx.clock.now()
  const taken = await takeFromPayment(ctx.db, scope, { id: payment.id, ...parts, updated })
  if (!taken) throw refundExceeds(totalOf(left))
  return {
    ...parts,
    paymentId: payment.id,
    reason: input.reason ?? null,
    cancelLicense: input.cancel_license ?? null,
    cancelSubscription: input.cancel_subscription ?? null,
  }
}

/** Asks the gateway for a refund that the caller has in hand; 503 when it does not answer. */
export async function askGateway(ctx: Context, scope: Scope, charge: ChargeRow): Promise<RefundOutcome> {
  const chargeId = unboughtOf(charge)?.chargeId ?? (await chargeIdOf(ctx, scope, charge))
  const gateway = gatewayFor(ctx.gateways, charge)
  try {
    return await refundAt(ctx, gateway, charge, chargeId)
  } catch (error) {
    if (!(error instanceof GatewayUnreachable)) throw error
    await transaction(ctx, (tx) => leaveCharge(tx.db, scope, charge.id, ctx.clock.real()))
    throw new ApiError(
      503,
      'gateway_unreachable',
      'The payment gateway does not answer; the refund is done when it does.',
      { headers: { 'retry-after': '60' } },
    )
  }
}

const chargeIdOf = async (ctx: ReadContext, scope: Scope, { payment_id: id }: ChargeRow): Promise<string> =>
  (await getPayment(ctx, scope, id ?? 0)).external_id ?? ''

/** What is owed is asked for again where it was refused. */
const isOwed = (charge: ChargeRow): boolean => charge.of_charge_id !== null || charge.is_owed

/** Looks first where the gateway may have forgotten the key. */
async function refundAt(
  ctx: Context,
  gateway: Gateway,
  charge: ChargeRow,
  chargeId: string,
): Promise<RefundOutcome> {
  const request = { key: charge.key, chargeId }
  const known = isKeyOld(ctx, charge) ? await gateway.byKey?.refund(request) : null
  const amount = { minor: charge.amount, currency: charge.currency }
  const isFailed = known?.outcome === 'refused' && isOwed(charge)
  return known && !isFailed ? known : gateway.refund({ ...request, amount })
}

/**
 * Writes down a refund as its gateway answered, once, however often it is settled; what the gateway refuses goes
 * back to the payment: 400 `refund_refused`. A payment that was made elsewhere is refunded in the books alone.
 */
export async function settleRefund(
  ctx: TxContext,
  scope: Scope,
  {
    id,
    input,
    begun,
  }: { readonly id: number; readonly input: RefundCreate; readonly begun: BegunRefund | null },
): Promise<PaymentRow | Refused> {
  if (begun) return settleAsked(ctx, scope, begun.charge, begun.outcome)
  const terms = await takeParts(ctx, scope, await holdPayment(ctx, scope, id), input)
  return recordRefund(ctx, scope, terms, null)
}

/** Settles a refund that was asked for; one that its buyer is owed stays begun when it is refused. */
export async function settleAsked(
  ctx: TxContext,
  scope: Scope,
  charge: ChargeRow,
  outcome: RefundOutcome,
): Promise<PaymentRow | Refused> {
  const { id, details } = charge
  const terms = JSON.parse(details ?? '{}') as RefundTerms
  const isRefused = outcome.outcome === 'refused'
  if (isRefused && charge.is_owed) return leaveOwed(ctx, scope, charge, outcome.message)
  const externalId = outcome.outcome === 'refused' ? null : outcome.externalId
  const at = ctx.clock.now()
  const state = isRefused ? 'declined' : 'settled'
  const decided = await decideCharge(ctx.db, scope, { id, state, externalId, at })
  if (!decided) return earlier(ctx, scope, id)
  if (outcome.outcome === 'refused') {
    await giveBack(ctx, scope, terms)
    // Only a tax that is given back by itself changes the rule of its sale.
    if (terms.taxRule) await oweTax(ctx.db, terms.paymentId, { due_at: ctx.clock.real() + DAY, updated: at })
    return refusedWith(outcome.message)
  }
  const refund = await recordRefund(ctx, scope, terms, outcome.externalId)
  await setOutcome(ctx.db, scope, id, refund.id)
  return refund
}

const refusedWith = (message: string) => new Refused(invalid('refund_refused', message))

/** Comes again in a day, when no gateway answers what it answered before; until then it is open, and told as such. */
async function leaveOwed(ctx: TxContext, scope: Scope, charge: ChargeRow, message: string): Promise<Refused> {
  ctx.log.error({ charge: charge.id, reason: message }, 'what a buyer is owed could not be given back')
  await restUntil(ctx, scope, charge, ctx.clock.real() + DAY)
  return refusedWith(message)
}

/** Gives the part that a refund has taken back to its payment. */
export const giveBack = (ctx: TxContext, scope: Scope, { paymentId, gross, tax }: RefundTerms) =>
  returnToPayment(ctx.db, scope, {
    id: paymentId,
    gross,
    tax,
    updated: ctx.clock.now(),
  })

/** What somebody else has settled meanwhile. */
async function earlier(ctx: ReadContext, scope: Scope, id: number): Promise<PaymentRow | Refused> {
  const charge = await findCharge(ctx.db, scope, id)
  if (charge?.outcome_id) return getPayment(ctx, scope, charge.outcome_id)
  return new Refused(invalid('refund_refused', 'The gateway refused this refund.'))
}

import { hold } from '../../db/hold.ts'
import type { TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { toDecimal } from '../../lib/money.ts'
import { leftOfPayment, refundIdOf, totalOf } from './refunds.ts'
import { DAY, toUtcTime } from '../../lib/time.ts'
import { decideCharge, type ChargeRow } from '../charges/charge-rows.ts'
import { refundThatBecame } from './refund-queries.ts'
import { holdRefunds, refundsOf, undoRefund } from './refund-rows.ts'
import { boundTo } from '../payments/payment-rows.ts'
import { oweTax } from '../taxes/provisional-tax-rows.ts'
import type { RefundTerms } from './record-refund.ts'
import { giveBack, takeOwed } from './refund-payment.ts'
import { isResting, restUntil } from './resting-refunds.ts'

const termsOf = ({ details }: ChargeRow) => JSON.parse(details ?? '{}') as RefundTerms

/** Refunds of a payment that is held which are not decided; they are held too. */
export interface UnderWay {
  /** Nobody knows what becomes of them. */
  readonly asked: readonly ChargeRow[]
  /** Its buyer is owed them, and the gateway has not made them. */
  readonly resting: readonly ChargeRow[]
}

/** What is under way of a payment that is held, before a report of it is taken. */
export async function holdUnderWay(tx: TxContext, scope: Scope, paymentId: number): Promise<UnderWay> {
  const open = await holdRefunds(tx.db, scope, 'payment_id', paymentId)
  return { asked: open.filter((one) => !isResting(one)), resting: open.filter(isResting) }
}

/**
 * Makes way for what a gateway reports of a payment that is held: what rests ends, and its part is the payment's again.
 * `oweAgain` begins anew what is left to give back.
 */
export async function makeWay(tx: TxContext, scope: Scope, { resting }: UnderWay): Promise<void> {
  const at = tx.clock.now()
  for (const charge of resting) {
    const ended = await decideCharge(tx.db, scope, { ...DECLINED, id: charge.id, at })
    if (!ended) throw new Error('A refund that is held stays as it is.')
    await giveBack(tx, scope, termsOf(charge))
  }
}

const DECLINED = { state: 'declined', externalId: null } as const

/** Whether a payment has bought nothing, and so gives back nothing that somebody would have to do without. */
export const isUnearned = async (tx: TxContext, scope: Scope, paymentId: number): Promise<boolean> =>
  (await refundsOf(tx.db, scope, 'payment_id', paymentId)).some(buysNothing)

const isOwed = (refund: ChargeRow): boolean => refund.is_owed

const sumOf = (refunds: readonly ChargeRow[]): number => refunds.reduce((sum, { amount }) => sum + amount, 0)

const buysNothing = (owed: ChargeRow): boolean => owed.is_unearned

/**
 * Begins anew to give back what of a payment its buyer is owed still, as far as it is left: after anything that has put
 * back a part of the payment, or was given back otherwise. `rests`: it rests for a day first, as the gateway could not
 * make the last one. Nothing where nothing was ever owed.
 */
export async function oweAgain(
  tx: TxContext,
  scope: Scope,
  paymentId: number,
  { rests = false }: { readonly rests?: boolean } = {},
): Promise<void> {
  const payment = await hold(tx.db, 'payments', scope, paymentId)
  if (!payment) return
  const refunds = await refundsOf(tx.db, scope, 'payment_id', paymentId)
  const last = refunds.findLast(isOwed)
  if (!last) return
  const minor = Math.min(totalOf(leftOfPayment(payment)), await owedOf(tx, scope, paymentId, refunds))
  if (minor <= 0) return
  const { reason } = termsOf(last)
  const charge = await takeOwed(tx, scope, paymentId, {
    ...(reason !== null && { reason }),
    ...(!buysNothing(last) && { amount: toDecimal(minor) }),
    isAgain: true,
  })
  if (rests) await restUntil(tx, scope, charge, tx.clock.real() + DAY)
}

/**
 * What of what is owed of a payment its buyer neither has nor is about to get, minor units; below 0: more. What
 * the gateway has given back of the payment without being asked from here counts as given of it.
 */
async function owedOf(
  tx: TxContext,
  scope: Scope,
  paymentId: number,
  refunds: readonly ChargeRow[],
): Promise<number> {
  const owed = refunds.filter(isOwed)
  const parts = owed.filter((one) => !one.is_again)
  const begun = owed.filter(({ state }) => state !== 'declined')
  const ours = new Set(refunds.map((one) => one.external_id))
  const otherwise = (await boundTo(tx.db, scope, paymentId)).filter(
    ({ type, external_id: id }) => type === 'refund' && id !== null && !ours.has(refundIdOf(id)),
  )
  const left = sumOf(parts) - sumOf(begun)
  return otherwise.reduce((sum, { gross, tax }) => sum + gross + tax, left)
}

/** Owes again what a refund has given back that could not be made after all; nothing where nobody was owed it. */
export async function oweFailed(
  tx: TxContext,
  scope: Scope,
  { paymentId, refundId }: { readonly paymentId: number; readonly refundId: number },
): Promise<void> {
  const failed = await refundThatBecame(tx.db, scope, refundId)
  const taxRule = failed && termsOf(failed).taxRule
  const now = tx.clock.real()
  const at = toUtcTime(now)
  if (failed && (failed.is_owed || taxRule)) await undoRefund(tx.db, scope, { id: failed.id, at })
  if (taxRule) await oweTax(tx.db, paymentId, { due_at: now + DAY, updated: at })
  await oweAgain(tx, scope, paymentId, { rests: true })
}

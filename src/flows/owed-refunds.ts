import type { TxContext } from '../context.ts'
import type { Scope } from '../http/scope.ts'
import { toDecimal } from '../lib/money.ts'
import { DAY, toUtcTime } from '../lib/time.ts'
import {
  decideCharge,
  leaveCharge,
  setDetails,
  type ChargeRow,
} from '../resources/payments/charge-queries.ts'
import {
  holdRefunds,
  lastOwedRefund,
  refundThatBecame,
  undoRefund,
} from '../resources/payments/refund-queries.ts'
import { lockPayment } from '../resources/payments/queries.ts'
import type { PaymentRow } from '../resources/payments/schema.ts'
import { oweTax } from '../resources/taxes/provisional-queries.ts'
import type { RefundTerms } from './record-refund.ts'
import { giveBack, takeOwed } from './refund-payment.ts'

const termsOf = ({ details }: ChargeRow) => JSON.parse(details ?? '{}') as RefundTerms

/**
 * Makes way for what a gateway reports of a payment that is held: what its buyer is owed, and the gateway has refused to
 * give back, ends, and its part is the payment's again. False: a refund is under way of which nobody knows what becomes.
 * `oweAgain` begins anew what is left to give back.
 */
export async function makeWay(tx: TxContext, scope: Scope, paymentId: number): Promise<boolean> {
  const open = await holdRefunds(tx.db, scope, paymentId)
  if (!open.every(isResting)) return false
  const at = toUtcTime(tx.clock.real())
  for (const charge of open) {
    const ended = await decideCharge(tx.db, scope, { ...DECLINED, id: charge.id, at })
    if (!ended) throw new Error('A refund that is held stays as it is.')
    await giveBack(tx, scope, termsOf(charge))
  }
  return true
}

const DECLINED = { state: 'declined', externalId: null } as const

/** Whether its gateway has refused it, and nobody asks it again at this moment. */
const isResting = (charge: ChargeRow): boolean =>
  charge.state === 'pending' && charge.lease_until === termsOf(charge).restsUntil

/** Whether a payment has bought nothing, and so gives back nothing that somebody would have to do without. */
export async function isUnearned(tx: TxContext, scope: Scope, paymentId: number): Promise<boolean> {
  const last = await lastOwedRefund(tx.db, scope, paymentId)
  return last?.is_unearned === 1
}

interface Again {
  /** What its gateway has given back of the payment otherwise, minor units. */
  readonly given?: number
  /** Whether it rests for a day first, as the gateway could not make the last one. */
  readonly rests?: boolean
}

/**
 * Begins anew to give back what of a payment its buyer is owed still, as far as it is left: where the last refund of what
 * is owed was ended, or failed.
 */
export async function oweAgain(
  tx: TxContext,
  scope: Scope,
  paymentId: number,
  { given = 0, rests = false }: Again = {},
): Promise<void> {
  const last = await lastOwedRefund(tx.db, scope, paymentId)
  const payment = await lockPayment(tx.db, scope, paymentId)
  if (last?.state !== 'declined' || !payment) return
  const terms = withGiven(termsOf(last), given)
  if (given > 0) await setDetails(tx.db, scope, last.id, JSON.stringify(terms))
  const owed = owedOf(payment, terms, last)
  const charge = owed && (await takeOwed(tx, scope, paymentId, owed))
  if (charge && rests) await leaveCharge(tx.db, scope, charge.id, tx.clock.real() + DAY)
}

const withGiven = (terms: RefundTerms, more: number): RefundTerms & { readonly given: number } => ({
  ...terms,
  given: more + (terms.given ?? 0),
})

/** What is owed of a payment still, of which so much was owed; null: nothing. Minor units. */
function owedOf(
  payment: PaymentRow,
  { reason, given }: ReturnType<typeof withGiven>,
  { amount, is_unearned }: ChargeRow,
) {
  const isAll = is_unearned === 1
  const left = payment.gross + payment.tax - payment.refunded_gross - payment.refunded_tax
  const minor = isAll ? left : Math.min(left, amount - given)
  const why = reason === null ? {} : { reason }
  if (minor <= 0) return null
  return isAll ? why : { ...why, amount: toDecimal(minor) }
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
  if (failed && (failed.is_owed === 1 || taxRule)) await undoRefund(tx.db, scope, { id: failed.id, at })
  if (taxRule) await oweTax(tx.db, paymentId, { due_at: now + DAY, updated: at })
  await oweAgain(tx, scope, paymentId, { rests: true })
}

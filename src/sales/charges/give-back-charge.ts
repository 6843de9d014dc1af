import type { TxContext } from '../../context.ts'
import type { RefundOutcome } from '../../gateways/gateway.ts'
import { audit } from '../../access/audit.ts'
import type { Scope } from '../../access/scope.ts'
import { beginCharge, decideCharge, startedCharge, type ChargeRow } from './charge-rows.ts'
import { DAY, toUtcTime } from '../../lib/time.ts'
import { restUntil, type Resting } from '../refunds/resting-refunds.ts'

/** A refund of what became no payment. */
interface Unbought extends Resting {
  /** Of the charge at its gateway. */
  readonly chargeId: string
}

/** What a refund gives back that is of no payment; null: it is of one. */
export const unboughtOf = ({ of_charge_id: id, details }: ChargeRow): Unbought | null =>
  id !== null ? (JSON.parse(details ?? '{}') as Unbought) : null

/** Writes down that it was given back; what the gateway refuses comes again in a day. */
export async function settleUnbought(
  tx: TxContext,
  scope: Scope,
  refund: ChargeRow,
  outcome: RefundOutcome,
): Promise<void> {
  const { id } = refund
  const now = tx.clock.real()
  if (outcome.outcome === 'refused') {
    tx.log.error({ charge: id, reason: outcome.message }, 'what a buyer is owed could not be given back')
    await restUntil(tx, scope, refund, now + DAY)
    return
  }
  const { externalId } = outcome
  await decideCharge(tx.db, scope, { id, state: 'settled', externalId, at: toUtcTime(now) })
}

/**
 * Gives back a charge that was settled where nobody knows any more what it was for, or for whom, once: no payment is
 * written, but a refund of its own, which a job asks the gateway for until it is made. The audit log and the log tell it.
 */
export async function giveBackCharge(
  tx: TxContext,
  scope: Scope,
  charge: ChargeRow,
  externalId: string,
): Promise<void> {
  if (charge.amount === 0) return
  const now = tx.clock.real()
  const refund = await beginCharge(tx.db, refundOf(charge, { externalId, now }))
  tx.log.error(
    { charge: charge.id, refund: refund.id },
    'what was paid could not be bought, and is given back',
  )
  await auditUnbought(tx, scope, 'charges/given-back', { charge, refund })
}

interface Beginning {
  /** Of the charge at its gateway. */
  readonly externalId: string
  /** Real time, milliseconds. */
  readonly now: number
}

/** The refund of a charge that became no payment, whole, before it is written; a job asks for it. */
export function refundOf(charge: ChargeRow, { externalId, now }: Beginning) {
  const details: Unbought = { chargeId: externalId }
  return startedCharge(now, {
    key: `refund:charge:${charge.id}`,
    product_id: charge.product_id,
    user_id: charge.user_id,
    environment: charge.environment,
    purpose: 'refund',
    subscription_id: charge.subscription_id,
    payment_id: null,
    of_charge_id: charge.id,
    amount: charge.amount,
    currency: charge.currency,
    gateway: charge.gateway,
    details: JSON.stringify(details),
    lease_until: 0,
  })
}

/** Tells in the audit log what became of a charge that became no payment, as no other place does. */
export const auditUnbought = (
  tx: TxContext,
  { actor }: Scope,
  action: string,
  { charge, refund }: { readonly charge: ChargeRow; readonly refund: ChargeRow },
): Promise<void> =>
  audit(tx, {
    action,
    actor,
    productId: charge.product_id,
    ip: null,
    requestId: null,
    details: { charge_id: String(charge.id), refund_id: String(refund.id) },
  })

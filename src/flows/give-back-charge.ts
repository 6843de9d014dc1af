import type { TxContext } from '../context.ts'
import type { RefundOutcome } from '../gateways/gateway.ts'
import { audit } from '../http/audit.ts'
import type { Scope } from '../http/scope.ts'
import {
  beginCharge,
  decideCharge,
  leaveCharge,
  startedCharge,
  type ChargeRow,
} from '../resources/payments/charge-queries.ts'
import { DAY, toUtcTime } from '../lib/time.ts'

/** A refund of what became no payment. */
interface Unbought {
  /** Of the charge at its gateway. */
  readonly chargeId: string
}

/** What a refund gives back that is of no payment; null: it is of one. */
export const unboughtOf = ({ payment_id: id, details }: ChargeRow): Unbought | null =>
  id === null ? (JSON.parse(details ?? '{}') as Unbought) : null

/** Writes down that it was given back; what the gateway refuses comes again in a day. */
export async function settleUnbought(
  tx: TxContext,
  scope: Scope,
  { id }: ChargeRow,
  outcome: RefundOutcome,
): Promise<void> {
  const now = tx.clock.real()
  if (outcome.outcome === 'refused') {
    tx.log.error({ charge: id, reason: outcome.message }, 'what a buyer is owed could not be given back')
    await leaveCharge(tx.db, scope, id, now + DAY)
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
  const details: Unbought = { chargeId: externalId }
  const refund = await beginCharge(
    tx.db,
    startedCharge(tx.clock.real(), {
      key: `refund:charge:${charge.id}`,
      product_id: charge.product_id,
      user_id: charge.user_id,
      environment: charge.environment,
      purpose: 'refund',
      subscription_id: charge.subscription_id,
      payment_id: null,
      amount: charge.amount,
      currency: charge.currency,
      gateway: charge.gateway,
      details: JSON.stringify(details),
      lease_until: 0,
    }),
  )
  tx.log.error(
    { charge: charge.id, refund: refund.id },
    'what was paid could not be bought, and is given back',
  )
  await audit(tx, {
    action: 'charges/given-back',
    actor: scope.actor,
    productId: charge.product_id,
    ip: null,
    requestId: null,
    details: { charge_id: String(charge.id), refund_id: String(refund.id) },
  })
}

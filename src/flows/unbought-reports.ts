import type { TxContext } from '../context.ts'
import type { GatewayEvent } from '../gateways/gateway.ts'
import { systemScope, type Scope } from '../http/scope.ts'
import { DAY, toUtcTime } from '../lib/time.ts'
import { beginNext, decideCharge, type ChargeRow } from '../resources/payments/charge-queries.ts'
import { refundsOfCharge, undoRefund } from '../resources/payments/refund-queries.ts'
import type { ReportedCharge } from '../resources/payments/gateway-event-queries.ts'
import { auditUnbought, refundOf, unboughtOf } from './give-back-charge.ts'

/** `later`: what it is about is in work; `unknown`: nobody knows the charge. */
export type Taken = 'done' | 'later' | 'unknown'

export type Dispute = Extract<GatewayEvent, { type: 'dispute' }>
export type Refund = Extract<GatewayEvent, { type: 'refund' }>

interface GivenBack {
  readonly charge: ReportedCharge
  /** The last of them. */
  readonly refund: ChargeRow
}

/**
 * Takes what a gateway reports of a charge that became no payment, and is given back by a refund of its own: one that
 * failed is asked for again in a day; one that was made otherwise, or what the bank has taken back, is given back with it.
 * There are no books of it, so the audit log tells. `unknown`: nothing is given back of it.
 */
export async function takeOfUnbought(
  tx: TxContext,
  charge: ReportedCharge,
  event: Dispute | Refund,
): Promise<Taken> {
  const scope = systemScope({ developerId: charge.developer_id, productId: charge.product_id })
  const [refund] = await refundsOfCharge(tx.db, scope, charge.id)
  if (!refund) return 'unknown'
  const given = { charge, refund }
  return event.type === 'dispute' ? takeDispute(tx, scope, given, event) : takeRefund(tx, scope, given, event)
}

async function takeRefund(
  tx: TxContext,
  scope: Scope,
  given: GivenBack,
  { refundId, state, minor }: Refund,
): Promise<Taken> {
  const { charge, refund } = given
  if (refund.external_id === refundId) {
    if (state === 'failed') await refundAnew(tx, scope, given)
    return 'done'
  }
  if (state === 'failed' || minor < charge.amount) return 'done'
  return endOpen(tx, scope, given, refundId)
}

async function refundAnew(tx: TxContext, scope: Scope, { charge, refund }: GivenBack): Promise<void> {
  const now = tx.clock.real()
  if (!(await undoRefund(tx.db, scope, { id: refund.id, at: toUtcTime(now) }))) return
  const externalId = unboughtOf(refund)?.chargeId ?? ''
  const again = refundOf(charge, { externalId, now, leaseUntil: now + DAY })
  const next = await beginNext(tx.db, again, { of: 'of_charge_id' })
  tx.log.error({ charge: charge.id, refund: refund.id, next: next.id }, 'what was given back has failed')
  await auditUnbought(tx, scope, 'charges/refund-failed', { charge, refund })
}

async function takeDispute(
  tx: TxContext,
  scope: Scope,
  given: GivenBack,
  { id, state }: Dispute,
): Promise<Taken> {
  const { charge, refund } = given
  tx.log.error({ charge: charge.id, refund: refund.id, state }, 'what became no payment is disputed')
  return state === 'lost' ? endOpen(tx, scope, given, id) : 'done'
}

/** Ends the refund that its gateway has refused, as the buyer has the money otherwise. */
async function endOpen(
  tx: TxContext,
  scope: Scope,
  { charge, refund }: GivenBack,
  externalId: string,
): Promise<Taken> {
  if (refund.state !== 'started' && refund.state !== 'pending') return 'done'
  if (unboughtOf(refund)?.restsUntil !== refund.lease_until) return 'later'
  const at = toUtcTime(tx.clock.real())
  await decideCharge(tx.db, scope, { id: refund.id, state: 'settled', externalId, at })
  await auditUnbought(tx, scope, 'charges/given-back-otherwise', { charge, refund })
  return 'done'
}

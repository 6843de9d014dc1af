import { hold } from '../../db/hold.ts'
import type { TxContext } from '../../context.ts'
import type { GatewayEvent } from '../../gateways/gateway.ts'
import { systemScope, type Scope } from '../../access/scope.ts'
import { DAY, toUtcTime } from '../../lib/time.ts'
import { addCharge, beginNext, decideCharge, type ChargeRow } from './charge-rows.ts'
import { holdRefunds, refundsOf, undoRefund } from '../refunds/refund-rows.ts'
import { reportsOfRefund } from './gateway-event-queries.ts'
import type { ReportedCharge } from './reported-charge-rows.ts'
import { auditUnbought, refundOf } from './give-back-charge.ts'
import { isResting, restUntil } from '../refunds/resting-refunds.ts'

/** `later`: what it is about is in work; `unknown`: nobody knows the charge. */
export type Taken = 'done' | 'later' | 'unknown'

export type Dispute = Extract<GatewayEvent, { type: 'dispute' }>
export type Refund = Extract<GatewayEvent, { type: 'refund' }>

/** Whether it was reported before that a refund failed: a report that it was made is of an earlier moment. */
export async function hasFailed(tx: TxContext, gateway: string | null, refundId: string): Promise<boolean> {
  const reports = await reportsOfRefund(tx.db, gateway ?? '', refundId)
  return reports.some(({ report }) => (JSON.parse(report ?? '{}') as Partial<Refund>).state === 'failed')
}

/**
 * Takes what a gateway reports of a charge that became no payment, and is given back by a refund of its own: one that
 * failed is asked for again in a day; what was given back otherwise, or the bank has taken back, is written down as a
 * refund of it, and only the rest is asked for. There are no books of it, so the audit log tells. `unknown`: nothing is
 * given back of it.
 */
export async function takeOfUnbought(
  tx: TxContext,
  { developer_id: developerId, ...charge }: ReportedCharge,
  event: Dispute | Refund,
): Promise<Taken> {
  const scope = systemScope({ developerId, productId: charge.product_id })
  await hold(tx.db, 'charges', scope, charge.id)
  const refunds = await refundsOf(tx.db, scope, 'of_charge_id', charge.id)
  if (refunds.length === 0) return 'unknown'
  if (event.type === 'dispute') return takeDispute(tx, scope, charge, event)
  const known = refunds.find((one) => one.external_id === event.refundId)
  return known ? takeKnown(tx, scope, { charge, refund: known }, event) : takeRefund(tx, scope, charge, event)
}

interface GivenBack {
  readonly charge: ChargeRow
  readonly refund: ChargeRow
}

async function takeKnown(tx: TxContext, scope: Scope, given: GivenBack, { state }: Refund): Promise<Taken> {
  const { charge, refund } = given
  const at = tx.clock.now()
  if (state !== 'failed' || !(await undoRefund(tx.db, scope, { id: refund.id, at }))) return 'done'
  tx.log.error({ charge: charge.id, refund: refund.id }, 'what was given back has failed')
  await auditUnbought(tx, scope, 'charges/refund-failed', given)
  await oweRest(tx, scope, charge, { rests: true })
  return 'done'
}

async function takeRefund(
  tx: TxContext,
  scope: Scope,
  charge: ChargeRow,
  { refundId, state, minor }: Refund,
): Promise<Taken> {
  if (state === 'failed' || (await hasFailed(tx, charge.gateway, refundId))) return 'done'
  return noteOtherwise(tx, scope, charge, { name: refundId, externalId: refundId, minor })
}

/** A charge is disputed once, however often it is told. */
async function takeDispute(
  tx: TxContext,
  scope: Scope,
  charge: ChargeRow,
  { id, state, minor }: Dispute,
): Promise<Taken> {
  tx.log.error({ charge: charge.id, state }, 'what became no payment is disputed')
  if (state !== 'lost') return 'done'
  return noteOtherwise(tx, scope, charge, { name: 'dispute', externalId: id, minor })
}

interface Otherwise {
  /** What distinguishes it from all else that gave back the charge. */
  readonly name: string
  readonly externalId: string
  /** Minor units. */
  readonly minor: number
}

/** Writes down what the buyer has got otherwise, once, in the place of what its gateway has refused; the rest is owed. */
async function noteOtherwise(
  tx: TxContext,
  scope: Scope,
  charge: ChargeRow,
  { name, externalId, minor }: Otherwise,
): Promise<Taken> {
  const open = await holdRefunds(tx.db, scope, 'of_charge_id', charge.id)
  if (!open.every(isResting)) return 'later'
  const now = tx.clock.real()
  const at = toUtcTime(now)
  for (const { id } of open) await decideCharge(tx.db, scope, { id, state: 'declined', externalId: null, at })
  const row = refundOf(charge, { externalId: charge.external_id ?? '', now })
  const key = `${row.key}:${name}`
  const made = { state: 'settled', external_id: externalId, settled_at: at } as const
  const refund = await addCharge(tx.db, { ...row, ...made, key, amount: minor })
  if (refund) await auditUnbought(tx, scope, 'charges/given-back-otherwise', { charge, refund })
  await oweRest(tx, scope, charge, { rests: false })
  return 'done'
}

/** Begins anew to give back what of a charge is neither given back nor under way; `rests`: in a day. */
async function oweRest(
  tx: TxContext,
  scope: Scope,
  charge: ChargeRow,
  { rests }: { readonly rests: boolean },
): Promise<void> {
  const refunds = await refundsOf(tx.db, scope, 'of_charge_id', charge.id)
  const begun = refunds.filter(({ state }) => state !== 'declined')
  const amount = begun.reduce((rest, one) => rest - one.amount, charge.amount)
  if (amount <= 0) return
  const now = tx.clock.real()
  const row = { ...refundOf(charge, { externalId: charge.external_id ?? '', now }), amount }
  const refund = await beginNext(tx.db, row, { of: 'of_charge_id' })
  if (rests) await restUntil(tx, scope, refund, now + DAY)
}

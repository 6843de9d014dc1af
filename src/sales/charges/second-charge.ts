import { hold } from '../../db/hold.ts'
import { hash } from 'node:crypto'
import type { TxContext } from '../../context.ts'
import type { Paid } from '../../gateways/gateway.ts'
import { systemScope, type Scope } from '../../access/scope.ts'
import { toUtcTime } from '../../lib/time.ts'
import { addCharge, setOutcome, startedCharge, type ChargeRow } from './charge-rows.ts'
import type { ReportedCharge } from './reported-charge-rows.ts'
import type { PaymentRow } from '../payments/schema.ts'
import { giveBackCharge } from './give-back-charge.ts'
import { recordPayment, undoing } from '../payments/record-payment.ts'
import { takeOwed } from '../refunds/refund-payment.ts'

/**
 * Gives back what a gateway was paid a second time under the key of a charge, by its own id there, once, however often
 * and by whomever it is told: the row of that second charge decides. Where the first became a payment it is one too, which
 * the ledger shows with its refund; else only its refund is written, as `giveBackCharge` does.
 */
export async function giveBackSecond(tx: TxContext, first: ReportedCharge, paid: Paid): Promise<void> {
  const { externalId } = paid
  tx.log.error({ charge: first.id, reported: externalId }, 'a charge was made twice at its gateway')
  if (first.purpose === 'setup') return
  const scope = systemScope({ developerId: first.developer_id, productId: first.product_id })
  const second = await addCharge(tx.db, secondOf(tx, first, externalId))
  if (!second) return
  const payment =
    first.outcome_id === null ? undefined : await hold(tx.db, 'payments', scope, first.outcome_id)
  if (payment) await giveBackPayment(tx, scope, { second, payment, paid })
  else await giveBackCharge(tx, scope, second, externalId)
}

/** Its key is no charge's that was asked for. */
function secondOf(tx: TxContext, first: ChargeRow, externalId: string): Omit<ChargeRow, 'id'> {
  const { product_id, user_id, environment, purpose, subscription_id, amount, currency, gateway } = first
  const now = tx.clock.real()
  const row = startedCharge(now, {
    key: `second:${first.id}:${hash('sha256', externalId).slice(0, 32)}`,
    product_id,
    user_id,
    environment,
    purpose,
    subscription_id,
    payment_id: null,
    amount,
    currency,
    gateway,
    details: null,
    lease_until: 0,
  })
  return { ...row, state: 'settled', external_id: externalId, settled_at: toUtcTime(now) }
}

interface Twice {
  readonly second: ChargeRow
  /** What the first became. */
  readonly payment: PaymentRow
  readonly paid: Paid
}

async function giveBackPayment(tx: TxContext, scope: Scope, { second, payment, paid }: Twice): Promise<void> {
  const { id } = await recordPayment(tx, scope, {
    ...undoing(payment, 'payment', toUtcTime(tx.clock.of(payment.product_id, payment.environment))),
    bound_payment_id: null,
    gross: payment.gross,
    tax: payment.tax,
    gateway_fee: paid.fee,
    external_id: paid.externalId,
    refund_reason: null,
  })
  await setOutcome(tx.db, scope, second.id, id)
  await takeOwed(tx, scope, id, { reason: 'It was charged twice.' })
}

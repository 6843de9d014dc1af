import type { TxContext } from '../context.ts'
import type { ChargeOutcome } from '../gateways/gateway.ts'
import { systemScope } from '../http/scope.ts'
import { parseTimeText } from '../lib/time-text.ts'
import { toUtcTime, type UtcTime } from '../lib/time.ts'
import type { ChargeRow } from '../resources/payments/charge-queries.ts'
import type { ReportedCharge } from '../resources/payments/gateway-event-queries.ts'
import { lockSubscription } from '../resources/subscriptions/queries.ts'
import { reportedPurchase } from './pay-checkout.ts'
import { aboutRenewals } from './renewal-queries.ts'
import type { RenewalQuote } from './renewal-quote.ts'
import { settleCheckout } from './settle-checkout.ts'
import { settleFailed, settlePaid } from './settle-renewal.ts'

/**
 * Settles a purchase or a renewal as its gateway has told of the charge by itself, once, however often it is told and
 * asked for meanwhile: the statement that decides a charge lets one of them.
 */
export async function settleReportedCharge(
  tx: TxContext,
  charge: ReportedCharge,
  outcome: ChargeOutcome,
): Promise<void> {
  if (outcome.outcome === 'pending') return
  if (charge.state === 'declined' && outcome.outcome === 'paid') {
    tx.log.error({ charge: charge.id }, 'a charge that was declined is reported as paid')
  }
  if (charge.purpose === 'renewal') return settleReportedRenewal(tx, charge, outcome)
  const asked = await reportedPurchase(tx, charge, outcome)
  if (asked) await settleCheckout(tx, asked)
}

async function settleReportedRenewal(
  tx: TxContext,
  charge: ReportedCharge,
  outcome: Exclude<ChargeOutcome, { outcome: 'pending' }>,
): Promise<void> {
  const { subscription_id: id, product_id: productId, developer_id: developerId, details } = charge
  const period = periodOf(charge)
  if (id === null || period === null || details === null) return
  const row = await lockSubscription(tx.db, systemScope({ developerId, productId }), id)
  const [about] = await aboutRenewals(tx.db, [id])
  if (!row || !about) return
  const now = toUtcTime(tx.clock.of(productId, row.environment))
  const attempt = { row, about, now, period, ...(JSON.parse(details) as RenewalQuote), charge }
  if (outcome.outcome === 'paid') await settlePaid(tx, attempt, outcome)
  else await settleFailed(tx, attempt, outcome.message)
}

/** The end of the period that was paid before, out of the name of a renewal: `renewal:7:20260228100000:1`. */
function periodOf({ key }: ChargeRow): UtcTime | null {
  const [, y, m, d, h, min, s] = /^\w+:\d+:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d):\d+$/.exec(key) ?? []
  return y === undefined ? null : parseTimeText(`${y}-${m}-${d} ${h}:${min}:${s}`, 'first second')
}

import type { TxContext } from '../../context.ts'
import type { ChargeOutcome } from '../../gateways/gateway.ts'
import type { ReportedCharge } from './reported-charge-rows.ts'
import { reportedPurchase } from '../checkouts/front/pay.ts'
import { attemptOf } from '../renewals/attempt.ts'
import { settleAfterAll, settlePaidRenewal, type AfterAll } from './settle-after-all.ts'
import { settleFailed } from '../renewals/settle-renewal.ts'
import { settleCheckout } from '../checkouts/front/settle.ts'

type Decided = Exclude<ChargeOutcome, { outcome: 'pending' }>

/**
 * Settles a purchase or a renewal as its gateway has told of the charge by itself, once, however often it is told and
 * asked for meanwhile: the statement that decides a charge lets one of them. What was declined and is paid after all
 * is settled too, or given back where it was paid otherwise meanwhile; `later`: somebody pays otherwise.
 */
export async function settleReportedCharge(
  tx: TxContext,
  charge: ReportedCharge,
  outcome: ChargeOutcome,
): Promise<AfterAll> {
  if (outcome.outcome === 'pending') return 'done'
  if (charge.purpose === 'renewal') return settleReportedRenewal(tx, charge, outcome)
  const asked = await reportedPurchase(tx, charge, outcome)
  if (asked && ((await settleCheckout(tx, asked)) !== undefined || charge.purpose === 'setup')) return 'done'
  return outcome.outcome === 'paid' ? settleAfterAll(tx, charge, outcome) : 'done'
}

async function settleReportedRenewal(tx: TxContext, charge: ReportedCharge, outcome: Decided) {
  const attempt = await attemptOf(tx, charge)
  if (attempt && outcome.outcome === 'paid') await settlePaidRenewal(tx, attempt, outcome)
  else if (attempt && outcome.outcome === 'declined') await settleFailed(tx, attempt, outcome.message)
  else if (outcome.outcome === 'paid') return settleAfterAll(tx, charge, outcome)
  return 'done' as const
}

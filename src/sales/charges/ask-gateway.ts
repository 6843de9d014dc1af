import type { Context } from '../../context.ts'
import { gatewayFor } from '../../gateways/choose.ts'
import { GatewayUnreachable, type ChargeOutcome, type SetUpOutcome } from '../../gateways/gateway.ts'
import { ApiError } from '../../lib/errors.ts'
import { fromUtcTime, HOUR } from '../../lib/time.ts'
import type { ChargeRow } from './charge-rows.ts'

/** How long a buyer has to confirm, who keeps coupon and checkout from other tries meanwhile. */
const CONFIRM_MS = HOUR

/** What a gateway answers to somebody who waits; 503 `gateway_unreachable` without an answer, whose cause it is. */
export async function reached<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof GatewayUnreachable)) throw error
    const message = 'The payment gateway does not answer; ask again in a moment.'
    const refusal = new ApiError(503, 'gateway_unreachable', message, { headers: { 'retry-after': '60' } })
    throw Object.assign(refusal, { cause: error })
  }
}

/** A method that is set up is an answer as a payment of nothing is. */
export const readied = (outcome: ChargeOutcome | SetUpOutcome): ChargeOutcome =>
  outcome.outcome === 'ready'
    ? { outcome: 'paid', externalId: outcome.externalId, fee: 0, method: outcome.method }
    : outcome

/** Ends a charge that waits for its buyer; what was paid meanwhile is paid. As `reached`. */
async function giveUp(
  ctx: Context,
  charge: Pick<ChargeRow, 'gateway' | 'environment'>,
  outcome: ChargeOutcome,
): Promise<ChargeOutcome> {
  if (outcome.outcome !== 'pending') return outcome
  const ended = await reached(gatewayFor(ctx.gateways, charge).cancel(outcome.externalId))
  return ended ? readied(ended) : outcome
}

/** Ends a charge that its gateway has named, whatever it was when it was asked for, as `giveUp`. */
export const giveUpWaiting = (ctx: Context, charge: ChargeRow): Promise<ChargeOutcome> =>
  giveUp(ctx, charge, { outcome: 'pending', externalId: charge.external_id ?? '', confirmationUrl: null })

/** Ends a confirmation that a buyer has left for long, as `giveUp`; what the bank has in work is waited for. */
export async function giveUpLeft(
  ctx: Context,
  charge: ChargeRow,
  outcome: ChargeOutcome,
): Promise<ChargeOutcome> {
  const isOld = ctx.clock.real() - fromUtcTime(charge.created) >= CONFIRM_MS
  const waits = outcome.outcome === 'pending' && outcome.confirmationUrl !== null
  return isOld && waits ? giveUp(ctx, charge, outcome) : outcome
}

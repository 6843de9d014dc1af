import type { Context } from '../context.ts'
import {
  KEYS_LAST_MS,
  type ChargeOutcome,
  type ChargeState,
  type Declined,
  type Gateway,
} from '../gateways/gateway.ts'
import { fromUtcTime, MINUTE } from '../lib/time.ts'
import type { ChargeRow } from '../resources/payments/charge-queries.ts'

/**
 * How a charge stands at its gateway, before it is asked for again: by its id there, or by its key where the gateway may
 * have forgotten that, and would charge a second time for it. Null: it can be asked for under its key. As the
 * gateway, `GatewayUnreachable` without an answer.
 */
export async function knownCharge(
  ctx: Pick<Context, 'clock'>,
  gateway: Gateway,
  charge: ChargeRow,
): Promise<ChargeState | null> {
  const named = await namedCharge(gateway, charge)
  if (named || !gateway.byKey || !isKeyOld(ctx, charge)) return named
  return gateway.byKey.charge(charge.key)
}

/** How a charge stands that the gateway has named; null: it has not, or does not know it by that name. */
const namedCharge = async (gateway: Gateway, { external_id: id }: ChargeRow): Promise<ChargeState | null> =>
  id === null ? null : gateway.retrieveCharge(id)

/** How long what a buyer asked for may be charged for that had no answer (`docs/decisions.md` 5.12). */
const ANEW_MS = 15 * MINUTE

/** Whether a purchase was asked for so lately that it may still be charged; after that it is only looked up. */
export const isRecent = (
  { clock }: Pick<Context, 'clock'>,
  { created }: Pick<ChargeRow, 'created'>,
): boolean => clock.real() - fromUtcTime(created) <= ANEW_MS

/** A gateway has not made a charge and never will under its key: nobody has declined anything. */
export interface NotMade {
  readonly outcome: 'not made'
  /** For whoever runs the server. */
  readonly reason: string
  /** Whether the gateway refused to make it, as it may refuse the next. */
  readonly isRefused: boolean
}

export const NEVER_MADE: NotMade = {
  outcome: 'not made',
  reason: 'The payment gateway has not made this payment.',
  isRefused: false,
}

/** The same to a buyer who asked for it, and for whom it ends there. */
export const UNMADE: Declined = {
  outcome: 'declined',
  externalId: null,
  reason: 'declined',
  message: NEVER_MADE.reason,
}

/**
 * How a charge stands that is not to be made any more: it is looked up by its id or its key, and never asked for anew.
 * Null: the gateway does not find it, and may not find it yet. As the gateway, `GatewayUnreachable` without an answer.
 */
export async function lookedUp(
  ctx: Pick<Context, 'clock'>,
  gateway: Gateway,
  charge: ChargeRow,
): Promise<ChargeOutcome | NotMade | null> {
  const found = (await namedCharge(gateway, charge)) ?? (await gateway.byKey?.charge(charge.key))
  if (found) return found.charge
  return gateway.byKey && !isKeyOld(ctx, charge) ? null : NEVER_MADE
}

/** Whether a gateway that forgets keys may have forgotten that of a charge. */
export const isKeyOld = (
  { clock }: Pick<Context, 'clock'>,
  { created }: Pick<ChargeRow, 'created'>,
): boolean => clock.real() - fromUtcTime(created) > KEYS_LAST_MS

import type { Context } from '../context.ts'
import { KEYS_LAST_MS, type ChargeState, type Gateway } from '../gateways/gateway.ts'
import { fromUtcTime } from '../lib/time.ts'
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
  const { external_id: id, key } = charge
  const named = id === null ? null : await gateway.retrieveCharge(id)
  if (named || !gateway.byKey || !isKeyOld(ctx, charge)) return named
  return gateway.byKey.charge(key)
}

/** Whether a gateway that forgets keys may have forgotten that of a charge. */
export const isKeyOld = (
  { clock }: Pick<Context, 'clock'>,
  { created }: Pick<ChargeRow, 'created'>,
): boolean => clock.real() - fromUtcTime(created) > KEYS_LAST_MS

import type { Context } from '../../context.ts'
import { GatewayUnreachable, type ChargeState, type Gateway } from '../../gateways/gateway.ts'
import { DAY, fromUtcTime } from '../../lib/time.ts'
import type { ChargeRow } from './charge-rows.ts'

type Looked = Pick<ChargeRow, 'key' | 'created' | 'missed_at'>

/**
 * The charge that a gateway has made under a key; null: none. `GatewayUnreachable` where the gateway does not list any
 * more what it was asked for so long ago, as that it does not find it says nothing then.
 */
export async function foundByKey(
  { clock }: Pick<Context, 'clock'>,
  gateway: Gateway,
  charge: Looked,
): Promise<ChargeState | null> {
  const now = clock.real()
  if (!isListed(gateway, charge, now))
    throw new GatewayUnreachable('The gateway does not list what it was asked for so long ago.')
  return (await gateway.byKey?.charge(charge.key, unknownSince(charge, now))) ?? null
}

/** Whether a gateway still lists all that it may have made of a charge. */
export const isListed = ({ foundForMs = Infinity }: Gateway, charge: Looked, now: number): boolean =>
  now - unknownSince(charge, now) <= foundForMs

/** How long a gateway may take to list what it has made. */
const LISTED_LATE_MS = DAY

/** From when on it is not known whether a charge was made: when it was missed, all before that was looked through. */
function unknownSince({ created, missed_at: missed }: Looked, now: number): number {
  const begun = fromUtcTime(created)
  return missed !== null && missed <= now ? Math.max(begun, missed - LISTED_LATE_MS) : begun
}

import { transaction, type Context, type TxContext } from '../../context.ts'
import { findGateway } from '../../gateways/choose.ts'
import {
  KEYS_LAST_MS,
  type ChargeOutcome,
  type ChargeState,
  type Declined,
  type Gateway,
} from '../../gateways/gateway.ts'
import { DAY, fromUtcTime, HOUR, MINUTE } from '../../lib/time.ts'
import type { ChargeRow } from './charge-rows.ts'
import { foundByKey } from './found-by-key.ts'
import { lookAt, noteMissed } from './left-charge-queries.ts'

/**
 * How a charge stands at its gateway, before it is asked for again: by its id there, or by its key where the gateway
 * may have forgotten that, and would charge a second time for it. Null: it can be asked for under its key. As the
 * gateway, `GatewayUnreachable` without an answer.
 */
export async function knownCharge(
  ctx: Context,
  gateway: Gateway,
  charge: ChargeRow,
): Promise<ChargeState | null> {
  const named = await namedCharge(gateway, charge)
  if (named || !gateway.byKey || !isKeyOld(ctx, charge)) return named
  return chargeByKey(ctx, gateway, charge)
}

/** How a charge stands that the gateway has named; null: it has not, or does not know it by that name. */
export const namedCharge = async (
  gateway: Gateway,
  { external_id: id }: Pick<ChargeRow, 'external_id'>,
): Promise<ChargeState | null> => (id === null ? null : gateway.retrieveCharge(id))

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

const NEVER_MADE: NotMade = {
  outcome: 'not made',
  reason: 'The payment gateway has not made this payment.',
  isRefused: false,
}

/** What is never made, to a buyer who asked for it, and for whom it ends there. */
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
  ctx: Context,
  gateway: Gateway,
  charge: ChargeRow,
): Promise<ChargeOutcome | NotMade | null> {
  const found = (await namedCharge(gateway, charge)) ?? (await chargeByKey(ctx, gateway, charge))
  if (found) return found.charge
  return gateway.byKey && !isMissing(ctx, charge) ? null : NEVER_MADE
}

/** Notes when it was first not found shortly before it may be taken for never made, or later. */
async function chargeByKey(ctx: Context, gateway: Gateway, charge: ChargeRow): Promise<ChargeState | null> {
  const found = await foundByKey(ctx, gateway, charge)
  if (gateway.byKey && !found && isOlder(ctx, charge, keysLastOf(ctx, charge) - MISSING_MS))
    await transaction(ctx, ({ db, clock }) => noteMissed(db, charge.id, clock.real()))
  return found
}

/** How long after it was first not found a charge is looked up again before it is taken for never made. */
const MISSING_MS = HOUR

/**
 * Whether a gateway has not found a charge at two looks some time apart: a request may be on its way longer than a
 * clock that jumps says.
 */
export const isMissing = (ctx: Pick<Context, 'clock' | 'gateways'>, charge: ChargeRow): boolean =>
  isKeyOld(ctx, charge) && charge.missed_at !== null && ctx.clock.real() - charge.missed_at >= MISSING_MS

/** Until what is not decided is looked at again, milliseconds: the longer the older it is; what may be missing soon. */
export function restOf(
  { clock }: Pick<Context, 'clock'>,
  charge: Pick<ChargeRow, 'created' | 'external_id'>,
): number {
  const age = clock.real() - fromUtcTime(charge.created)
  const isLost = charge.external_id === null && isOlder({ clock }, charge, KEYS_LAST_MS - 2 * MISSING_MS)
  return Math.floor(Math.min(isLost ? MISSING_MS : DAY, Math.max(0, age / 4)))
}

/** How long after it was let go as never made a charge is looked up for the last time. */
export const LAST_LOOK_MS = DAY

/** Has what was let go as never made looked up once more; nothing of what its gateway could not have been asked for. */
export async function lookLater(tx: TxContext, charge: ChargeRow): Promise<void> {
  if (charge.missed_at !== null) await lookAt(tx.db, charge.id, tx.clock.real() + LAST_LOOK_MS)
}

type Named = Pick<ChargeRow, 'created' | 'gateway' | 'environment'>

/** Whether a gateway that forgets keys may have forgotten that of a charge. */
export const isKeyOld = (ctx: Pick<Context, 'clock' | 'gateways'>, charge: Named): boolean =>
  isOlder(ctx, charge, keysLastOf(ctx, charge))

const keysLastOf = ({ gateways }: Pick<Context, 'gateways'>, charge: Named): number =>
  findGateway(gateways, charge)?.keysLastMs ?? KEYS_LAST_MS

const isOlder = (
  { clock }: Pick<Context, 'clock'>,
  { created }: Pick<ChargeRow, 'created'>,
  ms: number,
): boolean => clock.real() - fromUtcTime(created) > ms

import { CHARGE_TOKEN_PLACE } from '../../db/sealed-columns.ts'
import type { Context } from '../../context.ts'
import { gatewayFor } from '../../gateways/choose.ts'
import type { ChargeOutcome, ChargeRequest, Gateway, SetUpOutcome } from '../../gateways/gateway.ts'
import type { Scope } from '../../access/scope.ts'
import { fromUtcTime } from '../../lib/time.ts'
import { type CheckoutRow, emailOf, type Kept } from '../checkouts/front/show.ts'
import type { ChargeRow } from './charge-rows.ts'
import { readied, reached } from './ask-gateway.ts'
import { isRecent, knownCharge, lookedUp, UNMADE } from './known-charge.ts'

/** What a charge was asked for with, so that it is asked for in the same words again. */
export interface ChargeDetails {
  readonly checkoutId: number
  readonly priced: Kept
  readonly returnUrl: string
  /** What the buyer reads on the statement; absent: the name of the server. */
  readonly description?: string
}

export const detailsOf = ({ details }: ChargeRow) => JSON.parse(details ?? '{}') as ChargeDetails

/** The method of payment that a charge is asked for with; empty where none is kept. */
export const tokenOf = (keys: Context['keys'], { token }: Pick<ChargeRow, 'token'>): string =>
  token === null ? '' : keys.open(token, CHARGE_TOKEN_PLACE)

/**
 * What the gateway says of the charge of a checkout: it is asked for under its name, and some minutes later only looked
 * up (`docs/decisions.md` 5.12). Null: it is not found yet. 503 `gateway_unreachable` without an answer; as the
 * gateway, `GatewayRefused` and `CardNumberRefused`.
 */
export async function askForCharge(
  ctx: Context,
  scope: Scope,
  charge: ChargeRow,
  row: CheckoutRow,
): Promise<ChargeOutcome | null> {
  const gateway = gatewayFor(ctx.gateways, charge)
  const email = await emailOf(ctx, scope, row)
  const isKept = row.billing_cycle !== 0 || row.action === 'payment_method_update'
  return charge.purpose === 'setup'
    ? readied(await reached(setUp(ctx, gateway, charge, email)))
    : reached(charged(ctx, gateway, charge, { email, isKept }))
}

async function charged(
  ctx: Context,
  gateway: Gateway,
  charge: ChargeRow,
  how: Pick<ChargeRequest, 'email' | 'isKept'>,
): Promise<ChargeOutcome | null> {
  if (!isRecent(ctx, charge)) {
    const found = await lookedUp(ctx, gateway, charge)
    return found?.outcome === 'not made' ? UNMADE : found
  }
  const known = await knownCharge(ctx, gateway, charge)
  if (known) return known.charge
  const amount = { minor: charge.amount, currency: charge.currency }
  const { description = 'Keywright' } = detailsOf(charge)
  return gateway.charge({ ...requestOf(ctx, charge), ...how, amount, description })
}

async function setUp(
  ctx: Context,
  gateway: Gateway,
  charge: ChargeRow,
  email: string,
): Promise<SetUpOutcome> {
  const known = charge.external_id === null ? null : await gateway.retrieveSetUp(charge.external_id)
  if (known) return known
  if (isRecent(ctx, charge)) return gateway.setUp({ ...requestOf(ctx, charge), email })
  return (await gateway.byKey?.setUp?.(charge.key, fromUtcTime(charge.created))) ?? UNMADE
}

function requestOf({ keys }: Context, charge: ChargeRow) {
  const { returnUrl } = detailsOf(charge)
  return { key: charge.key, token: tokenOf(keys, charge), returnUrl }
}

import { transaction, type Context, type TxContext } from '../../context.ts'
import { findGateway } from '../../gateways/choose.ts'
import {
  GatewayRefused,
  GatewayUnreachable,
  type ChargeOutcome,
  type Gateway,
} from '../../gateways/gateway.ts'
import { systemScope } from '../../access/scope.ts'
import { isSandbox } from '../../lib/environment.ts'
import { errorText } from '../../lib/error-text.ts'
import { MINUTE, toUtcTime } from '../../lib/time.ts'
import {
  leaveCharge,
  nameCharge,
  takeCharge,
  type ChargeRow,
  type OpenCharge,
} from '../charges/charge-rows.ts'
import { lateBy } from './late-renewal.ts'
import { findRenewalWatch } from '../../work/renewal-watch-rows.ts'
import { isHeld } from '../../work/renewal-watch.ts'
import { isMissing, knownCharge, lookedUp, restOf, type NotMade } from '../charges/known-charge.ts'
import { inHandOf } from '../charges/left-lease.ts'
import { attemptOf, type RenewalDetails } from './attempt.ts'
import { isDueStill } from './fate.ts'
import { settlePaidRenewal } from '../charges/settle-after-all.ts'
import { attemptBefore, scopeOf, settleFailed, type Attempt } from './settle-renewal.ts'
import { closeUnmade } from './unmade-renewal.ts'

/** How long who asks a gateway has a charge in hand: longer than that takes to answer. */
export const LEASE_MS = 2 * MINUTE
/** How long a gateway that does not answer, or a bank that has not decided, is left alone at least. */
export const REST_MS = 10 * MINUTE

export const NOT_SET_UP = 'the gateway of a renewal is not set up'

/** A charge whose gateway is to be asked. */
export interface Asking {
  readonly charge: ChargeRow
  /** The sealed method of payment; null: it is gone. */
  readonly token: string | null
  /** What the buyer reads on the statement. */
  readonly description: string
  /** Whether it may be charged now if it was not; else it is only found out what became of it. */
  readonly isWanted: boolean
}

/**
 * Follows a renewal that was asked for until it is known what became of it, whatever has become of its subscription, and
 * settles it then: whether it is decided. What is due no more is looked up and never charged anew.
 */
export async function followRenewal(
  ctx: Context,
  { id, product_id: productId, developer_id: developerId }: Omit<OpenCharge, 'created'>,
): Promise<boolean> {
  const scope = systemScope({ developerId, productId })
  const asking = await transaction(ctx, async (tx) => {
    const now = tx.clock.real()
    const charge = await takeCharge(tx.db, scope, { id, now, leaseUntil: now + LEASE_MS })
    const attempt = charge && (await attemptOf(tx, { ...charge, developer_id: developerId }))
    return attempt && askingFor(tx, attempt)
  })
  if (!asking) return false
  return inHandOf(ctx, { scope, taken: asking.charge }, async () => {
    const outcome = await askRenewal(ctx, asking)
    return transaction(ctx, async (tx) => {
      const attempt = await attemptOf(tx, { ...asking.charge, developer_id: developerId })
      return attempt ? settleRenewal(tx, attempt, outcome) : false
    })
  })
}

async function askingFor(tx: TxContext, attempt: Attempt & { readonly charge: ChargeRow }): Promise<Asking> {
  const { row, about, period, charge } = attempt
  const due = { id: row.id, period, attempt: attemptBefore(attempt) }
  const details = JSON.parse(charge.details ?? '{}') as RenewalDetails
  const isWanted =
    about.token !== null &&
    lateBy(attempt, period).over === 0 &&
    !(!isSandbox(row.environment) && isHeld(await findRenewalWatch(tx.db), tx.clock.real())) &&
    (await isDueStill(tx, scopeOf(attempt), due))
  return { charge, token: about.token, description: details.description ?? about.product, isWanted }
}

type RenewalOutcome = ChargeOutcome | NotMade | null

/** What the gateway says of a renewal; null: nothing yet. */
export async function askRenewal(ctx: Context, asking: Asking): Promise<RenewalOutcome> {
  const { charge } = asking
  const gateway = findGateway(ctx.gateways, charge)
  if (!gateway) {
    const { id, gateway: code, environment } = charge
    ctx.log.error({ gateway: code, environment, charge: id }, NOT_SET_UP)
    return null
  }
  try {
    return await (asking.isWanted ? askAgain(ctx, gateway, asking) : lookedUp(ctx, gateway, charge))
  } catch (error) {
    if (error instanceof GatewayUnreachable) return null
    throw error
  }
}

/** What the gateway does not name it has not made, or still finds by its key. */
async function askAgain(ctx: Context, gateway: Gateway, asking: Asking): Promise<RenewalOutcome> {
  const { charge, token } = asking
  const known = await knownCharge(ctx, gateway, charge)
  if (known) return known.charge
  if (token === null) return null
  const isForgotten = gateway.byKey !== undefined && isMissing(ctx, charge)
  try {
    return await chargeNow(ctx, gateway, { ...asking, token })
  } catch (error) {
    if (!isRefusedForGood(error, isForgotten)) throw error
    return { outcome: 'not made', reason: reasonOf(error), isRefused: true }
  }
}

const reasonOf = (error: unknown): string =>
  errorText(error instanceof GatewayRefused && error.cause !== undefined ? error.cause : error)

const chargeNow = (
  { keys }: Context,
  gateway: Gateway,
  { charge, token, description }: Asking & { readonly token: string },
): Promise<ChargeOutcome> =>
  gateway.chargeStored({
    key: charge.key,
    amount: { minor: charge.amount, currency: charge.currency },
    description,
    method: keys.open(token, 'payment_methods.token'),
  })

/** Whatever a gateway refuses a day later was not done under a key that it has forgotten. */
const isRefusedForGood = (error: unknown, isForgotten: boolean): boolean =>
  error instanceof GatewayRefused
    ? error.isForGood || isForgotten
    : isForgotten && !(error instanceof GatewayUnreachable)

/** Writes down what a gateway said of a renewal; whether it is decided. */
export async function settleRenewal(
  tx: TxContext,
  attempt: Attempt & { readonly charge: ChargeRow },
  outcome: RenewalOutcome,
): Promise<boolean> {
  switch (outcome?.outcome) {
    case 'paid':
      await settlePaidRenewal(tx, attempt, outcome)
      return true
    case 'not made':
      await closeUnmade(tx, attempt, outcome)
      return true
    case 'declined':
      await settleFailed(tx, attempt, outcome.message)
      return true
    default:
      await rest(tx, attempt, outcome?.externalId ?? null)
      return false
  }
}

/** Comes again, the less often the older it is, each day at least; it is known as pending once the gateway has named it. */
async function rest(
  tx: TxContext,
  attempt: Attempt & { readonly charge: ChargeRow },
  externalId: string | null,
): Promise<void> {
  const { id } = attempt.charge
  const now = tx.clock.real()
  const scope = scopeOf(attempt)
  if (externalId !== null) await nameCharge(tx.db, scope, { id, externalId, updated: toUtcTime(now) })
  await leaveCharge(tx.db, scope, id, now + Math.max(REST_MS, restOf(tx, attempt.charge)))
}

import { CHARGE_TOKEN_PLACE } from '../../db/sealed-columns.ts'
import { transaction, type Context, type ReadContext, type TxContext } from '../../context.ts'
import { findGateway, gatewayFor } from '../../gateways/choose.ts'
import type { ChargeOutcome } from '../../gateways/gateway.ts'
import type { Scope } from '../../access/scope.ts'
import { toMinor } from '../../lib/money.ts'
import { MINUTE } from '../../lib/time.ts'
import { chargeKeyOf } from './unpaid-queries.ts'
import {
  beginPaying,
  endPaying,
  findCheckoutOfCharge,
  findCheckoutRow,
  noteBegun,
  type OwnedCheckout,
} from './queries.ts'
import type { CheckoutPay, CheckoutRow } from './schema.ts'
import {
  findCharge,
  insertCharge,
  startedCharge,
  takeCharge,
  type ChargeRow,
} from '../charges/charge-rows.ts'
import { askForCharge, detailsOf, tokenOf, type ChargeDetails } from '../charges/ask-for-charge.ts'
import { giveUpLeft, giveUpWaiting } from '../charges/ask-gateway.ts'
import { inProgress, repriced, seenOf, type Asked, type Kept, type Priced } from './action.ts'
import { actionOf } from './actions.ts'
import { holdToken, isForNothing, isProvenBuyer, requireBuyer, requireMethod } from './buyer.ts'
import { consentsIn } from './consents.ts'
import { buyerIn } from './sale.ts'
import { requireReturn, usualReturn } from './targets.ts'
import { getCheckout, scopeOfCheckout } from './checkout.ts'
import { keptOf, refusalOf } from './quote.ts'
import { trialToSpare } from '../subscriptions/convert-trial.ts'
import { refusedCoupon } from '../coupons/coupon-guards.ts'
import { countGuess, isGuess, isUncounted, type GuessLimits } from './guessed-buyer.ts'
import { endLeftElsewhere, isTwice } from './left-elsewhere.ts'
import { giveBackLease, inHandOf, type Taken } from '../charges/left-lease.ts'
import { settleCheckout } from './settle-checkout.ts'
import { requireSale } from './require-sale.ts'
import { stateOf } from './state.ts'
import { isUnasked, letGoUnasked } from '../charges/unasked-charge.ts'

/** How long who asks a gateway has a checkout in hand; after it a job or another try asks again. */
const LEASE_MS = 2 * MINUTE

/** Who pays, and against which limits is counted what they may guess at; without: nobody guesses. */
type Paying = CheckoutPay & { readonly limits?: GuessLimits }

/** What the gateway said, and what of it this call has in hand. */
type AskedFor = Asked & Taken

/**
 * Takes a checkout in hand and asks the gateway for its money, in this order: of any number at once one does, and a
 * charge has one name whenever it is asked for again. `settleCheckout` does the rest. Null: it is paid already. 400
 * `checkout_in_progress`, `checkout_repriced`, `waiver_required`, `already_purchased`, the reason of a coupon, `gateway_not_configured`, and
 * `product_not_sold`, as `holdLicenseOf`; 402 for what the buyer must still say; 429 as `countGuess`; 503
 * `gateway_unreachable`: whether it was charged is found out later.
 */
export async function askForPurchase(
  ctx: Context,
  from: Scope,
  token: string,
  input: Paying,
): Promise<AskedFor | null> {
  const checkout = await getCheckout(ctx, token)
  if (checkout.state === 'paid') return null
  if (checkout.charge_id !== null) await giveBackLease(ctx, checkout.charge_id)
  const scope = scopeOfCheckout(from, checkout)
  await countGuess(ctx, scope, checkout, input.limits)
  const beginning = { ctx, scope, checkout, input }
  const begun = await transaction(ctx, (tx) => begin(tx, beginning)).catch(async (error: unknown) => {
    if (!isTwice(error) || !(await endLeftElsewhere(ctx, scope, checkout))) throw error
    return transaction(ctx, (tx) => begin(tx, beginning))
  })
  if (!begun) return null
  if (begun === 'repriced') throw repriced()
  const { row, kept, charge, taken, isFirst } = begun
  const asked = { checkout: { ...row, developer_id: checkout.developer_id }, scope, kept, charge, taken }
  if (charge && isOtherMethod(ctx, charge, input)) {
    const outcome = await giveUpWaiting(ctx, charge)
    if (outcome.outcome !== 'declined') return { ...asked, outcome }
    await transaction(ctx, (tx) => settleCheckout(tx, { ...asked, outcome }))
    return askForPurchase(ctx, from, token, input)
  }
  return inHandOf(ctx, asked, async () => {
    try {
      return { ...asked, outcome: charge && (await askForCharge(ctx, scope, charge, row)) }
    } catch (error) {
      if (isUnasked(error, isFirst)) await letGoUnasked(ctx, asked, error)
      throw error
    }
  })
}

/** Whether a charge that waits for its buyer is to be paid by another method instead. */
const isOtherMethod = (
  { keys }: Context,
  charge: ChargeRow,
  { payment_token: token }: CheckoutPay,
): boolean => charge.external_id !== null && token !== undefined && token !== tokenOf(keys, charge)

interface Beginning {
  readonly ctx: Context
  readonly scope: Scope
  readonly checkout: OwnedCheckout
  readonly input: CheckoutPay
}

interface Begun {
  readonly row: CheckoutRow
  readonly kept: Kept
  readonly charge: ChargeRow | null
  readonly taken: Taken['taken']
  /** Whether nobody can have asked the gateway for it before. */
  readonly isFirst: boolean
}

async function begin(
  tx: TxContext,
  { ctx, scope, checkout, input }: Beginning,
): Promise<Begun | 'repriced' | null> {
  const row = await beginPaying(tx.db, checkout.id, tx.clock.now())
  if (!row) return takeOver(tx, scope, checkout)
  if (isUncounted(row, checkout)) throw repriced()
  requireBuyer(row)
  const state = await stateOf(tx, scope, row)
  requireReturn(tx, state, input.return_url)
  const action = actionOf(row)
  const priced = await action.price(tx, state)
  requireSale(state, priced)
  if (!isAsTold(row, priced, input)) return reopened(tx, row, priced)
  const consents = consentsIn(tx, row, { costs: priced, input })
  const reason = refusalOf(priced)
  if (reason !== null) throw refusedCoupon(reason)
  // Who has no method of payment learns nothing of the past of an address.
  if (isGuess(row)) requireMethod(priced, input)
  await holdToken(tx, row)
  await action.hold(tx, scope, row, priced)
  const kept = keptOf(priced, row)
  const buyer = { ...buyerIn(row), isProven: isProvenBuyer(row) }
  const tried = row.action === 'purchase' ? await trialToSpare(tx, scope, buyer) : null
  const charge = await chargeOf(tx, { ctx, row, kept, input, tried, product: priced.product })
  await noteBegun(tx.db, row.id, {
    charge_id: charge?.id ?? null,
    kept: JSON.stringify(kept),
    ...consents,
  })
  return { row, kept, charge, taken: charge, isFirst: true }
}

/** Whether it comes to what the buyer was told: the total that was read, or else what a change was opened with. */
const isAsTold = ({ seen }: CheckoutRow, priced: Priced, { total }: CheckoutPay): boolean =>
  total === undefined
    ? priced.change === null || seen === seenOf(priced)
    : toMinor(total) === priced.quote.total

async function reopened(tx: TxContext, row: CheckoutRow, priced: Priced): Promise<'repriced'> {
  const updated = tx.clock.now()
  await endPaying(tx.db, row, { state: 'open', seen: seenOf(priced), updated })
  return 'repriced'
}

interface ToCharge {
  readonly ctx: Context
  readonly row: CheckoutRow
  readonly kept: Kept
  readonly input: CheckoutPay
  /** The subscription that the buyer tries, which is not charged meanwhile. */
  readonly tried: number | null
  readonly product: Priced['product']
}

/** Whether what costs nothing now is charged later, for which a method of payment that is given is kept. */
const renewsAtPrice = ({ renewal }: Kept): boolean => renewal !== null && renewal.quote.total > 0

/** Writes down what a gateway is asked for; null: nothing. */
async function chargeOf(
  tx: TxContext,
  { ctx, row, kept, input, tried, product }: ToCharge,
): Promise<ChargeRow | null> {
  const isOptional = isForNothing(kept)
  const isWanted = !isOptional || input.gateway !== undefined
  if (isOptional && (input.payment_token === undefined || !renewsAtPrice(kept))) return null
  requireMethod(kept, input)
  const { total, currency } = kept.quote
  const { payment_token: method = '', return_url: returnUrl = usualReturn(tx) } = input
  const { title: description, accepted_payments: accepted } = product
  const { environment, country_code: country } = row
  const wanted = { environment, gateway: input.gateway, accepted, buyer: { currency, country } }
  const gateway = (isWanted ? gatewayFor : findGateway)(ctx.gateways, wanted)
  if (!gateway) return null
  const details: ChargeDetails = { checkoutId: row.id, priced: kept, returnUrl, description }
  const now = tx.clock.real()
  const charge = startedCharge(now, {
    key: chargeKeyOf(row),
    product_id: row.product_id,
    user_id: row.user_id,
    environment: row.environment,
    purpose: total === 0 ? 'setup' : actionOf(row).purpose,
    subscription_id: kept.change?.subscriptionId ?? tried,
    payment_id: null,
    amount: total,
    currency,
    gateway: gateway.code,
    details: JSON.stringify(details),
    token: tx.keys.seal(method, CHARGE_TOKEN_PLACE),
    lease_until: now + LEASE_MS,
  })
  return insertCharge(tx.db, charge)
}

/**
 * A checkout in which somebody began to pay who has it in hand no more; null: it was paid meanwhile. Of a charge that
 * the gateway has named anybody may ask how it stands.
 */
async function takeOver(tx: TxContext, scope: Scope, { id }: OwnedCheckout): Promise<Begun | null> {
  const current = await findCheckoutRow(tx.db, id)
  if (!current || current.state === 'paid') return null
  if (current.charge_id === null && current.kept !== null)
    return { row: current, kept: JSON.parse(current.kept) as Kept, charge: null, taken: null, isFirst: false }
  const known = current.charge_id === null ? null : await inHand(tx, scope, current.charge_id)
  if (!known?.charge.details) throw inProgress()
  return { row: current, kept: detailsOf(known.charge).priced, ...known, isFirst: false }
}

/** A charge that the gateway has named, whoever has it in hand; or one that is taken in hand. */
async function inHand(tx: TxContext, scope: Scope, id: number) {
  const known = await findCharge(tx.db, scope, id)
  if (known?.state === 'pending' && known.external_id !== null) return { charge: known, taken: null }
  const now = tx.clock.real()
  const taken = await takeCharge(tx.db, scope, { id, now, leaseUntil: now + LEASE_MS })
  return taken ? { charge: taken, taken } : null
}

/**
 * Goes on with a purchase that nobody has in hand: what was asked for lately is asked for again, under its name, and
 * later only looked up. Null when somebody has, or it is settled: here too, where its gateway never saw it.
 */
export async function resumePurchase(ctx: Context, chargeId: number): Promise<AskedFor | null> {
  const checkout = await findCheckoutOfCharge(ctx.db, chargeId)
  if (!checkout) return null
  const scope = scopeOfCheckout({ ip: null, requestId: null }, checkout)
  const charge = await transaction(ctx, (tx) => {
    const now = tx.clock.real()
    return takeCharge(tx.db, scope, { id: chargeId, now, leaseUntil: now + LEASE_MS })
  })
  if (!charge) return null
  return inHandOf(ctx, { scope, taken: charge }, () => resumed(ctx, { scope, charge, checkout }))
}

interface Resuming {
  readonly scope: Scope
  readonly charge: ChargeRow
  readonly checkout: OwnedCheckout
}

async function resumed(ctx: Context, { scope, charge, checkout }: Resuming): Promise<AskedFor | null> {
  const asked = { checkout, scope, kept: detailsOf(charge).priced, charge, taken: charge }
  try {
    const outcome = await askForCharge(ctx, scope, charge, checkout)
    return { ...asked, outcome: outcome && (await giveUpLeft(ctx, charge, outcome)) }
  } catch (error) {
    if (!isUnasked(error, false)) throw error
    await letGoUnasked(ctx, asked, error)
    return null
  }
}

/** A purchase of which the gateway itself has told how its charge stands; null when the charge is no checkout's. */
export async function reportedPurchase(
  { db }: ReadContext,
  charge: ChargeRow,
  outcome: ChargeOutcome,
): Promise<Asked | null> {
  const checkout = await findCheckoutOfCharge(db, charge.id)
  if (!checkout) return null
  const scope = scopeOfCheckout({ ip: null, requestId: null }, checkout)
  return { checkout, scope, kept: detailsOf(charge).priced, charge, outcome }
}

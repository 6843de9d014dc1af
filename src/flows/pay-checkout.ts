import { transaction, type Context, type TxContext } from '../context.ts'
import {
  gatewayFor,
  gatewayNamed,
  GatewayUnreachable,
  type ChargeOutcome,
  type ChargeRequest,
} from '../gateways/gateway.ts'
import type { Scope } from '../http/scope.ts'
import { ApiError, invalid, missingFields } from '../lib/errors.ts'
import { fold } from '../lib/fold.ts'
import { MINUTE, SECOND, toUtcTime } from '../lib/time.ts'
import {
  beginPaying,
  endPaying,
  findCheckoutOfCharge,
  findCheckoutRow,
  guard,
  noteCharge,
  unguard,
  type OwnedCheckout,
} from '../resources/checkouts/queries.ts'
import type { CheckoutPay, CheckoutRow } from '../resources/checkouts/schema.ts'
import { countRedemption, uncountRedemption } from '../resources/coupons/redemption-queries.ts'
import { findCharge, insertCharge, takeCharge, type ChargeRow } from '../resources/payments/charge-queries.ts'
import { getCheckout, scopeOfCheckout } from './checkout.ts'
import { appliedCoupon, priceCheckout, refusalOf, type Priced } from './checkout-quote.ts'

/** How long who asks a gateway has a checkout in hand; after it a job or another try asks again. */
const LEASE_MS = 2 * MINUTE
/** The same buyer does not buy the same again within it (`spec/behaviour/billing.md` 12). */
const AGAIN_MS = 60 * SECOND
/** How long a coupon is kept for a checkout in which somebody pays; its redemption keeps it after that. */
const HELD_MS = 60 * MINUTE

/** What a purchase was asked for with, so that it is asked for in the same words again. */
export interface PurchaseDetails {
  readonly checkoutId: number
  readonly priced: Kept
  /** Sealed. */
  readonly token: string
  readonly returnUrl: string
}

/** Of a price what is written down with its charge. */
export type Kept = Pick<
  Priced,
  'amountPerCycle' | 'quote' | 'tax' | 'renewal' | 'renewalsDiscount' | 'now'
> & {
  readonly couponId: number | null
  readonly licenses: number | null
}

/** A checkout in which somebody pays, and what the gateway said; null: nothing was to be charged. */
export interface Asked {
  readonly checkout: OwnedCheckout
  readonly scope: Scope
  readonly kept: Kept
  readonly charge: ChargeRow | null
  readonly outcome: ChargeOutcome | null
}

/**
 * Takes a checkout in hand and asks the gateway for its money, in this order: of any number at once one does, and a
 * charge has one name whenever it is asked for again. `settleCheckout` does the rest. Null: it is paid already. 400
 * `checkout_in_progress`, `already_purchased`, the reason of a coupon, `gateway_not_configured`; 402 for what the buyer
 * must still say; 503 `gateway_unreachable`: whether it was charged is found out later.
 */
export async function askForPurchase(
  ctx: Context,
  from: Scope,
  token: string,
  input: CheckoutPay,
): Promise<Asked | null> {
  const checkout = await getCheckout(ctx, token)
  if (checkout.state === 'paid') return null
  const scope = scopeOfCheckout(from, checkout)
  const begun = await transaction(ctx, (tx) => begin(tx, { ctx, scope, checkout, input }))
  if (!begun) return null
  const outcome = begun.charge && (await ask(ctx, begun.charge, checkout))
  return { checkout, scope, ...begun, outcome }
}

interface Beginning {
  readonly ctx: Context
  readonly scope: Scope
  readonly checkout: OwnedCheckout
  readonly input: CheckoutPay
}

interface Begun {
  readonly kept: Kept
  readonly charge: ChargeRow | null
}

async function begin(tx: TxContext, { ctx, scope, checkout, input }: Beginning): Promise<Begun | null> {
  const row = await beginPaying(tx.db, checkout.id, toUtcTime(tx.clock.real()))
  if (!row) return takeOver(tx, scope, checkout)
  requireBuyer(row)
  const priced = await priceCheckout(tx, scope, row)
  const reason = refusalOf(priced)
  if (reason !== null) throw invalid(reason, 'The coupon takes nothing off this purchase.')
  await guardPurchase(tx, scope, row, priced)
  const kept = keptOf(priced)
  if (priced.quote.total === 0) return { kept, charge: null }
  const { payment_token: method, return_url: returnUrl = tx.baseUrl } = input
  if (method === undefined) {
    throw missingFields([{ field: 'payment_token', message: 'is required for what costs something' }])
  }
  const gateway = gatewayFor(ctx.gateways, row.environment)
  const details: PurchaseDetails = {
    checkoutId: row.id,
    priced: kept,
    token: tx.keys.seal(method, 'charges.details'),
    returnUrl,
  }
  const charge = await insertCharge(tx.db, {
    key: `checkout:${row.token_hash.slice(0, 32)}:${row.attempt}`,
    product_id: row.product_id,
    user_id: row.user_id,
    environment: row.environment,
    purpose: 'purchase',
    subscription_id: null,
    payment_id: null,
    amount: priced.quote.total,
    currency: priced.quote.currency,
    gateway: gateway.code,
    state: 'started',
    external_id: null,
    details: JSON.stringify(details),
    outcome_id: null,
    lease_until: tx.clock.real() + LEASE_MS,
    settled_at: null,
    created: toUtcTime(tx.clock.real()),
    updated: null,
  })
  await noteCharge(tx.db, row.id, charge.id)
  return { kept, charge }
}

/**
 * A checkout in which somebody began to pay who has it in hand no more; null: it was paid meanwhile. Of a charge that
 * the gateway has named anybody may ask how it stands.
 */
async function takeOver(tx: TxContext, scope: Scope, { id }: OwnedCheckout): Promise<Begun | null> {
  const current = await findCheckoutRow(tx.db, id)
  if (!current || current.state === 'paid') return null
  if (current.charge_id === null)
    return { kept: keptOf(await priceCheckout(tx, scope, current)), charge: null }
  const charge = await inHand(tx, scope, current.charge_id)
  if (charge?.details) return { kept: detailsOf(charge).priced, charge }
  throw invalid('checkout_in_progress', 'This checkout is being paid; ask again in a moment.')
}

async function inHand(tx: TxContext, scope: Scope, id: number): Promise<ChargeRow | undefined> {
  const known = await findCharge(tx.db, scope, id)
  if (known?.state === 'pending' && known.external_id !== null) return known
  const now = tx.clock.real()
  return takeCharge(tx.db, scope, { id, now, leaseUntil: now + LEASE_MS })
}

const detailsOf = ({ details }: ChargeRow) => JSON.parse(details ?? '{}') as PurchaseDetails

/**
 * Goes on with a purchase that nobody has in hand: what was asked for is asked for again, under its name. Null when
 * somebody has, or it is settled.
 */
export async function resumePurchase(ctx: Context, chargeId: number): Promise<Asked | null> {
  const checkout = await findCheckoutOfCharge(ctx.db, chargeId)
  if (!checkout) return null
  const scope = scopeOfCheckout({ ip: null, requestId: null }, checkout)
  const charge = await transaction(ctx, (tx) => {
    const now = tx.clock.real()
    return takeCharge(tx.db, scope, { id: chargeId, now, leaseUntil: now + LEASE_MS })
  })
  if (!charge) return null
  return {
    checkout,
    scope,
    kept: detailsOf(charge).priced,
    charge,
    outcome: await ask(ctx, charge, checkout),
  }
}

function requireBuyer({ email, country_code: country }: CheckoutRow): void {
  const missing = [
    ...(email === '' ? [{ field: 'user_email', message: 'is required to pay' }] : []),
    ...(country === null ? [{ field: 'country_code', message: 'is required to pay' }] : []),
  ]
  if (missing.length > 0) throw missingFields(missing)
}

/** Keeps the purchase and its coupon for this checkout, until it is paid or was not. */
async function guardPurchase(tx: TxContext, scope: Scope, row: CheckoutRow, priced: Priced): Promise<void> {
  const now = tx.clock.real()
  const own = { email_folded: fold(row.email), checkout_id: row.id }
  const name = `buy:${row.product_id}:${row.pricing_id}:${row.billing_cycle}:${row.environment}`
  if (!(await guard(tx.db, { ...own, name, until_ms: now + AGAIN_MS }, now))) {
    throw invalid('already_purchased', 'The same was bought a moment ago; wait a minute to buy it again.')
  }
  const coupon = appliedCoupon(priced)
  if (!coupon) return
  const held = { ...own, name: `coupon:${coupon.id}`, until_ms: now + HELD_MS }
  if (coupon.is_one_per_user === 1 && !(await guard(tx.db, held, now))) {
    throw invalid('coupon_already_used', 'You have used this coupon already.')
  }
  if (!(await countRedemption(tx.db, scope, coupon.id))) {
    throw invalid('coupon_used_up', 'This coupon has no redemptions left.')
  }
}

const keptOf = (priced: Priced): Kept => ({
  amountPerCycle: priced.amountPerCycle,
  quote: priced.quote,
  tax: priced.tax,
  renewal: priced.renewal,
  renewalsDiscount: priced.renewalsDiscount,
  now: priced.now,
  couponId: appliedCoupon(priced)?.id ?? null,
  licenses: priced.price.licenses,
})

async function ask(
  ctx: Context,
  charge: ChargeRow,
  { email, billing_cycle: cycle }: CheckoutRow,
): Promise<ChargeOutcome> {
  const gateway = gatewayNamed(ctx.gateways, charge.gateway)
  try {
    if (charge.external_id !== null) {
      const known = await gateway.retrieveCharge(charge.external_id)
      if (known) return known.charge
    }
    return await gateway.charge(requestOf(ctx, charge, { email, isKept: cycle !== 0 }))
  } catch (error) {
    if (!(error instanceof GatewayUnreachable)) throw error
    throw new ApiError(
      503,
      'gateway_unreachable',
      'The payment gateway does not answer; ask again in a moment.',
      {
        headers: { 'retry-after': '60' },
      },
    )
  }
}

function requestOf(
  { keys }: Context,
  charge: ChargeRow,
  { email, isKept }: Pick<ChargeRequest, 'email' | 'isKept'>,
): ChargeRequest {
  const { token, returnUrl } = detailsOf(charge)
  return {
    key: charge.key,
    amount: { minor: charge.amount, currency: charge.currency },
    token: keys.open(token, 'charges.details'),
    email,
    description: 'Keywright',
    returnUrl,
    isKept,
  }
}

/** A purchase that was not paid: what was kept for it is let go, and the checkout is open again. */
export async function letGo(
  tx: TxContext,
  scope: Scope,
  checkout: CheckoutRow,
  couponId: number | null,
): Promise<void> {
  const updated = toUtcTime(tx.clock.real())
  if (!(await endPaying(tx.db, checkout.id, { state: 'open', updated }))) return
  await unguard(tx.db, checkout.id)
  if (couponId !== null) await uncountRedemption(tx.db, scope, couponId)
}

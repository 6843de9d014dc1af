import type { ReadContext, TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { hashToken } from '../../lib/credentials.ts'
import { invalid, notFound } from '../../lib/errors.ts'
import { leaveCart } from '../carts/cart-rows.ts'
import {
  findCheckout,
  findProductOfCheckout,
  offersOf,
  updateOpenCheckout,
  type OwnedCheckout,
} from './queries.ts'
import type { CheckoutChange, CheckoutRow } from './schema.ts'
import type { CouponRow } from '../coupons/schema.ts'
import { seenOf } from './action.ts'
import { actionOf } from './actions.ts'
import { buyerOf, codeOf, isProvenBuyer, placeOf } from './buyer.ts'
import type { VatCheck } from './check-vat.ts'
import { languageOf } from './language.ts'
import { chooseOffer } from './offer.ts'
import { appliedCoupon } from './quote.ts'
import { heldSiteOf } from './site-of-checkout.ts'
import { stateOf, type CheckoutState } from './state.ts'
import { touchCart } from '../carts/touch-cart.ts'

/** Whoever goes on with a checkout acts for its buyer (`docs/decisions.md` 6.1); who that is may not be known yet. */
export const scopeOfCheckout = (
  from: Pick<Scope, 'ip' | 'requestId'>,
  owner: { readonly developer_id: number; readonly product_id: number },
): Scope => ({
  kind: 'user',
  developerId: owner.developer_id,
  productId: owner.product_id,
  userId: null,
  installId: null,
  actor: { kind: 'anonymous', id: 0, credential: 'checkout' },
  ip: from.ip,
  requestId: from.requestId,
})

export interface OpenedCheckout extends CheckoutState {
  /** Names the checkout, and is the right to it. */
  readonly token: string
}

/** The checkout of a token; 404 when there is none, or it has expired. */
export async function getCheckout(ctx: ReadContext, token: string): Promise<OwnedCheckout> {
  const row = await findCheckout(ctx.db, hashToken(token), ctx.clock.now())
  if (!row) throw notFound('checkout')
  return row
}

/** The product of the checkout of a token; null when there is none. */
export const productOfCheckout = ({ db, clock }: ReadContext, token: string) =>
  findProductOfCheckout(db, hashToken(token), clock.now())

/**
 * Changes what is bought or who buys; what is left out stays. 400 `checkout_closed` once somebody pays, and as
 * `openCheckout`.
 */
export async function changeCheckout(
  ctx: TxContext,
  from: Scope,
  { token, input, vat }: { readonly token: string; readonly input: CheckoutChange; readonly vat: VatCheck },
): Promise<OpenedCheckout> {
  const before = await getCheckout(ctx, token)
  const scope = scopeOfCheckout(from, before)
  const changed = await updateOpenCheckout(ctx.db, before.id, {
    ...(await offerOf(ctx, scope, before, input)),
    ...(input.coupon !== undefined && { coupon_code: codeOf(input.coupon) ?? null, coupon_id: null }),
    ...(before.is_readonly ? placeOf(input, before) : buyerOf(input, before)),
    ...vat,
    ...languageOf(input),
    updated: ctx.clock.now(),
  })
  if (!changed) throw invalid('checkout_closed', 'This checkout is being paid, or was.')
  const state = await recorded(ctx, await stateOf(ctx, scope, changed), hasGoneOn(input))
  return { token, ...(await noteSeen(ctx, state)) }
}

/** Whether a buyer does more than to type the address. */
const hasGoneOn = ({ user_email: _typed, language: _reads, locale: _said, ...more }: CheckoutChange) =>
  Object.values(more).some((one) => one !== undefined)

/** Notes what the price of a change depends on, as it is about to be told. */
export async function noteSeen(ctx: TxContext, state: CheckoutState): Promise<CheckoutState> {
  const { row } = state
  if (row.of_license_id === null) return state
  const seen = seenOf(await actionOf(row).price(ctx, state))
  return { ...state, row: (await updateOpenCheckout(ctx.db, row.id, { seen })) ?? row }
}

async function offerOf(ctx: TxContext, scope: Scope, before: CheckoutRow, input: CheckoutChange) {
  const { plan_id, pricing_id, licenses, billing_cycle, currency } = input
  const isAbout = [plan_id, pricing_id, licenses, billing_cycle, currency].some((one) => one !== undefined)
  if (!isAbout || before.action === 'payment_method_update') return {}
  const prices = await offersOf(ctx.db, scope)
  const present = prices.find(({ id }) => id === before.pricing_id)
  const { price, cycle } = chooseOffer(
    prices,
    {
      planId: before.plan_id,
      licenses: present?.licenses ?? null,
      cycle: before.billing_cycle,
      currency: present?.currency ?? 'usd',
    },
    input,
  )
  return { plan_id: price.plan_id, pricing_id: price.id, billing_cycle: cycle }
}

/** What a cart takes over of where it is shown; a page that nobody named leaves the one that was. */
const placeForCart = ({ mode, url }: CheckoutRow) => ({ mode, ...(url !== '' && { url }) })

/**
 * A checkout whose buyer is known is a cart too, unless it is not to be (`docs/interface.md` 10.1); one that is
 * recovered once more was done than to type the address.
 */
export async function recorded(
  ctx: TxContext,
  state: CheckoutState,
  hasGoneOn: boolean,
): Promise<CheckoutState> {
  const { scope, row, sold } = state
  if (!row.is_recorded || row.email === '') return state
  const { environment, email, first, last, country_code, zip_postal_code: zip, vat_id } = row
  const cart = await touchCart(ctx, scope, {
    environment,
    visitor: visitorOf(row),
    cartId: row.cart_id,
    email,
    first,
    last,
    country_code,
    zip_postal_code: zip ?? '',
    vat_id,
    plan_id: row.plan_id,
    pricing_id: row.pricing_id,
    billing_cycle: row.billing_cycle,
    offer: sold.offer,
    coupon: await appliedTo(ctx, state),
    is_trial: row.trial !== null,
    ...placeForCart(row),
    hasGoneOn,
    ...(await ofSite(ctx, row)),
    ...(row.user_id !== null && { user_id: row.user_id }),
    ...(row.ip !== null && { ip: row.ip }),
  })
  const isOver = row.cart_id !== null && row.cart_id !== cart.id && (await isRecovered(ctx, scope, row))
  if (isOver) await leaveCart(ctx.db, scope, { id: cart.id, since: row.created })
  const change = { cart_id: cart.id, ...(isOver && { is_recorded: false }) }
  return { ...state, row: (await updateOpenCheckout(ctx.db, row.id, change)) ?? row }
}

/** The site that it was opened from; a cart that goes on elsewhere stays of the one that it was of. */
async function ofSite(ctx: TxContext, row: CheckoutRow): Promise<{ readonly install_id?: number }> {
  const installId = await heldSiteOf(ctx, row)
  return installId === null ? {} : { install_id: installId }
}

/** Who has proven the address has one cart in every browser, which nobody else goes on with. */
const visitorOf = (row: CheckoutRow): string | null =>
  isProvenBuyer(row) && row.user_id !== null ? `user:${row.user_id}` : row.visitor

/**
 * Of a checkout one cart is recovered, that of the address with which its buyer went on. Whether another one of it,
 * which is left alone, was given up already, so that no other is mailed about.
 */
async function isRecovered({ db }: TxContext, scope: Scope, row: CheckoutRow): Promise<boolean> {
  const left = await leaveCart(db, scope, { id: row.cart_id ?? 0, since: row.created })
  return left !== undefined
}

/** The coupon that takes something off what is in the cart; null where none does. */
async function appliedTo(ctx: TxContext, state: CheckoutState): Promise<CouponRow | null> {
  const { row } = state
  if (row.coupon_code === null && row.coupon_id === null) return null
  return appliedCoupon(await actionOf(row).price(ctx, state))
}

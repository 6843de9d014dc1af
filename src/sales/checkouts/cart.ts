import type { ReadContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { invalid } from '../../lib/errors.ts'
import { isMailedToAddress } from '../../people/proof/mailed-to.ts'
import { readToken } from '../../lib/signed-token.ts'
import { parseTimeText } from '../../lib/time-text.ts'
import { fromUtcTime, SECOND } from '../../lib/time.ts'
import { findCart } from '../carts/cart-rows.ts'
import type { CartRow } from '../carts/schema.ts'
import type { OfferRow } from './queries.ts'
import type { CheckoutOpen } from './schema.ts'
import { listSpecial } from '../coupons/special-rows.ts'
import { chooseOffer, type Offer, type OfferChoice } from './offer.ts'

/** A cart that a mail leads back to, and the coupon that the mail brings along. */
export interface ReturnedCart {
  readonly row: CartRow
  readonly couponId: number | null
}

const BEFORE_TOKEN = /^FSE \d{1,19}:/

/**
 * The token of a cart in the form that the overlay client brings along from a link on the page of its shop. 400
 * `invalid_cart_token` once the time is over that the link says; without a time it is the token's own.
 */
export function cartAsked({ clock }: ReadContext, asked: CheckoutOpen): Pick<CheckoutOpen, 'cart_token'> {
  const { cart_token: token, __fs_authorization: given } = asked
  if (token !== undefined || given === undefined) return {}
  const { __fs_auth_date: date = '', __fs_expires_in: lasts = '' } = asked
  const made = parseTimeText(date, 'first second')
  const isOver =
    made !== null && /^\d{1,10}$/.test(lasts) && fromUtcTime(made) + Number(lasts) * SECOND <= clock.real()
  if (isOver) throw refused()
  return { cart_token: given.replace(BEFORE_TOKEN, '') }
}

const refused = () => invalid('invalid_cart_token', 'The token of the cart is wrong, or too old.')

/**
 * The cart of a token that mails about it have (`docs/interface.md` 10.2); null without one. 400
 * `invalid_cart_token` for one that is wrong or too old, or was mailed to another address than the cart's,
 * `cart_completed` for what was bought.
 */
export async function cartOf(
  ctx: ReadContext,
  scope: Scope,
  token: string | undefined,
): Promise<ReturnedCart | null> {
  if (token === undefined) return null
  const claims = readToken(ctx.keys, token, { purpose: 'checkout.cart', now: ctx.clock.real() })
  const isOfProduct = claims?.['plugin_id'] === String(scope.productId)
  const row = isOfProduct ? await findCart(ctx.db, scope, Number(claims['cart_id'])) : null
  if (!row || !claims || !isMailedToAddress(claims, row.email)) {
    throw refused()
  }
  if (row.completed !== null) throw invalid('cart_completed', 'What was in this cart was bought.')
  const coupon = claims['coupon_id']
  return { row, couponId: typeof coupon === 'string' ? Number(coupon) : null }
}

/** What was in the cart, as far as it is still sold and nothing else is chosen. */
export function offerOfCart(prices: readonly OfferRow[], cart: CartRow, input: OfferChoice): Offer {
  const known = prices.find(({ id }) => id === cart.pricing_id)
  const before = {
    planId: known?.plan_id ?? cart.plan_id,
    licenses: known ? known.licenses : (cart.licenses ?? 1),
    cycle: cart.billing_cycle,
    currency: cart.currency,
  }
  const { plan_id, pricing_id, licenses, currency } = input
  const isOther = [plan_id, pricing_id, licenses, currency].some((one) => one !== undefined)
  return chooseOffer(prices, before, known && !isOther ? { ...input, pricing_id: known.id } : input)
}

/** Who left it, and with which coupon: that of the mail, else the one that it had, which of a mail stays hidden. */
export async function columnsOfCart(
  ctx: ReadContext,
  scope: Scope,
  { row, couponId }: ReturnedCart,
  { coupon }: CheckoutOpen,
) {
  const { email, first, last, country_code, zip_postal_code: zip } = row
  const hidden = couponId ?? (await mailedCouponIn(ctx, scope, row))
  return {
    email,
    first,
    last,
    country_code,
    zip_postal_code: zip === '' ? null : zip,
    ...(coupon === undefined && (hidden === null ? { coupon_code: row.coupon_code } : { coupon_id: hidden })),
  }
}

/** The coupon of a cart when it is the one that only mails about carts bring along. */
async function mailedCouponIn({ db }: ReadContext, scope: Scope, { coupon_id: id }: CartRow) {
  if (id === null) return null
  const special = await listSpecial(db, scope, 'cart_recovery')
  return special.some(({ coupon_id: mailed }) => mailed === id) ? id : null
}

import type { TxContext } from '../../context.ts'
import type { Environment } from '../../db/tables/licenses.ts'
import type { Scope } from '../../access/scope.ts'
import { afterVisit, isLetBe, isVisit } from './cart-recovery.ts'
import { ApiError } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import { toUtcTime, type UtcTime } from '../../lib/time.ts'
import { insertCart, isUnsubscribed, lockCartOfVisitor, lockOpenCart, partCart } from './queries.ts'
import type { CartRow } from './schema.ts'
import { changeCart, recordCart, type CartChange, type OfferColumns } from './service.ts'
import { offerOf, type OfferChange } from './cart-offer.ts'

/** What a checkout knows of its buyer and of what is to be bought; what is left out stays as it is. */
export interface CartTouch
  extends
    OfferChange,
    Omit<CartChange, keyof OfferColumns | 'status' | 'visitor' | 'last_visit' | 'went_on'> {
  readonly environment: Environment
  /** false: all that was done is to type the address. */
  readonly hasGoneOn?: boolean
  /** The cart that the checkout has already. */
  readonly cartId?: number | null
  /** What the browser, or a person who has proven the address, is known by; null: neither is. */
  readonly visitor: string | null
}

const TRIES = 3

const NOTHING: OfferColumns = {
  plan_id: null,
  pricing_id: null,
  billing_cycle: 12,
  licenses: null,
  currency: 'usd',
  price: 0,
  gross: null,
  coupon_id: null,
  coupon_code: null,
}

/**
 * The open cart of a visit: that of the checkout, else of the visitor, else another one. Nobody gets the cart
 * of somebody else by typing an address. Of a visitor there is one, however many visits come at once. One that was
 * given up stays with its address: a visitor who types another has another cart. Records `cart.created` or
 * `cart.updated`.
 */
export async function touchCart(ctx: TxContext, scope: Scope, touch: CartTouch): Promise<CartRow> {
  for (let n = 0; n < TRIES; n++) {
    const cart = await ownCart(ctx, scope, touch)
    if (cart) return visitAgain(ctx, scope, cart, touch)
    const created = await createCart(ctx, scope, touch)
    if (created) return created
  }
  throw new ApiError(409, 'cart_changed', 'This cart was changed at the same time; try again.')
}

async function ownCart(ctx: TxContext, scope: Scope, touch: CartTouch): Promise<CartRow | undefined> {
  const { environment, visitor, cartId = null } = touch
  const named = cartId === null ? undefined : await lockOpenCart(ctx.db, scope, cartId)
  if (named && !isLeftByAnother(named, touch)) return named
  if (visitor === null) return undefined
  const visitors = ctx.keys.keyedHashes(visitor, 'cart.visitor')
  const own = await lockCartOfVisitor(ctx.db, scope, { environment, visitors })
  if (!own || !isLeftByAnother(own, touch)) return own
  await partCart(ctx.db, scope, own.id)
  return undefined
}

const nowOf = (ctx: TxContext, scope: Scope, environment: Environment): UtcTime =>
  toUtcTime(ctx.clock.of(scope.productId, environment))

/** The columns of a touch that are given; ids and prices follow from `offerOf`. */
function givenBy(touch: CartTouch): CartChange {
  const { environment: _environment, visitor: _visitor, cartId: _cart, ...told } = touch
  const { hasGoneOn: _hasGoneOn, ...rest } = told
  const { plan_id: _plan, pricing_id: _pricing, billing_cycle: _cycle, coupon_id: _id, ...more } = rest
  const { coupon_code: _code, coupon: _coupon, offer: _offer, ...columns } = more
  const given = Object.entries(columns).filter(([, value]) => value !== undefined)
  const email = touch.email === undefined ? {} : { email: touch.email.trim() }
  return { ...(Object.fromEntries(given) as CartChange), ...email }
}

const isOtherAddress = ({ email_folded: before }: CartRow, { email }: CartTouch): boolean =>
  email !== undefined && fold(email.trim()) !== before

/** Whether a cart was given up with another address, which the mails about it go to. */
const isLeftByAnother = (cart: CartRow, touch: CartTouch): boolean =>
  !isVisit(cart) && cart.email_folded !== '' && isOtherAddress(cart, touch)

async function visitAgain(ctx: TxContext, scope: Scope, cart: CartRow, touch: CartTouch): Promise<CartRow> {
  const changed = await changeCart(ctx, scope, cart, {
    ...givenBy(touch),
    ...(await offerOf(ctx, scope, cart, touch)),
    ...((cart.status === 'pricing_visit' || isLetBe(cart)) && { status: 'visit' }),
    went_on: wentOn(touch, cart),
    last_visit: nowOf(ctx, scope, cart.environment),
  })
  return changed ?? cart
}

/** Who types another address has not gone on with it yet. */
function wentOn(touch: CartTouch, before: CartRow): boolean {
  if (touch.hasGoneOn !== false) return true
  return !isOtherAddress(before, touch) && before.went_on
}

async function createCart(ctx: TxContext, scope: Scope, touch: CartTouch): Promise<CartRow | undefined> {
  const now = nowOf(ctx, scope, touch.environment)
  const given = givenBy(touch)
  const emailFolded = fold(given.email ?? '')
  const isRefused = emailFolded !== '' && (await isUnsubscribed(ctx.db, scope, emailFolded))
  const row = {
    ...BLANK,
    ...NOTHING,
    ...given,
    ...(await offerOf(ctx, scope, NOTHING, touch)),
    product_id: scope.productId,
    environment: touch.environment,
    status: 'visit',
    visitor: touch.visitor === null ? null : ctx.keys.keyedHash(touch.visitor, 'cart.visitor'),
    email_folded: emailFolded,
    went_on: touch.hasGoneOn !== false,
    is_disabled: false,
    is_unsubscribed: isRefused,
    visited: now,
    last_visit: now,
    completed: null,
    recover_at: null,
    created: ctx.clock.now(),
    updated: null,
  } as const
  const cart = await insertCart(ctx.db, { ...row, recover_at: afterVisit(row) })
  if (cart) await recordCart(ctx, scope, cart, { type: 'cart.created' })
  return cart
}

const BLANK = {
  mode: 'dialog',
  payment_method: 'cc',
  is_trial: false,
  install_id: null,
  user_id: null,
  country_code: null,
  zip_postal_code: '',
  vat_id: null,
  email: '',
  first: '',
  last: '',
  ip: '',
  url: '',
} as const

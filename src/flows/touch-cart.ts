import type { TxContext } from '../context.ts'
import type { Environment } from '../db/tables/licenses.ts'
import type { Scope } from '../http/scope.ts'
import { afterVisit } from '../lib/cart-recovery.ts'
import { ApiError } from '../lib/errors.ts'
import { fold } from '../lib/fold.ts'
import { toUtcTime, type UtcTime } from '../lib/time.ts'
import { deleteNamelessCart, insertCart, isUnsubscribed, lockKnownCart } from '../resources/carts/queries.ts'
import type { CartRow } from '../resources/carts/schema.ts'
import { changeCart, recordCart, type CartChange, type OfferColumns } from '../resources/carts/service.ts'
import { offerOf, type OfferChange } from './cart-offer.ts'

/** What a checkout knows of its buyer and of what is to be bought; what is left out stays as it is. */
export interface CartTouch
  extends
    OfferChange,
    Omit<CartChange, keyof OfferColumns | 'status' | 'visitor' | 'last_visit' | 'went_on'> {
  readonly environment: Environment
  /** Whether the prices were looked at only. */
  readonly isPricingVisit?: boolean
  /** false: all that was done is to type the address. */
  readonly hasGoneOn?: boolean
  /** What the browser is known by, at least 16 random characters; null: it says nothing. */
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
 * The open cart of a visit: that of the address, else of the visitor, else another one (SPEC 4.3). Of an address and
 * of a visitor there is one, however many visits come at once. Records `cart.created` or `cart.updated`.
 */
export async function touchCart(ctx: TxContext, scope: Scope, touch: CartTouch): Promise<CartRow> {
  const { environment, visitor, email } = touch
  const known = {
    environment,
    emailFolded: fold((email ?? '').trim()),
    visitors: visitor === null ? [] : ctx.keys.keyedHashes(visitor, 'cart.visitor'),
  }
  for (let n = 0; n < TRIES; n++) {
    const cart = await lockKnownCart(ctx.db, scope, known)
    if (cart) return visitAgain(ctx, scope, { cart, touch, visitors: known.visitors })
    const created = await createCart(ctx, scope, touch)
    if (created) return created
  }
  throw new ApiError(409, 'cart_changed', 'This cart was changed at the same time; try again.')
}

const nowOf = (ctx: TxContext, scope: Scope, environment: Environment): UtcTime =>
  toUtcTime(ctx.clock.of(scope.productId, environment))

/** The columns of a touch that are given; ids and prices follow from `offerOf`. */
function givenBy(touch: CartTouch): CartChange {
  const { environment: _environment, isPricingVisit: _visit, visitor: _visitor, ...told } = touch
  const { hasGoneOn: _hasGoneOn, ...rest } = told
  const { plan_id: _plan, pricing_id: _pricing, billing_cycle: _cycle, coupon_id: _id, ...more } = rest
  const { coupon_code: _code, coupon: _coupon, ...columns } = more
  const given = Object.entries(columns).filter(([, value]) => value !== undefined)
  const email = touch.email === undefined ? {} : { email: touch.email.trim() }
  return { ...(Object.fromEntries(given) as CartChange), ...email }
}

interface Visit {
  readonly cart: CartRow
  readonly touch: CartTouch
  readonly visitors: readonly string[]
}

async function visitAgain(ctx: TxContext, scope: Scope, { cart, touch, visitors }: Visit): Promise<CartRow> {
  const isOwn = cart.visitor !== null && visitors.includes(cart.visitor)
  if (!isOwn && visitors.length > 0) await deleteNamelessCart(ctx.db, scope, visitors)
  const isFirstVisit = cart.status === 'pricing_visit' && touch.isPricingVisit !== true
  const changed = await changeCart(ctx, scope, cart, {
    ...givenBy(touch),
    ...(await offerOf(ctx, scope, cart, touch)),
    ...(isFirstVisit && { status: 'visit' }),
    went_on: wentOn(touch, cart),
    last_visit: nowOf(ctx, scope, cart.environment),
  })
  return changed ?? cart
}

/** Who types another address has not gone on with it yet. */
function wentOn({ hasGoneOn, email }: CartTouch, before: CartRow): 0 | 1 {
  if (hasGoneOn !== false) return 1
  const isSame = email === undefined || fold(email.trim()) === before.email_folded
  return isSame ? before.went_on : 0
}

async function createCart(ctx: TxContext, scope: Scope, touch: CartTouch): Promise<CartRow | undefined> {
  const now = nowOf(ctx, scope, touch.environment)
  const given = givenBy(touch)
  const emailFolded = fold(given.email ?? '')
  const isRefused = emailFolded !== '' && (await isUnsubscribed(ctx.db, scope, emailFolded))
  const status = touch.isPricingVisit === true ? 'pricing_visit' : 'visit'
  const row = {
    ...BLANK,
    ...NOTHING,
    ...given,
    ...(await offerOf(ctx, scope, NOTHING, touch)),
    product_id: scope.productId,
    environment: touch.environment,
    status,
    visitor: touch.visitor === null ? null : ctx.keys.keyedHash(touch.visitor, 'cart.visitor'),
    email_folded: emailFolded,
    went_on: touch.hasGoneOn === false ? 0 : 1,
    is_disabled: 0,
    is_unsubscribed: isRefused ? 1 : 0,
    visited: now,
    last_visit: now,
    completed: null,
    recover_at: null,
    created: toUtcTime(ctx.clock.real()),
    updated: null,
  } as const
  const cart = await insertCart(ctx.db, { ...row, recover_at: afterVisit(row) })
  if (cart) await recordCart(ctx, scope, cart, { type: 'cart.created' })
  return cart
}

const BLANK = {
  mode: 'dialog',
  payment_method: 'cc',
  is_trial: 0,
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

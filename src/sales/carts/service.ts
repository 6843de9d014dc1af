import type { GoingOn } from '../../db/list-start.ts'
import { pageReader, type Context, type ReadContext, type TxContext } from '../../context.ts'
import { isDuplicate } from '../../db/duplicate.ts'
import type { Problems } from '../../http/decode.ts'
import { checkVatForm } from '../taxes/tax-settings.ts'
import type { Scope } from '../../access/scope.ts'
import { afterReactivation, afterVisit } from './cart-recovery.ts'
import { differences } from '../../lib/differences.ts'
import { invalid, notFound } from '../../lib/errors.ts'
import { fold } from '../../lib/fold.ts'
import { spanOf } from '../../lib/time-text.ts'
import { toUtcTime } from '../../lib/time.ts'
import { recordEvent } from '../../events/log/record.ts'
import {
  completeCartRow,
  deleteCartRow,
  isUnsubscribed,
  letOthersBe,
  countCarts,
  listCarts,
  lockOpenCart,
  switchCartRecovery,
  updateOpenCart,
} from './queries.ts'
import { findCart } from './cart-rows.ts'
import {
  presentCart,
  presentEnriched,
  type Cart,
  type CartList,
  type CartRow,
  type CartUpdate,
  type ListedCart,
} from './schema.ts'

/** The cart's row; 404 when the product has no such cart. */
export async function getCart(ctx: ReadContext, scope: Scope, id: number): Promise<CartRow> {
  const cart = await findCart(ctx.db, scope, id)
  if (!cart) throw notFound('cart')
  return cart
}

/** A page of carts, newest first. */
export async function getCarts(
  ctx: ReadContext & Pick<Context, 'database'>,
  scope: Scope,
  query: CartList & GoingOn,
): Promise<ListedCart[]> {
  const search = searchOf(query)
  const db = search.made ? ctx.database.background : pageReader(ctx, query)
  const rows = await listCarts(db, scope, search)
  return rows.map(query.enriched ? presentEnriched : presentCart)
}

/** How many carts a list has, counted no further than its `count`. */
export const totalOfCarts = (
  ctx: ReadContext & Pick<Context, 'database'>,
  scope: Scope,
  query: CartList,
): Promise<number> => countCarts(ctx.database.background, scope, searchOf(query))

const searchOf = (query: CartList & GoingOn) => ({
  filter: query.filter,
  made: spanOf(query),
  sort: query.sort,
  emailFolded: fold((query.email ?? '').trim()) || undefined,
  userId: query.user_id,
  environment: query.environment,
  count: query.count,
  offset: query.offset,
  below: query.below,
})

/**
 * A coupon is named by both its id and its code (`docs/interface.md` 10.1); a VAT id has the form of its country, where it
 * is not sent back as it stands.
 */
export async function checkCartUpdate(
  { db }: ReadContext,
  scope: Scope,
  { id: cartId, body }: { readonly id: number; readonly body: CartUpdate },
  problems: Problems,
): Promise<void> {
  const { coupon_id: id, coupon_code: code } = body
  const need = (field: string) => {
    if (!problems.has(field)) problems.missing.push({ field, message: 'is required beside the other one' })
  }
  if (id !== undefined && code === undefined) need('coupon_code')
  if (id === undefined && typeof code === 'string') need('coupon_id')
  if (!body.vat_id || problems.has('vat_id')) return
  const cart = problems.has('cart_id') ? undefined : await findCart(db, scope, cartId)
  if (body.vat_id.trim() !== cart?.vat_id) await checkVatForm(body, problems)
}

/** Holds a cart that may be changed until the end of the transaction; 404, 400 `cart_completed`. */
export async function holdOpenCart(ctx: TxContext, scope: Scope, id: number): Promise<CartRow> {
  const cart = await lockOpenCart(ctx.db, scope, id)
  if (cart) return cart
  await getCart(ctx, scope, id)
  throw invalid('cart_completed', 'The checkout of this cart is completed.')
}

/** What is about to be bought, and what it costs. */
export type OfferColumns = Pick<
  CartRow,
  | 'plan_id'
  | 'pricing_id'
  | 'billing_cycle'
  | 'licenses'
  | 'currency'
  | 'price'
  | 'gross'
  | 'coupon_id'
  | 'coupon_code'
>
/** What of a cart is changed as it is given. */
export type CartChange = Partial<
  OfferColumns &
    Pick<
      CartRow,
      | 'status'
      | 'mode'
      | 'payment_method'
      | 'is_trial'
      | 'install_id'
      | 'user_id'
      | 'country_code'
      | 'zip_postal_code'
      | 'vat_id'
      | 'email'
      | 'first'
      | 'last'
      | 'ip'
      | 'url'
      | 'visitor'
      | 'last_visit'
      | 'went_on'
    >
>

/**
 * Changes a cart that is held, and records `cart.updated` when a reader sees the difference; undefined when there is
 * none. An address that is new begins the recovery, or does not where mails are not wanted.
 */
export async function changeCart(
  ctx: TxContext,
  scope: Scope,
  before: CartRow,
  change: CartChange,
): Promise<CartRow | undefined> {
  const given = { ...before, ...change, email_folded: fold(change.email ?? before.email) }
  const isOther = given.email_folded !== before.email_folded
  const isRefused = isOther && (await isUnsubscribed(ctx.db, scope, given.email_folded))
  const after: CartRow = { ...given, is_unsubscribed: isRefused || given.is_unsubscribed }
  const values = {
    ...after,
    recover_at: isOther || change.last_visit ? afterVisit(after) : before.recover_at,
  }
  const changed = differences<CartRow>(before, values)
  if (!changed) return undefined
  const shown = differences(presentEnriched(before), presentEnriched(values))
  const row = await writeCart(ctx, scope, before.id, {
    ...changed.to,
    ...(shown && { updated: ctx.clock.now() }),
  })
  if (shown) await recordCart(ctx, scope, row, { type: 'cart.updated', ...shown })
  return row
}

async function writeCart(
  ctx: TxContext,
  scope: Scope,
  id: number,
  change: Partial<CartRow>,
): Promise<CartRow> {
  try {
    const row = await updateOpenCart(ctx.db, scope, id, change)
    if (!row) throw new Error('A cart that is held is there.')
    return row
  } catch (error) {
    if (!isDuplicate(error)) throw error
    throw invalid('cart_email_taken', 'Another open cart with this address was mailed about.', 'email')
  }
}

type CartEvent = `cart.${
  | 'created'
  | 'updated'
  | 'abandoned'
  | 'completed'
  | 'recovered'
  | 'recovery.deactivated'
  | 'recovery.reactivated'
  | 'recovery.unsubscribed'
  | 'recovery.email_1_sent'
  | 'recovery.email_2_sent'
  | 'recovery.email_3_sent'}`

/** Records what happened to a cart. */
export const recordCart = (
  ctx: TxContext,
  scope: Scope,
  { id, user_id: userId, environment }: Pick<CartRow, 'id' | 'user_id' | 'environment'>,
  { type, ...data }: { readonly type: CartEvent; readonly [name: string]: unknown },
): Promise<void> =>
  recordEvent(ctx, scope, {
    type,
    environment,
    cartId: id,
    ...(userId !== null && { userId }),
    data: { cart_id: String(id), ...data },
  })

/** 404 when the product has no such cart. */
export async function deleteCart(ctx: TxContext, scope: Scope, id: number): Promise<void> {
  if (!(await deleteCartRow(ctx.db, scope, id))) throw notFound('cart')
}

/**
 * Ends the mails to a cart, or goes on with them; nothing when it is so already. 400 `cart_completed`, and
 * `cart_unsubscribed` where the buyer wants no mails.
 */
export async function switchRecovery(
  ctx: TxContext,
  scope: Scope,
  { id, isDisabled }: { readonly id: number; readonly isDisabled: boolean },
): Promise<Cart> {
  const cart = await holdOpenCart(ctx, scope, id)
  if (!isDisabled && cart.is_unsubscribed) {
    throw invalid('cart_unsubscribed', 'The buyer wants no mails about this cart.')
  }
  const now = toUtcTime(ctx.clock.of(scope.productId, cart.environment))
  const row = await switchCartRecovery(ctx.db, scope, id, {
    is_disabled: isDisabled,
    recover_at: isDisabled ? disabledAt(cart) : afterReactivation(cart, now),
    updated: ctx.clock.now(),
  })
  if (!row) return presentCart(cart)
  const type = isDisabled ? 'cart.recovery.deactivated' : 'cart.recovery.reactivated'
  await recordCart(ctx, scope, row, { type })
  return presentCart(row)
}

/** One that is not given up yet still will be, without mails. */
const disabledAt = (cart: CartRow) =>
  cart.status === 'visit' || cart.status === 'pricing_visit' ? cart.recover_at : null

/**
 * Completes a cart in the transaction of what was bought: `completed`, or `recovered` when it was given up before.
 * Of any number of callers one does; undefined for all others, and for a cart that is not there. `gross` is in minor
 * units.
 */
export async function completeCart(
  ctx: TxContext,
  scope: Scope,
  { cartId, userId, gross, ...known }: Completing,
): Promise<CartRow | undefined> {
  const environment = known.environment ?? (await findCart(ctx.db, scope, cartId))?.environment
  if (environment === undefined) return undefined
  const now = toUtcTime(ctx.clock.of(scope.productId, environment))
  const updated = ctx.clock.now()
  const cart = await completeCartRow(ctx.db, scope, cartId, { now, updated, userId, gross })
  if (!cart) return undefined
  await letOthersBe(ctx.db, scope, cart)
  await recordCart(ctx, scope, cart, { type: 'cart.completed' })
  if (cart.status === 'recovered') await recordCart(ctx, scope, cart, { type: 'cart.recovered' })
  return cart
}

interface Completing {
  readonly cartId: number
  /** Where it is known, as what was bought is of the same. */
  readonly environment?: CartRow['environment']
  readonly userId: number
  readonly gross: number
}

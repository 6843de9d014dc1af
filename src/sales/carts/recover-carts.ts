import type { TxContext } from '../../context.ts'
import { systemScope, type Scope } from '../../access/scope.ts'
import { afterPaying, endOf, LET_BE, nextStage, type CartMail, type Stage } from './cart-recovery.ts'
import { cartAddress, checkoutAddress, checkoutBase } from '../checkouts/front/links.ts'
import { mailedToAddress } from '../../people/proof/mailed-to.ts'
import type { Money } from '../../lib/money.ts'
import { issueToken } from '../../lib/signed-token.ts'
import { DAY, fromUtcTime, toUtcTime, type UtcTime } from '../../lib/time.ts'
import type { Share } from '../../lib/words.ts'
import { mayMail } from '../../mail/limits.ts'
import { queueMail } from '../../mail/outbox.ts'
import { UNSUBSCRIBE_PATH } from './unsubscribe.ts'
import type { CartRow } from './schema.ts'
import { recordCart } from './service.ts'
import { amountOff } from '../coupons/evaluate.ts'
import { findUsable } from '../coupons/coupon-rows.ts'
import { amountIn } from '../coupons/schema.ts'
import { listSpecial } from '../coupons/special-rows.ts'
import { noteFired } from '../../catalogue/sandbox/fired.ts'
import {
  hasBoughtSince,
  isBeingPaid,
  isMailedElsewhere,
  takeStage,
  type CartToRecover,
} from './recover-carts-queries.ts'
import { setStage } from './cart-stage-rows.ts'

/** A mail of recovery leads back to its cart for a year (`docs/interface.md` 10.2). */
const LINK_MS = 365 * DAY

/** Gives up what was left, and mails its buyer, each once, whoever else does so at the same time. */
export async function giveUpCarts(
  ctx: TxContext,
  carts: readonly CartToRecover[],
  now: UtcTime,
): Promise<void> {
  for (const cart of carts) await giveUp(ctx, cart, now)
}

async function giveUp(ctx: TxContext, cart: CartToRecover, now: UtcTime): Promise<void> {
  const isOver = await isBought(ctx, cart)
  const wanted = isOver ? LET_BE : await stageOf(ctx, cart, now)
  const held = await takeStage(ctx.db, cart, wanted, ctx.clock.now())
  if (!held) return
  const isRefused = wanted.mail !== null && !(await isMailable(ctx, cart))
  const stage = isRefused ? endOf(cart) : wanted
  const taken = isRefused ? await setStage(ctx.db, held, stage) : held
  if (isOver || taken.status === cart.status) return
  const scope = systemScope({ developerId: cart.developer_id, productId: cart.product_id })
  if (cart.status === 'visit' || cart.status === 'pricing_visit') {
    const fired = { type: 'cart.abandoned', what: 'abandoned' } as const
    await tell(ctx, scope, taken, { ...fired, at: now })
  }
  if (stage.mail !== null) await mail(ctx, scope, cart, { n: stage.mail, at: now })
}

/** Who has just bought leaves nothing: what is open beside it, such as a second window, waits for another visit. */
const isBought = ({ db }: TxContext, cart: CartToRecover): Promise<boolean> =>
  hasBoughtSince(db, cart, toUtcTime(fromUtcTime(cart.last_visit) - DAY))

/** Whoever pays has left nothing until that is decided; and of the open carts of an address one is mailed about. */
async function stageOf({ db }: TxContext, cart: CartToRecover, now: UtcTime): Promise<Stage> {
  if (await isBeingPaid(db, cart)) return afterPaying(cart, now)
  return (await isMailedElsewhere(db, cart)) ? endOf(cart) : nextStage(cart, now)
}

/** A mail too many is not put off, as whoever wants many sent could wait for them; it ends the recovery. */
async function isMailable(
  ctx: TxContext,
  { email, install_id: installId, ip, enable_cart_recovery, is_active: isSold }: CartToRecover,
): Promise<boolean> {
  if (!enable_cart_recovery || !isSold) return false
  return mayMail(ctx, { recipient: email, installId, ip: ip === '' ? null : ip })
}

interface Fired {
  readonly type: 'cart.abandoned' | `cart.recovery.email_${CartMail}_sent`
  readonly what: 'abandoned' | 'mailed'
  readonly at: UtcTime
}

async function tell(ctx: TxContext, scope: Scope, cart: CartRow, { type, what, at }: Fired): Promise<void> {
  await recordCart(ctx, scope, cart, { type })
  await noteFired(ctx, cart, { type, what, at, data: { cart_id: String(cart.id) } })
}

async function mail(
  ctx: TxContext,
  scope: Scope,
  cart: CartToRecover,
  { n, at }: { readonly n: CartMail; readonly at: UtcTime },
): Promise<void> {
  const coupon = n === 3 ? await couponOf(ctx, scope, cart) : null
  await queueMail(ctx, {
    developerId: scope.developerId,
    productId: scope.productId,
    userId: cart.user_id,
    environment: cart.environment,
    recipient: cart.email,
    template: `cart_recovery.${n}`,
    name: `${cart.first} ${cart.last}`.trim(),
    unsubscribe: `${ctx.baseUrl}${UNSUBSCRIBE_PATH}${unsubscribeToken(ctx, cart)}`,
    values: {
      link: linkTo(ctx, cart, coupon?.id ?? null),
      trialDays: cart.trial_period,
      discount: coupon?.off ?? null,
    },
  })
  await tell(ctx, scope, cart, { type: `cart.recovery.email_${n}_sent`, what: 'mailed', at })
}

/** The address that opens the checkout with what is in the cart; the coupon stays hidden in its token. */
function linkTo(ctx: TxContext, cart: CartToRecover, couponId: number | null): string {
  const { keys, clock } = ctx
  const claims = { ...claimsOf(cart), ...(couponId !== null && { coupon_id: String(couponId) }) }
  const token = issueToken(keys, { purpose: 'checkout.cart', claims, now: clock.real(), lastsMs: LINK_MS })
  const { product_id: productId, plan_id: planId, recovery_url: page } = cart
  if (page !== null) {
    const shop = { id: productId, publicKey: cart.product_public_key }
    return cartAddress(page, shop, { token, now: clock.now() })
  }
  return checkoutAddress({ baseUrl: checkoutBase(ctx), productId, planId }, { cart_token: token })
}

const unsubscribeToken = ({ keys, clock }: TxContext, cart: CartRow): string =>
  issueToken(keys, {
    purpose: 'cart.unsubscribe',
    claims: claimsOf(cart),
    now: clock.real(),
    lastsMs: null,
  })

/** Once the cart is another address's, its links open nothing. */
const claimsOf = ({ id, product_id: productId, email }: CartRow) => ({
  ...mailedToAddress(email),
  cart_id: String(id),
  plugin_id: String(productId),
})

interface MailedCoupon {
  readonly id: number
  /** What it takes off. */
  readonly off: Money | Share
}

/**
 * The product's coupon for recovered carts (`docs/interface.md` 9.3); null when it has none, or the cart has one
 * that takes no less off, with which the link leads back as well.
 */
async function couponOf(ctx: TxContext, scope: Scope, cart: CartRow): Promise<MailedCoupon | null> {
  const { currency, price, coupon_id: typedId } = cart
  const [coupon] = await listSpecial(ctx.db, scope, 'cart_recovery')
  if (!coupon) return null
  const typed = typedId === null ? undefined : await findUsable(ctx.db, scope, typedId)
  const of = { price, currency }
  if (typed && amountOff(typed, of) >= amountOff(coupon, of)) return null
  const { coupon_id: id, discount_type: type, discount } = coupon
  if (type === 'percentage') return { id, off: { percent: discount } }
  return { id, off: { minor: amountIn(coupon, currency), currency } }
}

import type { ReadContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { signedRedirect } from './signatures.ts'
import { isSandbox } from '../../lib/environment.ts'
import { idText } from '../../lib/id-text.ts'
import { toDecimal } from '../../lib/money.ts'
import { HOUR } from '../../lib/time.ts'
import { findSoldProduct } from './queries.ts'
import type { CheckoutRow } from './schema.ts'
import type { CheckoutResult } from './result-schema.ts'
import { getLicense } from '../../licensing/licenses/service.ts'
import { presentPayment } from '../payments/schema.ts'
import { getPayment } from '../payments/service.ts'
import { exposesKeys } from '../../catalogue/products/product-rows.ts'
import { presentSubscription } from '../subscriptions/schema.ts'
import { getSubscription } from '../subscriptions/service.ts'
import { findTrial } from '../../licensing/trials/trial-rows.ts'
import { presentTrial } from '../../licensing/trials/schema.ts'
import { portalAddress, portalLink } from '../../people/portal/portal-link.ts'
import { getUser } from '../../people/users/service.ts'
import type { UserRow } from '../../people/users/schema.ts'
import type { Bought, Kept, KnownSale } from './action.ts'
import { isProvenBuyer, isUnprovenGift } from './buyer.ts'
import { namesIn } from './sale.ts'
import { paidLink } from './paid-links.ts'
import { receiptAddress } from './receipt.ts'
import { usualTarget } from './targets.ts'
import { MAKES_LICENSE, type Shown } from './show-checkout.ts'

/**
 * What a paid checkout led to: buyer, purchase, license key, and where to go on to, signed
 * (`docs/interface.md` 8.3, 8.4). Who has proven nothing reads no id of the buyer: those of users go up, so
 * that a low one tells that the address was known (`docs/decisions.md` 3.14).
 */
export async function showResult(
  ctx: ReadContext,
  { row, scope }: Pick<Shown, 'row' | 'scope'>,
  sale?: Bought,
): Promise<CheckoutResult> {
  const led = await ledTo(ctx, { row, scope }, sale)
  const { user, payment, subscription, trial } = led
  const isHidden = row.is_hidden
  const isOwners = isHidden && row.action === 'payment_method_update'
  const idOfUser = isProvenBuyer(row) ? String(user.id) : null
  const bought = <T extends { user_id: string | null }>(entity: T) => ({ ...entity, user_id: idOfUser })
  const paid = payment && bought(presentPayment(payment, {}))
  return {
    state: 'paid',
    user: isHidden ? null : { id: idOfUser, ...shownOf(row, user), ...knownTo(ctx, row, user) },
    purchase: isOwners ? null : subscription ? bought(presentSubscription(subscription, {})) : paid,
    payment: isOwners ? null : paid,
    trial: trial && {
      ...bought(presentTrial(trial)),
      ...(mayBeOlder(row) && { id: null, license_id: null }),
    },
    license_id: idText(mayBeOlder(row) ? null : row.license_id),
    license_key: await keyOf(ctx, scope, row, led),
    receipt_url: receiptAddress(ctx, row, payment),
    portal_url: isProvenBuyer(row) ? provenPortal(ctx, scope, user) : portalAddress(ctx, row.product_id),
    redirect_url: await redirectOf(ctx, row, led),
    confirmation_url: null,
  }
}

/**
 * Whether anybody could have what a checkout gives for an address that was typed, as nothing was charged: the owner of
 * the address gets it by mail, known or not.
 */
const isForAnybody = (row: CheckoutRow): boolean =>
  row.kept !== null && isUnprovenGift(row, JSON.parse(row.kept) as Kept)

/**
 * Whether a trial and its license may have been begun before for the address that was typed: who has proven nothing
 * reads no ids of them, by which they would tell it.
 */
const mayBeOlder = (row: CheckoutRow): boolean => row.trial === 'free' && isForAnybody(row)

/**
 * Whether the key of what was bought is for its owner alone, who is mailed it: of what anybody could have for the
 * address, and in a sandbox, where nobody pays, of what was bought for somebody who was known before.
 */
export function isKeyMailedOnly(row: CheckoutRow): boolean {
  if (!MAKES_LICENSE.has(row.action) || isProvenBuyer(row)) return false
  if (isForAnybody(row)) return true
  return isSandbox(row.environment) && !row.made_user
}

/** The key of a license, unless it is mailed to its owner only, or the product shows no keys. */
async function keyOf(
  ctx: ReadContext,
  scope: Scope,
  row: CheckoutRow,
  { license, isKeyShown }: Led,
): Promise<string | null> {
  if (!license || isKeyMailedOnly(row)) return null
  if (!(isKeyShown ?? (await exposesKeys(ctx.db, scope)))) return null
  return ctx.keys.open(license.secret_key, 'licenses.secret_key')
}

/** A success page stays open for a while. */
const PORTAL_MS = HOUR

const provenPortal = (ctx: ReadContext, scope: Scope, user: Buyer): string =>
  portalLink(ctx, scope, { user, lastsMs: PORTAL_MS, isEverywhere: false }).link

interface Buyer extends Pick<UserRow, 'id' | 'email' | 'first' | 'last'> {
  readonly public_key?: string | null
  readonly created?: string | null
}

/** Who has proven nothing is told nothing by which an address shows that it was known; its owner is mailed again. */
function knownTo(ctx: ReadContext, row: CheckoutRow, { public_key: key = null, created = null }: Buyer) {
  const isProven = isProvenBuyer(row)
  return {
    public_key: isProven ? key : null,
    created: isProven ? created : null,
    resend_email_endpoint: row.license_id === null ? null : paidLink(ctx, 'resend', row),
  }
}

/** Who came with a proof of who they are is shown as they are known, anybody else as they said. */
const shownOf = (row: CheckoutRow, user: Pick<CheckoutRow, 'email' | 'first' | 'last'>) => {
  const { email, first, last } = row.is_readonly ? user : { email: row.email, ...namesIn(row) }
  return { email, first, last }
}

type Led = Awaited<ReturnType<typeof readLed>> & Partial<Pick<KnownSale, 'isKeyShown' | 'isLedOn'>>

/**
 * What the transaction has in hand that has bought it: all of it where nothing was changed after it was written, and
 * the buyer is shown as the checkout says.
 */
function knownOf(
  row: CheckoutRow,
  { userId, license, payment, subscription, known }: Bought,
): Led | undefined {
  if (!known || row.is_readonly || row.install_id !== null) return undefined
  const user = { id: userId, email: row.email, ...namesIn(row) }
  return {
    user,
    license,
    payment,
    subscription,
    trial: null,
    isKeyShown: known.isKeyShown,
    isLedOn: known.isLedOn,
  }
}

const ledTo = async (
  ctx: ReadContext,
  { row, scope }: Pick<Shown, 'row' | 'scope'>,
  sale: Bought | undefined,
): Promise<Led> => (sale && knownOf(row, sale)) ?? readLed(ctx, scope, row)

const readLed = async (ctx: ReadContext, scope: Scope, row: CheckoutRow) => ({
  user: await buyerIn(ctx, scope, row),
  license: row.license_id === null ? null : await getLicense(ctx, scope, row.license_id),
  payment: row.payment_id === null ? null : await getPayment(ctx, scope, row.payment_id),
  subscription: row.subscription_id === null ? null : await getSubscription(ctx, scope, row.subscription_id),
  trial: row.trial_id === null ? null : ((await findTrial(ctx.db, scope, row.trial_id)) ?? null),
})

const buyerIn = async (ctx: ReadContext, scope: Scope, row: CheckoutRow): Promise<Buyer> =>
  getUser(ctx, scope, row.user_id ?? 0)

/**
 * The page that the checkout names, or else that of the product: there nobody is led whose `user_id` and `email` are not
 * told, as clients take no address without them.
 */
async function redirectOf(ctx: ReadContext, row: CheckoutRow, led: Led): Promise<string | null> {
  const { redirect_url: named } = row
  if (named === null && (led.isLedOn === false || row.is_hidden || isForAnybody(row))) return null
  const product = await findSoldProduct(ctx.db, row.product_id)
  if (!product) return null
  const target = named ?? usualTarget(ctx, product)
  if (target === null) return null
  const secretKey = ctx.keys.open(product.secret_key, 'products.secret_key')
  return signedRedirect(target, valuesOf(row, led), secretKey)
}

/**
 * The address of an owner who is not shown is left out. Pages of sellers need the id of who has paid; what anybody
 * could have is told without.
 */
const valuesOf = (row: CheckoutRow, { user, license, payment, subscription, trial }: Led) => ({
  user_id: row.is_hidden || isForAnybody(row) ? null : user.id,
  plan_id: row.plan_id,
  email: row.is_hidden ? null : shownOf(row, user).email,
  pricing_id: row.pricing_id,
  currency: (payment ?? subscription)?.currency,
  subscription_id: subscription?.id,
  billing_cycle: row.billing_cycle,
  ...(payment && { amount: toDecimal(payment.gross), tax: toDecimal(payment.tax), payment_id: payment.id }),
  ...(license && {
    license_id: mayBeOlder(row) ? null : license.id,
    expiration: license.expiration,
    quota: license.quota,
  }),
  action: row.action,
  trial: row.trial,
  trial_ends_at: trial?.trial_ends_at,
})

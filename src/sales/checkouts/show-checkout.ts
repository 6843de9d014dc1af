import type { ReadContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { signedRedirect } from './signatures.ts'
import { shownCountry } from '../../lib/countries.ts'
import { notFound } from '../../lib/errors.ts'
import { idText } from '../../lib/id-text.ts'
import { toDecimal } from '../../lib/money.ts'
import { MILLION, type Quote, type QuoteLine } from '../quotes/quote.ts'
import { HOUR, SECOND } from '../../lib/time.ts'
import { findOffer, findSoldProduct } from './queries.ts'
import { CYCLE_NAMES, NAMES_OF_CYCLES, type Checkout, type CheckoutRow } from './schema.ts'
import type { CheckoutResult } from './result-schema.ts'
import { getLicense } from '../../licensing/licenses/service.ts'
import { presentPayment } from '../payments/schema.ts'
import { getPayment } from '../payments/service.ts'
import { getPlan } from '../../catalogue/plans/service.ts'
import { exposesKeys, findProduct } from '../../catalogue/products/product-rows.ts'
import { presentSubscription } from '../subscriptions/schema.ts'
import { getSubscription } from '../subscriptions/service.ts'
import { findTrial } from '../../licensing/trials/trial-rows.ts'
import { presentTrial } from '../../licensing/trials/schema.ts'
import { getUser } from '../../people/users/service.ts'
import type { Kept, Priced } from './action.ts'
import { actionOf } from './actions.ts'
import { isProvenBuyer, isUnprovenGift } from './buyer.ts'
import { refusalOf, specialOf } from './quote.ts'
import { namesIn } from './sale.ts'

export interface Shown {
  readonly token: string
  readonly row: CheckoutRow
  readonly scope: Scope
}

/** A checkout with what it comes to at the moment, and why. */
export async function showCheckout(ctx: ReadContext, { token, row, scope }: Shown): Promise<Checkout> {
  const priced = await pricedOf(ctx, scope, row)
  const { price, product, quote, tax, renewal } = priced
  return {
    id: token,
    state: row.state,
    action: row.action,
    trial: row.trial,
    trial_ends_at: priced.trial?.endsAt ?? null,
    environment: row.environment,
    product: productOf(product),
    plan: { id: String(price.plan_id), name: price.plan_name, title: price.plan_title },
    pricing_id: String(price.id),
    licenses: price.licenses,
    billing_cycle: cycleName(row),
    currency: price.currency,
    buyer: buyerOf(row),
    discount: discountOf(row, priced),
    exit_intent: await exitIntentOf(ctx, scope, row, priced),
    quote: {
      lines: quote.lines.map((line) => lineOf(line, priced)),
      ...partsOf(quote),
      tax_rate: tax.rate / MILLION,
      tax_rule: tax.rule,
      is_tax_provisional: tax.isProvisional,
    },
    after_trial: afterTrial(priced),
    renewal: renewal && { at: renewal.at, ...partsOf(renewal.quote) },
    change: changeOf(priced),
    expires_at: row.expires_at,
  }
}

/** What was begun to be paid stays what it came to, whatever became of prices and license. */
async function pricedOf(ctx: ReadContext, scope: Scope, row: CheckoutRow): Promise<Priced> {
  if (row.state === 'open' || row.kept === null) return actionOf(row).price(ctx, scope, row)
  const kept = JSON.parse(row.kept) as Kept
  const [product] = await findProduct(ctx.db, scope, {})
  const price = await findOffer(ctx.db, scope, row.pricing_id)
  if (!product || !price) throw notFound('checkout')
  const { id, name, title } = await getPlan(ctx, scope, row.plan_id)
  const { licenses, quote } = kept
  const plan = { plan_id: id, plan_name: name, plan_title: title }
  return { ...kept, product, price: { ...price, ...plan, licenses, currency: quote.currency }, coupon: null }
}

const buyerOf = (row: CheckoutRow) => ({
  email: row.email,
  first: row.first,
  last: row.last,
  country_code: shownCountry(row.country_code),
  region: row.region,
  zip_postal_code: row.zip_postal_code,
  vat_id: row.vat_id,
  vat_check: row.vat_id === null ? null : row.vat_check,
  is_readonly: row.is_readonly === 1,
})

/** A coupon without a code of the buyer's takes off what it does, and its code stays hidden. */
function discountOf({ coupon_code: code, coupon_id: hidden }: CheckoutRow, priced: Priced) {
  if (code === null && hidden === null) return null
  const reason = refusalOf(priced)
  return { code, applies: reason === null, reason }
}

/** What a buyer is told of the terms of refunds before paying. */
const productOf = (product: Priced['product']): Checkout['product'] => ({
  id: String(product.id),
  title: product.title,
  money_back_period: product.money_back_period,
  refund_policy: product.refund_policy,
  is_consumptive_usage: product.is_consumptive_usage === 1,
})

const EXIT_MS = HOUR

/** What is offered to who leaves before an address was typed (`docs/interface.md` 9.3). */
async function exitIntentOf(
  ctx: ReadContext,
  scope: Scope,
  row: CheckoutRow,
  { price, product, amountPerCycle: amount, now }: Priced,
): Promise<Checkout['exit_intent']> {
  const isOffered =
    row.state === 'open' && MAKES_LICENSE.has(row.action) && row.email === '' && row.user_id === null
  if (!isOffered || row.coupon_code !== null || row.coupon_id !== null) return null
  const found = await specialOf(ctx, scope, row, { price, product, amount, now, type: 'exit_intent' })
  if (found === null || found.amountOff === 0) return null
  return { code: found.coupon.code, amount: toDecimal(found.amountOff), seconds: EXIT_MS / SECOND }
}

function lineOf({ kind, amount }: QuoteLine, { rules, tax }: Priced) {
  const {
    rule,
    daysLeft = null,
    days = null,
  } = rules[kind] ?? {
    rule: kind === 'tax' ? tax.rule : kind === 'price' ? 'list_price' : kind,
  }
  return { kind, amount: toDecimal(amount), rule, days_left: daysLeft, days }
}

function afterTrial(priced: Priced) {
  const { endsAt: at, firstPayment: quote = null } = priced.trial ?? {}
  if (at === undefined || quote === null) return null
  const lines = quote.lines.map((line) => lineOf(line, { ...priced, rules: {} }))
  return { at, lines, ...partsOf(quote) }
}

const changeOf = ({ change }: Priced) =>
  change && {
    kind: change.kind,
    license_id: String(change.licenseId),
    expiration: change.expiration,
    unused_credit: toDecimal(change.unusedCredit),
    subscription: change.subscriptionId === null ? ('none' as const) : ('replaced' as const),
  }

const partsOf = ({ gross, tax, total }: Quote) => ({
  gross: toDecimal(gross),
  tax: toDecimal(tax),
  total: toDecimal(total),
})

const cycleName = ({ billing_cycle: cycle }: CheckoutRow) =>
  NAMES_OF_CYCLES.find((name) => CYCLE_NAMES[name] === cycle) ?? 'lifetime'

/**
 * What a paid checkout led to: buyer, purchase, license key, and where to go on to, signed
 * (`docs/interface.md` 8.3, 8.4). Who has proven nothing reads no id of the buyer: those of users go up, so
 * that a low one tells that the address was known (`docs/decisions.md` 3.14).
 */
export async function showResult(
  ctx: ReadContext,
  { row, scope }: Omit<Shown, 'token'>,
): Promise<CheckoutResult> {
  const led = await ledTo(ctx, scope, row)
  const { user, payment, subscription, trial } = led
  const isHidden = row.is_hidden === 1
  const isOwners = isHidden && row.action === 'payment_method_update'
  const idOfUser = isProvenBuyer(row) ? String(user.id) : null
  const bought = <T extends { user_id: string | null }>(entity: T) => ({ ...entity, user_id: idOfUser })
  const paid = payment && bought(presentPayment(payment, {}))
  return {
    state: 'paid',
    user: isHidden ? null : { id: idOfUser, ...shownOf(row, user) },
    purchase: isOwners ? null : subscription ? bought(presentSubscription(subscription, {})) : paid,
    payment: isOwners ? null : paid,
    trial: trial && {
      ...bought(presentTrial(trial)),
      ...(mayBeOlder(row) && { id: null, license_id: null }),
    },
    license_id: idText(mayBeOlder(row) ? null : row.license_id),
    license_key: await keyOf(ctx, scope, row, led),
    redirect_url: await redirectOf(ctx, row, led),
    confirmation_url: null,
  }
}

/** Actions of which the key is told for the first time. */
const MAKES_LICENSE: ReadonlySet<CheckoutRow['action']> = new Set(['purchase', 'trial'])

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
function isKeyMailedOnly(row: CheckoutRow): boolean {
  if (!MAKES_LICENSE.has(row.action) || isProvenBuyer(row)) return false
  if (isForAnybody(row)) return true
  return row.environment !== 0 && row.made_user === 0
}

/** The key of a license, unless it is mailed to its owner only, or the product shows no keys. */
async function keyOf(
  ctx: ReadContext,
  scope: Scope,
  row: CheckoutRow,
  { license }: Led,
): Promise<string | null> {
  if (!license || isKeyMailedOnly(row)) return null
  if (!(await exposesKeys(ctx.db, scope))) return null
  return ctx.keys.open(license.secret_key, 'licenses.secret_key')
}

/** Who came with a proof of who they are is shown as they are known, anybody else as they said. */
const shownOf = (row: CheckoutRow, user: Pick<CheckoutRow, 'email' | 'first' | 'last'>) => {
  const { email, first, last } = row.is_readonly === 1 ? user : { email: row.email, ...namesIn(row) }
  return { email, first, last }
}

type Led = Awaited<ReturnType<typeof ledTo>>

const ledTo = async (ctx: ReadContext, scope: Scope, row: CheckoutRow) => ({
  user: await getUser(ctx, scope, row.user_id ?? 0),
  license: row.license_id === null ? null : await getLicense(ctx, scope, row.license_id),
  payment: row.payment_id === null ? null : await getPayment(ctx, scope, row.payment_id),
  subscription: row.subscription_id === null ? null : await getSubscription(ctx, scope, row.subscription_id),
  trial: row.trial_id === null ? null : ((await findTrial(ctx.db, scope, row.trial_id)) ?? null),
})

async function redirectOf(ctx: ReadContext, row: CheckoutRow, led: Led): Promise<string | null> {
  if (row.redirect_url === null) return null
  return signedRedirect(row.redirect_url, valuesOf(row, led), await secretOf(ctx, row))
}

/**
 * The address of an owner who is not shown is left out. Pages of sellers need the id of who has paid; what anybody
 * could have is told without.
 */
const valuesOf = (row: CheckoutRow, { user, license, payment, subscription, trial }: Led) => ({
  user_id: row.is_hidden === 1 || isForAnybody(row) ? null : user.id,
  plan_id: row.plan_id,
  email: row.is_hidden === 1 ? null : shownOf(row, user).email,
  pricing_id: row.pricing_id,
  currency: (payment ?? subscription)?.currency,
  subscription_id: subscription?.id,
  billing_cycle: cycleName(row),
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

async function secretOf(ctx: ReadContext, { product_id: id }: CheckoutRow): Promise<string> {
  const product = await findSoldProduct(ctx.db, id)
  return ctx.keys.open(product?.secret_key ?? '', 'products.secret_key')
}

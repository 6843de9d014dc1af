import type { ReadContext, TxContext } from '../../context.ts'
import { formerSecrets } from '../../db/former-keys.ts'
import type { Environment } from '../../db/tables/licenses.ts'
import type { Scope } from '../../access/scope.ts'
import { isSandboxToken, timeOfContext } from './signatures.ts'
import { hashToken, newCheckoutToken } from '../../lib/credentials.ts'
import { invalid, invalidFields, notFound } from '../../lib/errors.ts'
import { readToken } from '../../lib/signed-token.ts'
import { DAY, toUtcTime } from '../../lib/time.ts'
import { findSoldProduct, insertCheckout, offersOf, type SoldProduct } from './queries.ts'
import type { CheckoutOpen, CheckoutRow } from './schema.ts'
import { actionOf } from './actions.ts'
import { buyerOf, codeOf, isProvenBuyer } from './buyer.ts'
import type { VatCheck } from './check-vat.ts'
import { companyOfBuyer } from './company.ts'
import { cartAsked, cartOf, columnsOfCart, offerOfCart } from './cart.ts'
import { columnsOfLicense, licenseOfCheckout, offerOfLicense, type Licensed } from './license.ts'
import { languageOf } from './language.ts'
import { offerOfMethod } from './method.ts'
import { chooseOffer, type Chosen } from './offer.ts'
import { requireTarget } from './targets.ts'
import { refuseProven, trialAsked, trialOf } from './trial.ts'
import { noteSeen, recorded, scopeOfCheckout, type OpenedCheckout } from './checkout.ts'
import { openerOf } from './site-of-checkout.ts'
import { requireSale } from './require-sale.ts'
import { stateOf } from './state.ts'

/** How long a checkout can be paid. */
const LASTS_MS = DAY
const MIN_VISITOR = 16

/**
 * Opens a checkout of a product (`docs/interface.md` 8.2): to buy, to try, or for a license that is renewed,
 * changed or paid for in another way; in its sandbox with the seller's token, as a user with the token of one minute,
 * from a site with its proof (`docs/decisions.md` 3.23), and with what a cart holds by the token of its mails. 404 for
 * a product that is not there, or is not active where nobody names a license; 400 with the fields for what is not sold,
 * or an address the product does not lead to; 400 `product_not_sold` for an upgrade of what is not sold any more,
 * `invalid_sandbox_token`, `invalid_user_token`, `invalid_cart_token`, and as `licenseOfCheckout`, `offerOfMethod`,
 * `trialOf`.
 */
export async function openCheckout(
  ctx: TxContext,
  from: Scope,
  asked: CheckoutOpen,
  vat: VatCheck,
): Promise<OpenedCheckout> {
  const input = { ...asked, ...cartAsked(ctx, asked), ...trialAsked(asked) }
  const product = await findSoldProduct(ctx.db, input.product_id)
  if (!product) throw notFound('product')
  const scope = scopeOfCheckout(from, { developer_id: product.developer_id, product_id: product.id })
  requireTarget(ctx, product, { field: 'redirect_url', target: input.redirect_url })
  requireVisitor(input)
  const { user, site } = await openerOf(ctx, scope, product, input)
  const licensed = await licenseOfCheckout(ctx, scope, input, user.user_id ?? null)
  if (!licensed && !product.is_active) throw notFound('product')
  const sandbox = await environmentOf(ctx, product, input)
  const columns = licensed
    ? await aboutLicense(ctx, scope, licensed, { input, sandbox })
    : await aboutPurchase(ctx, scope, input, { environment: sandbox ?? 0, ...user })
  const known = await companyKnown(ctx, columns, input)
  const token = newCheckoutToken()
  const now = ctx.clock.real()
  const row = await insertCheckout(ctx.db, {
    ...BLANK,
    product_id: product.id,
    token_hash: hashToken(token),
    state: 'open',
    is_recorded: input.cart !== false,
    visitor: input.visitor === undefined ? null : hashToken(input.visitor),
    ip: from.ip,
    ...placeAsked(input),
    redirect_url: input.redirect_url ?? null,
    gdpr: input.gdpr ?? 'default',
    coupon_code: codeOf(input.coupon) ?? null,
    ...vat,
    ...languageOf(input),
    ...columns,
    ...known,
    ...tokenOf(user),
    ...site,
    expires_at: toUtcTime(now + LASTS_MS),
    created: toUtcTime(now),
    updated: null,
  })
  const state = await stateOf(ctx, scope, row)
  if (!product.is_active) requireSale(state, await actionOf(row).price(ctx, state))
  await refuseProven(ctx, row)
  const shown = await recorded(ctx, state, hasComeOn(input, row))
  return { token, ...(await noteSeen(ctx, shown)) }
}

/** Of a buyer who has proven to be that person what the billing record says of the company. */
async function companyKnown(ctx: ReadContext, columns: Partial<CheckoutRow>, input: CheckoutOpen) {
  const { user_id: userId = null, is_readonly = false, is_hidden = false } = columns
  if (userId === null || !isProvenBuyer({ is_readonly, is_hidden })) return {}
  return companyOfBuyer(ctx, userId, input, columns)
}

/** Whether more is known of a buyer than an address; what is bought stands in the link that leads here. */
function hasComeOn(input: CheckoutOpen, row: CheckoutRow): boolean {
  const { email: _typed, ...told } = buyerOf(input, row)
  const isTold = Object.values(told).some((one) => one !== null && one !== '')
  return isTold || row.user_id !== null || input.cart_token !== undefined
}

function requireVisitor({ visitor }: CheckoutOpen): void {
  if (visitor !== undefined && visitor.length < MIN_VISITOR)
    throw invalidFields([{ field: 'visitor', message: `must have ${MIN_VISITOR} characters or more` }])
}

/** How and where it is shown: a dialog, of a page that nobody names, where nothing is said. */
const placeAsked = ({ mode = 'dialog', url = '' }: CheckoutOpen) => ({ mode, url })

const tokenOf = ({ buyer_token = null }: Partial<Pick<CheckoutRow, 'buyer_token'>>) => ({ buyer_token })

const BLANK = {
  environment: 0,
  trial: null,
  trial_id: null,
  of_license_id: null,
  attempt: 0,
  cart_id: null,
  install_id: null,
  user_id: null,
  email: '',
  first: '',
  last: '',
  country_code: null,
  region: null,
  zip_postal_code: null,
  vat_id: null,
  vat_country: null,
  vat_check: null,
  business_name: null,
  address_street: null,
  address_apt: null,
  address_city: null,
  is_readonly: false,
  is_hidden: false,
  coupon_id: null,
  kept: null,
  seen: null,
  buyer_token: null,
  charge_id: null,
  payment_id: null,
  subscription_id: null,
  license_id: null,
} as const

const beginning = ({ default_currency: currency = 'usd' }: CheckoutOpen): Chosen => ({
  planId: null,
  licenses: 1,
  cycle: 12,
  currency,
})

async function aboutPurchase(ctx: TxContext, scope: Scope, input: CheckoutOpen, given: Partial<CheckoutRow>) {
  if (input.is_payment_method_update === true) {
    throw invalidFields([
      { field: 'license_id', message: 'or license_key must name whose method of payment it is' },
    ])
  }
  const prices = await offersOf(ctx.db, scope)
  const cart = await cartOf(ctx, scope, input.cart_token)
  const offer = cart ? offerOfCart(prices, cart.row, input) : chooseOffer(prices, beginning(input), input)
  const of = { planId: offer.price.plan_id, wanted: input.trial ?? 'true' } as const
  const { trial } = input
  const left = cart && (await columnsOfCart(ctx, scope, cart, input))
  return {
    action: trial === undefined ? ('purchase' as const) : ('trial' as const),
    trial: trial === undefined ? null : await trialOf(ctx, scope, of),
    plan_id: offer.price.plan_id,
    pricing_id: offer.price.id,
    billing_cycle: offer.cycle,
    ...left,
    ...buyerOf(input, left ?? {}),
    ...(cart && input.cart !== false && { cart_id: cart.row.id }),
    ...(cart ? { ...given, environment: cart.row.environment } : given),
  }
}

/** Of an owner who is not shown. */
const UNCHECKED = { vat_country: null, vat_check: null } as const

interface Opening {
  readonly input: CheckoutOpen
  /** 1 with a token of the sandbox. */
  readonly sandbox: Environment | null
}

async function aboutLicense(ctx: TxContext, scope: Scope, licensed: Licensed, { input, sandbox }: Opening) {
  if (sandbox !== null && licensed.license.environment !== sandbox) {
    throw invalid('invalid_sandbox_token', 'This license is not of the sandbox.')
  }
  const prices = await offersOf(ctx.db, scope)
  const isMethod = input.is_payment_method_update === true
  const offer = isMethod ? offerOfMethod(prices, licensed) : offerOfLicense(prices, licensed, input)
  const { user_email: _email, user_firstname: _first, user_lastname: _last, ...place } = input
  const owner = await columnsOfLicense(ctx, scope, licensed)
  return {
    action: isMethod ? ('payment_method_update' as const) : ('license_update' as const),
    plan_id: offer.price.plan_id,
    pricing_id: offer.price.id,
    billing_cycle: offer.cycle,
    ...owner,
    ...(licensed.isHidden && !isMethod && place.vat_id === undefined && UNCHECKED),
    ...buyerOf(place, owner),
  }
}

/** How long a token is good that says when the seller's own code made it (`docs/decisions.md` 3.16). */
const CLIENT_TOKEN_MS = DAY

/**
 * 1 with a token of the sandbox: one that the server issued, until its end; or, unless the product takes none, one of
 * the seller's own code, for a day after `s_ctx_ts` where that is a time.
 */
async function environmentOf(
  ctx: ReadContext,
  product: SoldProduct,
  { sandbox, s_ctx_ts: context = '' }: CheckoutOpen,
): Promise<1 | null> {
  if (sandbox === undefined) return null
  const now = ctx.clock.real()
  const claims = readToken(ctx.keys, sandbox, { purpose: 'sandbox', now })
  if (claims?.['plugin_id'] === String(product.id)) return 1
  const madeAt = timeOfContext(context)
  const isPresent = madeAt === null || Math.abs(now - madeAt) <= CLIENT_TOKEN_MS
  const secret = ctx.keys.open(product.secret_key, 'products.secret_key')
  const of = { context, productId: product.id, publicKey: product.public_key }
  const isTaken = product.accepts_client_sandbox_tokens && isPresent && context !== ''
  const isMadeWith = (secretKey: string) => isSandboxToken(sandbox, { ...of, secretKey })
  if (isTaken && isMadeWith(secret)) return 1
  if (isTaken && (await formerSecrets(ctx, 'products', product.id)).some(isMadeWith)) return 1
  throw invalid('invalid_sandbox_token', 'The token of the sandbox is wrong, or its time is over.')
}

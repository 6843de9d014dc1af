import { randomBytes } from 'node:crypto'
import type { Context, ReadContext, TxContext } from '../context.ts'
import type { Scope } from '../http/scope.ts'
import { isRedirectTarget, isSandboxToken } from '../lib/checkout-signatures.ts'
import { hashToken } from '../lib/credentials.ts'
import { invalid, invalidFields, notFound } from '../lib/errors.ts'
import { readToken } from '../lib/signed-token.ts'
import { DAY, toUtcTime } from '../lib/time.ts'
import { checkVatId } from '../lib/vat-id.ts'
import {
  findCheckout,
  findSoldProduct,
  insertCheckout,
  offersOf,
  updateOpenCheckout,
  type OwnedCheckout,
  type SoldProduct,
} from '../resources/checkouts/queries.ts'
import type { CheckoutChange, CheckoutOpen, CheckoutRow } from '../resources/checkouts/schema.ts'
import { findUser } from '../resources/users/queries.ts'
import { chooseOffer, type Chosen } from './checkout-offer.ts'
import { touchCart } from './touch-cart.ts'

/** How long a checkout can be paid. */
const LASTS_MS = DAY
const MIN_VISITOR = 16

/** Whoever goes on with a checkout acts for its buyer (DECISIONS 6.1); who that is may not be known yet. */
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

export interface OpenedCheckout {
  /** Names the checkout, and is the right to it. */
  readonly token: string
  readonly row: CheckoutRow
  readonly scope: Scope
}

/**
 * Opens a checkout of a product (`spec/behaviour/checkout.md` 2), in its sandbox with the seller's token, as a user with
 * the token of one minute. 404 for a product that is not there or not active; 400 with the fields for what is not
 * sold, or an address the product does not lead to; 400 `invalid_sandbox_token`, `invalid_user_token`.
 */
export async function openCheckout(
  ctx: TxContext,
  from: Scope,
  input: CheckoutOpen,
  vat: VatCheck,
): Promise<OpenedCheckout> {
  const product = await findSoldProduct(ctx.db, input.product_id)
  if (!product || product.is_active === 0) throw notFound('product')
  const scope = scopeOfCheckout(from, { developer_id: product.developer_id, product_id: product.id })
  const environment = environmentOf(ctx, product, input)
  requireRedirect(ctx, product, input.redirect_url)
  if (input.visitor !== undefined && input.visitor.length < MIN_VISITOR) {
    throw invalidFields([{ field: 'visitor', message: `must have ${MIN_VISITOR} characters or more` }])
  }
  const offer = chooseOffer(await offersOf(ctx.db, scope), beginning(input), input)
  const token = randomBytes(24).toString('base64url')
  const now = ctx.clock.real()
  const row = await insertCheckout(ctx.db, {
    product_id: product.id,
    token_hash: hashToken(token),
    environment,
    state: 'open',
    attempt: 0,
    cart_id: null,
    plan_id: offer.price.plan_id,
    pricing_id: offer.price.id,
    billing_cycle: offer.cycle,
    coupon_code: codeOf(input.coupon) ?? null,
    ...BLANK,
    ...buyerOf(input),
    ...vat,
    ...(await userOf(ctx, scope, input.user_token)),
    is_recorded: input.cart === false ? 0 : 1,
    visitor: input.visitor === undefined ? null : hashToken(input.visitor),
    ip: from.ip,
    redirect_url: input.redirect_url ?? null,
    charge_id: null,
    payment_id: null,
    subscription_id: null,
    license_id: null,
    expires_at: toUtcTime(now + LASTS_MS),
    created: toUtcTime(now),
    updated: null,
  })
  return { token, row: await recorded(ctx, scope, row), scope }
}

const BLANK = {
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
  is_readonly: 0,
} as const

const beginning = ({ default_currency: currency = 'usd' }: CheckoutOpen): Chosen => ({
  planId: null,
  licenses: 1,
  cycle: 12,
  currency,
})

/** What a check of the VAT id that was told says; nothing where none was. */
export type VatCheck = Partial<Pick<CheckoutRow, 'vat_country' | 'vat_check'>>

/** Has a VAT id that is told checked, also online: outside of transactions. */
export async function checkVat(
  { vatIds }: Pick<Context, 'vatIds'>,
  input: CheckoutChange,
): Promise<VatCheck> {
  if (input.vat_id === undefined) return {}
  const checked = await checkVatId(input.vat_id, vatIds)
  return { vat_country: checked?.country ?? null, vat_check: checked?.check ?? null }
}

/** The checkout of a token; 404 when there is none, or it has expired. */
export async function getCheckout(ctx: ReadContext, token: string): Promise<OwnedCheckout> {
  const row = await findCheckout(ctx.db, hashToken(token), toUtcTime(ctx.clock.real()))
  if (!row) throw notFound('checkout')
  return row
}

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
    ...(input.coupon !== undefined && { coupon_code: codeOf(input.coupon) ?? null }),
    ...(before.is_readonly === 1 ? placeOf(input) : buyerOf(input)),
    ...vat,
    updated: toUtcTime(ctx.clock.real()),
  })
  if (!changed) throw invalid('checkout_closed', 'This checkout is being paid, or was.')
  return { token, row: await recorded(ctx, scope, changed), scope }
}

async function offerOf(ctx: TxContext, scope: Scope, before: CheckoutRow, input: CheckoutChange) {
  const { plan_id, pricing_id, licenses, billing_cycle, currency } = input
  const isAbout = [plan_id, pricing_id, licenses, billing_cycle, currency].some((one) => one !== undefined)
  if (!isAbout) return {}
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

/** 0 production, 1 sandbox. */
function environmentOf(
  ctx: ReadContext,
  product: SoldProduct,
  { sandbox, s_ctx_ts: context = '' }: CheckoutOpen,
) {
  if (sandbox === undefined) return 0
  const secretKey = ctx.keys.open(product.secret_key, 'products.secret_key')
  const of = { context, productId: product.id, secretKey, publicKey: product.public_key }
  if (context !== '' && isSandboxToken(sandbox, of)) return 1
  throw invalid('invalid_sandbox_token', 'The token of the sandbox is wrong.')
}

function requireRedirect(ctx: ReadContext, product: SoldProduct, target: string | undefined): void {
  const hosts = JSON.parse(product.redirect_hosts) as string[]
  const isDevelopment = ctx.config.mode === 'development'
  if (target === undefined || isRedirectTarget(target, hosts, { isDevelopment })) return
  throw invalidFields([
    { field: 'redirect_url', message: 'must be https, and lead to a host on the list of the product' },
  ])
}

/** The user of a token, who stays the buyer. */
async function userOf(ctx: TxContext, scope: Scope, token: string | undefined) {
  if (token === undefined) return {}
  const claims = readToken(ctx.keys, token, { purpose: 'checkout', now: ctx.clock.real() })
  const isOfProduct = claims?.['plugin_id'] === String(scope.productId)
  const [user] = isOfProduct ? await findUser(ctx.db, scope, { id: Number(claims?.['user_id']) }) : []
  if (!user) throw invalid('invalid_user_token', 'The token of the user is wrong, or older than a minute.')
  const { id, email, first, last } = user
  return { user_id: id, email, first, last, is_readonly: 1 as const }
}

const codeOf = (code: string | undefined) => code?.trim() || undefined

/** Where the buyer is. */
const placeOf = (input: CheckoutChange) =>
  told({
    country_code: input.country_code?.toUpperCase(),
    region: input.region?.trim(),
    zip_postal_code: input.zip_postal_code,
    vat_id: input.vat_id,
  })

const buyerOf = (input: CheckoutChange) => ({
  ...(input.user_email !== undefined && { email: input.user_email.trim() }),
  ...(input.user_firstname !== undefined && { first: input.user_firstname.trim() }),
  ...(input.user_lastname !== undefined && { last: input.user_lastname.trim() }),
  ...placeOf(input),
})

/** Empty text takes back what was told. */
const told = <T extends Record<string, string | undefined>>(given: T) =>
  Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, value === '' ? null : value]),
  ) as { [K in keyof T]?: string | null }

/** A checkout whose buyer is known is a cart too, unless it is not to be (SPEC 4.3). */
async function recorded(ctx: TxContext, scope: Scope, row: CheckoutRow): Promise<CheckoutRow> {
  if (row.is_recorded === 0 || row.email === '') return row
  const { environment, visitor, email, first, last, country_code, vat_id } = row
  const cart = await touchCart(ctx, scope, {
    environment,
    visitor,
    email,
    first,
    last,
    country_code,
    vat_id,
    plan_id: row.plan_id,
    pricing_id: row.pricing_id,
    billing_cycle: row.billing_cycle,
    ...(row.user_id !== null && { user_id: row.user_id }),
    ...(row.ip !== null && { ip: row.ip }),
  })
  return (await updateOpenCheckout(ctx.db, row.id, { cart_id: cart.id })) ?? row
}

import type { ReadContext } from '../context.ts'
import type { Scope } from '../http/scope.ts'
import { signedRedirect } from '../lib/checkout-signatures.ts'
import { toDecimal } from '../lib/money.ts'
import { MILLION, type Quote } from '../lib/quote.ts'
import { findSoldProduct } from '../resources/checkouts/queries.ts'
import {
  CYCLE_NAMES,
  NAMES_OF_CYCLES,
  type Checkout,
  type CheckoutRow,
} from '../resources/checkouts/schema.ts'
import type { CheckoutResult } from '../resources/checkouts/result-schema.ts'
import { getLicense } from '../resources/licenses/service.ts'
import { presentPayment } from '../resources/payments/schema.ts'
import { getPayment } from '../resources/payments/service.ts'
import { presentSubscription } from '../resources/subscriptions/schema.ts'
import { getSubscription } from '../resources/subscriptions/service.ts'
import { getUser } from '../resources/users/service.ts'
import { priceCheckout, refusalOf } from './checkout-quote.ts'

export interface Shown {
  readonly token: string
  readonly row: CheckoutRow
  readonly scope: Scope
}

/** A checkout with what it comes to at the moment. */
export async function showCheckout(ctx: ReadContext, { token, row, scope }: Shown): Promise<Checkout> {
  const priced = await priceCheckout(ctx, scope, row)
  const { price, product, quote, tax, renewal } = priced
  return {
    id: token,
    state: row.state,
    environment: row.environment,
    product: { id: String(product.id), title: product.title },
    plan: { id: String(price.plan_id), name: price.plan_name, title: price.plan_title },
    pricing_id: String(price.id),
    licenses: price.licenses,
    billing_cycle: cycleName(row),
    currency: price.currency,
    buyer: {
      email: row.email,
      first: row.first,
      last: row.last,
      country_code: row.country_code,
      region: row.region,
      zip_postal_code: row.zip_postal_code,
      vat_id: row.vat_id,
      is_readonly: row.is_readonly === 1,
    },
    discount:
      row.coupon_code === null
        ? null
        : { code: row.coupon_code, applies: refusalOf(priced) === null, reason: refusalOf(priced) },
    quote: {
      lines: quote.lines.map(({ kind, amount }) => ({ kind, amount: toDecimal(amount) })),
      ...partsOf(quote),
      tax_rate: tax.rate / MILLION,
      tax_rule: tax.rule,
    },
    renewal: renewal && { at: renewal.at, ...partsOf(renewal.quote) },
    expires_at: row.expires_at,
  }
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
 * (`spec/behaviour/checkout.md` 3 and 4).
 */
export async function showResult(
  ctx: ReadContext,
  { row, scope }: Omit<Shown, 'token'>,
): Promise<CheckoutResult> {
  const user = await getUser(ctx, scope, row.user_id ?? 0)
  const license = await getLicense(ctx, scope, row.license_id ?? 0)
  const payment = await getPayment(ctx, scope, row.payment_id ?? 0)
  const subscription =
    row.subscription_id === null ? null : await getSubscription(ctx, scope, row.subscription_id)
  const redirect = row.redirect_url
  const values = {
    user_id: user.id,
    plan_id: row.plan_id,
    email: user.email,
    pricing_id: row.pricing_id,
    currency: payment.currency,
    subscription_id: subscription?.id,
    billing_cycle: cycleName(row),
    amount: toDecimal(payment.gross),
    tax: toDecimal(payment.tax),
    payment_id: payment.id,
    license_id: license.id,
    expiration: license.expiration,
    quota: license.quota,
    action: 'purchase',
  }
  return {
    state: 'paid',
    user: { id: String(user.id), email: user.email, first: user.first, last: user.last },
    purchase: subscription ? presentSubscription(subscription) : presentPayment(payment),
    payment: presentPayment(payment),
    license_id: String(license.id),
    license_key: ctx.keys.open(license.secret_key, 'licenses.secret_key'),
    redirect_url: redirect === null ? null : signedRedirect(redirect, values, await secretOf(ctx, row)),
    confirmation_url: null,
  }
}

async function secretOf(ctx: ReadContext, { product_id: id }: CheckoutRow): Promise<string> {
  const product = await findSoldProduct(ctx.db, id)
  return ctx.keys.open(product?.secret_key ?? '', 'products.secret_key')
}

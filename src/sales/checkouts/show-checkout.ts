import type { ReadContext } from '../../context.ts'
import { sellingUnitOf } from '../../http/selling-unit.ts'
import type { Scope } from '../../access/scope.ts'
import { shownCountry } from '../../lib/countries.ts'
import { notFound } from '../../lib/errors.ts'
import { toDecimal } from '../../lib/money.ts'
import { MILLION, type Quote, type QuoteLine } from '../quotes/quote.ts'
import { HOUR, SECOND } from '../../lib/time.ts'
import { CYCLE_NAMES, NAMES_OF_CYCLES, type Checkout, type CheckoutRow } from './schema.ts'
import { getPlan } from '../../catalogue/plans/service.ts'
import type { Kept, Priced } from './action.ts'
import { actionOf } from './actions.ts'
import { marketingOf, waiverOf } from './consents.ts'
import { refusalOf, specialOf } from './quote.ts'
import type { CheckoutState } from './state.ts'
import { listSpecial } from '../coupons/special-rows.ts'
import { pictureUrl } from '../../lib/pictures.ts'
import type { Gateway } from '../../gateways/gateway.ts'
import { LANGUAGES } from '../../mail/texts/texts.ts'
import { otherForms, paymentForm } from './payment-form.ts'

export interface Shown extends CheckoutState {
  readonly token: string
}

/** A checkout with what it comes to at the moment, and why. */
export async function showCheckout(
  ctx: ReadContext,
  { token, ...state }: Shown,
  gateways: readonly Gateway[],
): Promise<Checkout> {
  const { row, scope } = state
  const priced = await pricedOf(ctx, state)
  const { price, product, quote, tax, renewal } = priced
  const { environment, country_code: country } = row
  const buyer = { currency: price.currency, country }
  const wanted = { environment, accepted: product.accepted_payments, buyer }
  return {
    id: token,
    state: row.state,
    action: row.action,
    trial: row.trial,
    trial_ends_at: priced.trial?.endsAt ?? null,
    environment,
    product: productOf(ctx, product),
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
    payment: paymentForm(gateways, wanted),
    other_payments: otherForms(gateways, wanted),
    waiver: waiverOf(row, priced),
    marketing: marketingOf(row, priced),
    language: row.language,
    languages: [...LANGUAGES],
    expires_at: row.expires_at,
  }
}

/** What was begun to be paid stays what it came to, whatever became of prices and license. */
async function pricedOf(ctx: ReadContext, state: CheckoutState): Promise<Priced> {
  const { scope, row } = state
  if (row.state === 'open' || row.kept === null) return actionOf(row).price(ctx, state)
  const kept = JSON.parse(row.kept) as Kept
  const { product, offer: price } = state.sold
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
  business_name: row.business_name,
  address_street: row.address_street,
  address_apt: row.address_apt,
  address_city: row.address_city,
  is_readonly: row.is_readonly,
})

/** A coupon without a code of the buyer's takes off what it does, and its code stays hidden. */
function discountOf({ coupon_code: code, coupon_id: hidden }: CheckoutRow, priced: Priced) {
  if (code === null && hidden === null) return null
  const reason = refusalOf(priced)
  return { code, applies: reason === null, reason }
}

/** What a buyer is told of the terms of refunds before paying. */
const productOf = (ctx: ReadContext, product: Priced['product']): Checkout['product'] => ({
  id: String(product.id),
  title: product.title,
  icon: product.checkout_logo_url ?? pictureUrl(ctx, product.icon),
  selling_unit_label: sellingUnitOf(product),
  terms_url: product.terms_url,
  privacy_url: product.privacy_url,
  money_back_period: product.money_back_period,
  refund_policy: product.refund_policy,
  is_consumptive_usage: product.is_consumptive_usage,
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
  const [special] = await listSpecial(ctx.db, scope, 'exit_intent')
  if (!special) return null
  const { coupon_id: couponId } = special
  const found = await specialOf(ctx, scope, row, { price, product, amount, now, couponId })
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

/** The name of its cycle on the wire. */
const cycleName = ({ billing_cycle: cycle }: CheckoutRow) =>
  NAMES_OF_CYCLES.find((name) => CYCLE_NAMES[name] === cycle) ?? 'lifetime'

/** Actions of which the key is told for the first time. */
export const MAKES_LICENSE: ReadonlySet<CheckoutRow['action']> = new Set(['purchase', 'trial'])

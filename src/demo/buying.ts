import type { TxContext } from '../context.ts'
import type { Scope } from '../access/scope.ts'
import type { Currency } from '../lib/money.ts'
import { periodAfter } from '../lib/periods.ts'
import { DAY, fromUtcTime, toUtcTime, type UtcTime } from '../lib/time.ts'
import { completeCart } from '../sales/carts/service.ts'
import type { CartRow } from '../sales/carts/schema.ts'
import { countRedemption } from '../sales/coupons/redemption-rows.ts'
import { writeRedemption } from '../sales/coupons/redemptions.ts'
import { evaluateCode } from '../sales/coupons/service.ts'
import type { CouponRow } from '../sales/coupons/schema.ts'
import type { LicenseRow } from '../licensing/licenses/schema.ts'
import type { SubscriptionRow } from '../sales/subscriptions/schema.ts'
import { insertCharge, startedCharge } from '../sales/charges/charge-rows.ts'
import { createLicense } from '../licensing/licenses/create-license.ts'
import type { Buyer } from './buyers.ts'
import type { DemoPrice } from './sales-queries.ts'
import { installOn, site } from './sites.ts'
import { versionThen } from './releases.ts'
import { noteUpdate } from './versions.ts'
import type { PlannedSale } from './year-plan.ts'
import { holdFamily } from '../licensing/licenses/family.ts'
import { recordPayment } from '../sales/payments/record-payment.ts'
import { endSubscription, REPLACED, startSubscription } from '../sales/subscriptions/start-subscription.ts'
import { touchCart } from '../sales/carts/touch-cart.ts'
import { changeFamily } from '../licensing/licenses/update-license.ts'

/** A sale that is planned, in its product. */
export interface Sale extends PlannedSale {
  /** Names its payments where they were made. */
  readonly name: string
  readonly which: 'first' | 'other'
  readonly scope: Scope
  /** Those in the currency of its buyer, the smallest first. */
  readonly prices: readonly DemoPrice[]
  /** What is bought. */
  readonly price: DemoPrice
  /** When the demo was made, milliseconds. */
  readonly begin: number
}

/** Paid elsewhere, so nothing of it is ever charged here. */
const SOURCE = 1 as const

/** Percent, of buyers who pay it. */
const TAXES: ReadonlyMap<string, number> = new Map([
  ['CZ', 21],
  ['DE', 19],
  ['FR', 20],
  ['GR', 24],
  ['IE', 23],
  ['IT', 22],
  ['NL', 21],
  ['PT', 23],
])

const EURO: ReadonlySet<string> = new Set(['AT', 'DE', 'ES', 'FR', 'GR', 'IE', 'IT', 'NL', 'PT'])

/** What a buyer is shown prices in. */
export function currencyOf({ country }: Buyer): Currency {
  if (country === 'GB') return 'gbp'
  return EURO.has(country) ? 'eur' : 'usd'
}

/** The codes that buyers know, in the order in which they try them. */
const CODES = ['BLACKFRIDAY', 'LIFETIME50', 'SPRING', 'AGENCY25', 'NEWYEAR20', 'SUMMER15', 'WELCOME10']

/** The site of a buyer, one for each product. */
export function siteOf({ buyer, which }: Sale, version: string) {
  const [mailbox = ''] = buyer.person.email.split('@')
  const name = mailbox.replaceAll('.', '-')
  const path = which === 'first' ? 'forms' : 'bookings'
  return {
    ...site(`https://${name}.example.net/${path}`, `The shop of ${name}`, version),
    country_code: buyer.country.toLowerCase(),
  }
}

/** What is out by then. */
export const versionOf = (then: TxContext, { which, begin }: Sale): string =>
  versionThen(which, begin - then.clock.real())

const gatewayOf = ({ buyer: { place } }: Pick<Sale, 'buyer'>) => (place % 3 === 0 ? 'paypal' : 'stripe')

/** What the gateway kept of an amount, in its minor units: 2.9 % and 30 more. */
const feeOf = (total: number): number => (total === 0 ? 0 : Math.round(total * 0.029) + 30)

const percentOf = ({ buyer: { country } }: Pick<Sale, 'buyer'>): number => TAXES.get(country) ?? 0

function paidOf(sale: Pick<Sale, 'buyer'>, gross: number) {
  const tax = Math.round((gross * percentOf(sale)) / 100)
  return { gross, tax, fee: feeOf(gross + tax) }
}

/** What a renewal comes to, minor units. */
export const renewed = (sale: Sale, { renewal_amount: gross }: SubscriptionRow) => paidOf(sale, gross)

/** The end of the period that is paid by then. */
export const paidUntil = (then: TxContext, { start, cycle }: Sale): UtcTime =>
  periodAfter(toUtcTime(start), then.clock.now(), cycle)

/** A license lives a day longer than what is paid, so that none lapses while its renewal is on the way. */
export const endOf = (paid: UtcTime): UtcTime => toUtcTime(fromUtcTime(paid) + DAY)

const priceOf = ({ cycle }: Sale, price: DemoPrice): number =>
  (cycle === 0 ? price.lifetime_price : cycle === 1 ? price.monthly_price : price.annual_price) ?? 0

/** The cart of what a buyer is about to buy; the one that was left, where there is one. */
export const cartOf = (then: TxContext, { name, scope, buyer, price, cycle }: Sale): Promise<CartRow> =>
  touchCart(then, scope, {
    environment: 0,
    visitor: `browser-of-${name}`,
    email: buyer.person.email,
    first: buyer.person.first,
    last: buyer.person.last,
    plan_id: price.plan_id,
    pricing_id: price.pricing_id,
    billing_cycle: cycle,
    country_code: buyer.country.toLowerCase(),
  })

/** Buys a license, uses it on a site, and pays for it with what a coupon takes off. */
export async function buy(then: TxContext, sale: Sale, userId: number): Promise<void> {
  const { scope, price, cycle, buyer } = sale
  const cart = sale.hasCart ? await cartOf(then, sale) : null
  const license = await createLicense(then, scope, price, {
    period: cycle,
    ...(cycle !== 0 && { expires_at: endOf(paidUntil(then, sale)) }),
    email: buyer.person.email,
    source: SOURCE,
  })
  const version = versionOf(then, sale)
  const install = sale.hasSite ? await installOn(then, scope, license, siteOf(sale, version)) : null
  if (install) await noteUpdate(then, scope, { userId, installId: install.id, version })
  const list = priceOf(sale, price)
  const { coupon, off } = await redeem(then, sale, { userId, list })
  const about = { userId, price, license, couponId: coupon?.id ?? null }
  const renewal = coupon?.has_renewals_discount === true ? list - off : list
  const terms = { name: sale.name, gross: list - off, renewal }
  const subscription = cycle === 0 ? null : await subscribe(then, sale, about, terms)
  await pay(then, sale, about, { ...terms, name: `${sale.name}-0`, subscription })
  if (cart) await completeCart(then, scope, { cartId: cart.id, userId, gross: terms.gross })
}

/** What the bank of a buyer has refused, before it was bought by other means. */
export async function beDeclined(then: TxContext, sale: Sale, userId: number): Promise<void> {
  const { scope, name, price } = sale
  const { gross, tax } = paidOf(sale, priceOf(sale, price))
  const charge = startedCharge(then.clock.real(), {
    key: `${name}-declined`,
    product_id: scope.productId,
    user_id: userId,
    environment: 0,
    purpose: 'purchase',
    subscription_id: null,
    payment_id: null,
    amount: gross + tax,
    currency: price.currency,
    gateway: gatewayOf(sale),
    details: null,
    lease_until: 0,
  })
  await insertCharge(then.db, { ...charge, state: 'declined', settled_at: charge.created })
}

interface About {
  readonly userId: number
  readonly price: DemoPrice
  readonly license: Pick<LicenseRow, 'id'>
  readonly couponId: number | null
}

async function redeem(
  then: TxContext,
  sale: Sale,
  { userId, list }: { readonly userId: number; readonly list: number },
): Promise<{ readonly coupon: CouponRow | null; readonly off: number }> {
  const { scope, price, cycle } = sale
  for (const code of sale.hasCoupon ? CODES : []) {
    const found = await evaluateCode(then, scope, code, {
      now: then.clock.now(),
      environment: 0,
      productId: scope.productId,
      isAddon: false,
      planId: price.plan_id,
      quota: price.licenses,
      billingCycle: cycle,
      currency: price.currency,
      price: list,
      buyer: null,
    })
    if (!found.applies) continue
    const counted = { couponId: found.coupon.id, environment: 0 } as const
    if (!(await countRedemption(then.db, scope, counted))) continue
    if (await writeRedemption(then, scope, { ...counted, userId })) {
      return { coupon: found.coupon, off: found.amountOff }
    }
  }
  return { coupon: null, off: 0 }
}

const boughtOf = (sale: Sale, { userId, price, license, couponId }: About) => ({
  user_id: userId,
  install_id: null,
  plan_id: price.plan_id,
  pricing_id: price.pricing_id,
  license_id: license.id,
  coupon_id: couponId,
  payment_method_id: null,
  billing_cycle: sale.cycle,
  currency: price.currency,
  tax_rate: percentOf(sale) * 10_000,
  country_code: sale.buyer.country,
  zip_postal_code: null,
  vat_id: null,
  ip: null,
  source: SOURCE,
  environment: 0 as const,
})

interface Terms {
  readonly name: string
  /** Minor units. */
  readonly gross: number
  readonly renewal: number
}

function subscribe(then: TxContext, sale: Sale, about: About, { name, gross, renewal }: Terms) {
  const start = then.clock.now()
  return startSubscription(then, sale.scope, {
    ...boughtOf(sale, about),
    external_id: name,
    gateway: gatewayOf(sale),
    amount_per_cycle: priceOf(sale, about.price),
    initial_amount: gross,
    renewal_amount: renewal,
    renewals_discount: 0,
    renewals_discount_type: 'percentage',
    trial_ends: null,
    period_anchor: start,
    period_start: start,
    next_payment: paidUntil(then, sale),
  })
}

async function pay(
  then: TxContext,
  sale: Sale,
  about: About,
  { name, gross, subscription }: Terms & { readonly subscription: SubscriptionRow | null },
): Promise<void> {
  const { tax, fee } = paidOf(sale, gross)
  await recordPayment(then, sale.scope, {
    ...boughtOf(sale, about),
    gateway: null,
    subscription_id: subscription?.id ?? null,
    bound_payment_id: null,
    type: 'payment',
    gross,
    tax,
    tax_rule: null,
    gateway_fee: fee,
    is_renewal: false,
    external_id: name,
    refund_reason: null,
    processed_at: then.clock.now(),
  })
}

/** Goes on with another number of sites when the next payment is due. */
export async function change(
  then: TxContext,
  sale: Sale,
  before: SubscriptionRow,
  offer: number,
): Promise<void> {
  const { scope, prices } = sale
  const price = prices[offer]
  if (!price || before.next_payment === null || before.license_id === null) return
  const family = await holdFamily(then, scope, before.license_id)
  await endSubscription(then, scope, before, REPLACED)
  const license = await changeFamily(then, scope, family, {
    change: {
      pricing_id: price.pricing_id,
      quota: price.licenses,
      expiration: endOf(paidUntil(then, sale)),
    },
  })
  const about = { userId: before.user_id, price, license, couponId: null }
  const list = priceOf(sale, price)
  const terms = {
    name: `${sale.name}-${then.clock.now().slice(0, 10)}`,
    gross: list,
    renewal: list,
  }
  const subscription = await subscribe(then, sale, about, terms)
  await pay(then, sale, about, { ...terms, subscription })
}

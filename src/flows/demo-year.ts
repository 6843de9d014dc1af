import type { TxContext } from '../context.ts'
import { systemScope, type Scope } from '../http/scope.ts'
import { toDecimal, type Currency } from '../lib/money.ts'
import { addMonths } from '../lib/periods.ts'
import { toUtcTime } from '../lib/time.ts'
import type { EventType } from '../lib/event-types.ts'
import { recordEvent } from '../resources/events/record.ts'
import { findSubscription, updateSubscriptionRow } from '../resources/subscriptions/queries.ts'
import { cancelLicense } from './cancel-license.ts'
import { createLicense } from './create-license.ts'
import { asOf, type Demo, type DemoPart } from './demo-part.ts'
import { findDemoBuyers, findDemoPrices, findLivePayment, type DemoPrice } from './demo-sales-queries.ts'
import { planYear, type Act, type Buyer, type PlannedSale } from './demo-year-plan.ts'
import { installOn, site, type DemoSite } from './demo-sites.ts'
import { openDispute, settleDispute } from './disputes.ts'
import { migratePayment } from './migrate-payment.ts'
import { recordPayment } from './record-payment.ts'
import { settleRefund } from './refund-payment.ts'
import { endSubscription, startSubscription } from './start-subscription.ts'

/** Paid elsewhere, so nothing of it is ever charged here. */
const SOURCE = 1
const DISPUTE_FEE = 1_500
const ATTEMPTS = 4
const REFUSED = 'Your card has insufficient funds.'

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

/** Why buyers want their money back. */
const REASONS = [
  'It was not what the buyer looked for.',
  'Bought twice by mistake.',
  'It does not work with the theme of the site.',
  'The client of the buyer chose another one.',
]

const EURO: ReadonlySet<string> = new Set(['AT', 'DE', 'ES', 'FR', 'GR', 'IE', 'IT', 'NL', 'PT'])

/** What a buyer is shown prices in. */
function currencyOf({ country }: Buyer): Currency {
  if (country === 'GB') return 'gbp'
  return EURO.has(country) ? 'eur' : 'usd'
}

/** What the gateway kept of an amount, in its minor units: 2.9 % and 30 more. */
const feeOf = (gross: number): number => Math.round(gross * 0.029) + 30

/** A sale as far as it has come. */
interface Sale extends PlannedSale {
  readonly scope: Scope
  readonly price: DemoPrice
  /** Names its payments where they were made. */
  readonly name: string
  licenseId: number
  installId: number | null
  subscriptionId: number | null
  paymentId: number
  payments: number
  failures: number
}

/**
 * A year of live sales: purchases, renewals, refunds, disputes, failures and cancellations. They were paid elsewhere,
 * and are written in the order in which they happened.
 */
export const demoYear: DemoPart = {
  async examples({ db }, { productId }) {
    const found = await findLivePayment(db, productId)
    return found ? { live_payment_id: String(found.id) } : null
  },
  async fill(tx, demo) {
    const sales = [
      ...(await salesOf(tx, demo, demo.productId)),
      ...(await salesOf(tx, demo, demo.otherProductId)),
    ]
    const acts = sales.flatMap((sale) => sale.acts.map((act) => ({ sale, act })))
    for (const { sale, act } of acts.toSorted((a, b) => a.act.at - b.act.at)) {
      await DO[act.what](asOf(tx, act.at), sale, act)
    }
  },
}

async function salesOf(tx: TxContext, { developerId }: Demo, productId: number): Promise<Sale[]> {
  const prices = await findDemoPrices(tx.db, productId)
  const planned = planYear(await findDemoBuyers(tx.db, productId), tx.clock.real(), productId)
  return planned.flatMap((sale, index) => {
    const price = prices.filter(({ currency }) => currency === currencyOf(sale.buyer))[sale.offer]
    if (!price) return []
    const scope = systemScope({ developerId, productId })
    const begun = {
      licenseId: 0,
      installId: null,
      subscriptionId: null,
      paymentId: 0,
      payments: 0,
      failures: 0,
    }
    return [{ ...sale, scope, price, name: `demo-${productId}-${index}`, ...begun }]
  })
}

const DO: Readonly<Record<Act['what'], (then: TxContext, sale: Sale, act: Act) => Promise<unknown>>> = {
  buy,
  renew,
  async retry(then, sale) {
    await tellFailing(then, sale, 'subscription.renewal.retry')
    await renew(then, sale)
  },
  async fail(then, sale) {
    sale.failures++
    await tellFailing(then, sale, 'subscription.renewal.failed', { reason: REFUSED })
    await tellFailing(then, sale, 'subscription.renewal.failed_email.sent')
    await owe(then, sale, grossOf(sale))
  },
  async 'give up'(then, sale) {
    sale.failures = ATTEMPTS
    await tellFailing(then, sale, 'subscription.renewal.failed', { reason: REFUSED })
    await tellFailing(then, sale, 'subscription.renewal.failed.last', { reason: REFUSED })
    await end(then, sale, [])
    await cancelLicense(then, sale.scope, sale.licenseId, {})
  },
  cancel: (then, sale, act) => end(then, sale, act.what === 'cancel' ? [act.reason] : []),
  refund: (then, sale, act) =>
    settleRefund(then, sale.scope, {
      id: sale.paymentId,
      input: {
        reason: REASONS[sale.buyer.userId % REASONS.length] ?? '',
        ...(act.what === 'refund' && act.share < 1 && { amount: toDecimal(Math.round(totalOf(sale) / 2)) }),
      },
      begun: null,
    }),
  dispute: (then, sale) =>
    openDispute(then, sale.scope, { paymentId: sale.paymentId, minor: totalOf(sale), fee: DISPUTE_FEE }),
  decide: (then, sale, act) =>
    settleDispute(then, sale.scope, {
      paymentId: sale.paymentId,
      isWon: act.what === 'decide' && act.isWon,
    }),
}

const owe = (then: TxContext, sale: Sale, balance: number) =>
  updateSubscriptionRow(then.db, sale.scope, sale.subscriptionId ?? 0, {
    failed_payments: sale.failures,
    outstanding_balance: balance,
  })

const grossOf = ({ cycle, price }: Sale): number =>
  (cycle === 0 ? price.lifetime_price : cycle === 1 ? price.monthly_price : price.annual_price) ?? 0

const percentOf = ({ buyer: { country } }: Sale): number => TAXES.get(country) ?? 0
const taxOf = (sale: Sale): number => Math.round((grossOf(sale) * percentOf(sale)) / 100)
const totalOf = (sale: Sale): number => grossOf(sale) + taxOf(sale)

async function buy(then: TxContext, sale: Sale): Promise<void> {
  const { scope, price, cycle, buyer } = sale
  const license = await createLicense(then, scope, price, {
    period: cycle,
    email: buyer.email,
    source: SOURCE,
  })
  sale.licenseId = license.id
  if (sale.hasSite) sale.installId = await installOn(then, scope, license, siteOf(sale))
  if (cycle !== 0) sale.subscriptionId = (await subscribe(then, sale, cycle)).id
  const payment = await recordPayment(then, scope, {
    ...boughtOf(sale),
    subscription_id: sale.subscriptionId,
    bound_payment_id: null,
    type: 'payment',
    gross: grossOf(sale),
    tax: taxOf(sale),
    tax_rule: null,
    gateway_fee: feeOf(totalOf(sale)),
    is_renewal: 0,
    external_id: nextName(sale),
    refund_reason: null,
    processed_at: toUtcTime(then.clock.real()),
  })
  sale.paymentId = payment.id
}

/** The site of a buyer, one for each product. */
function siteOf({ buyer, scope }: Sale): DemoSite {
  const [mailbox = ''] = buyer.email.split('@')
  const name = mailbox.replaceAll('.', '-')
  return site(`https://${name}.example.net/${scope.productId}`, `The shop of ${name}`)
}

const nextName = (sale: Sale): string => `${sale.name}-${++sale.payments}`

const boughtOf = (sale: Sale) => ({
  user_id: sale.buyer.userId,
  install_id: sale.installId,
  plan_id: sale.price.plan_id,
  pricing_id: sale.price.pricing_id,
  license_id: sale.licenseId,
  coupon_id: null,
  payment_method_id: null,
  gateway: null,
  billing_cycle: sale.cycle,
  currency: sale.price.currency,
  tax_rate: percentOf(sale) * 10_000,
  country_code: sale.buyer.country,
  zip_postal_code: null,
  vat_id: null,
  ip: null,
  source: SOURCE,
  environment: 0 as const,
})

function subscribe(then: TxContext, sale: Sale, months: number) {
  const start = toUtcTime(then.clock.real())
  const amount = grossOf(sale)
  return startSubscription(then, sale.scope, {
    ...boughtOf(sale),
    external_id: sale.name,
    gateway: sale.buyer.userId % 3 === 0 ? 'paypal' : 'stripe',
    amount_per_cycle: amount,
    initial_amount: amount,
    renewal_amount: amount,
    renewals_discount: 0,
    renewals_discount_type: 'percentage',
    trial_ends: null,
    period_anchor: start,
    period_start: start,
    next_payment: addMonths(start, months),
  })
}

async function renew(then: TxContext, sale: Sale): Promise<void> {
  const id = sale.subscriptionId ?? 0
  const now = toUtcTime(then.clock.real())
  const [row] = await findSubscription(then.db, sale.scope, { id })
  if (!row || row.next_payment === null) return
  await migratePayment(then, sale.scope, id, {
    vat: toDecimal(taxOf(sale)),
    gateway_fee: toDecimal(feeOf(totalOf(sale))),
    payment_external_id: nextName(sale),
    processed_at: now,
    next_payment: addMonths(row.next_payment, sale.cycle),
    is_extend_license: true,
    is_migration: false,
  })
  if (sale.failures === 0) return
  sale.failures = 0
  await owe(then, sale, 0)
}

async function end(then: TxContext, sale: Sale, ids: readonly number[]): Promise<void> {
  const [row] = await findSubscription(then.db, sale.scope, { id: sale.subscriptionId ?? 0 })
  if (row) await endSubscription(then, sale.scope, row, { ids, text: null })
}

const tellFailing = (then: TxContext, sale: Sale, type: EventType, data: object = {}) =>
  recordEvent(then, sale.scope, {
    type,
    userId: sale.buyer.userId,
    data: {
      subscription_id: String(sale.subscriptionId),
      license_id: String(sale.licenseId),
      attempt: Math.max(1, sale.failures),
      attempts: ATTEMPTS,
      ...data,
    },
  })

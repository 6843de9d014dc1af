import { recordPayment, type NewPayment } from '../src/sales/payments/record-payment.ts'
import { startSubscription, type NewSubscription } from '../src/sales/subscriptions/start-subscription.ts'
import { systemScope } from '../src/access/scope.ts'
import type { TxContext } from '../src/context.ts'
import { toUtcTime } from '../src/lib/time.ts'
import { testGateway } from '../src/gateways/test/gateway.ts'
import { checkLedger } from '../src/sales/ledger/check-ledger.ts'
import { addMonths } from '../src/lib/periods.ts'
import type { Cycle } from '../src/db/tables/payments.ts'
import type { TestApp } from './app.ts'
import { createOwner } from './installs.ts'
import { licenseOn, offerFor } from './licenses.ts'

export interface Bought {
  readonly userId: number
  readonly planId: number
  readonly pricingId: number
  readonly licenseId: number | null
  readonly installId?: number | null
}

/** What was bought as the columns of payments and subscriptions have it: by card from Germany, in the sandbox or not. */
const columnsOf = ({ userId, planId, pricingId, licenseId, installId = null }: Bought) => ({
  user_id: userId,
  install_id: installId,
  plan_id: planId,
  pricing_id: pricingId,
  license_id: licenseId,
  coupon_id: null,
  payment_method_id: null,
  gateway: 'stripe',
  currency: 'usd' as const,
  tax_rate: 200_000,
  country_code: 'de',
  zip_postal_code: '10115',
  vat_id: null,
  ip: '192.0.2.7',
  source: 0 as const,
  environment: 0 as const,
})

let sold = 0

/** A payment of 49.99 and 10.00 tax, for a year unless `more` says otherwise. */
export const paymentRow = (bought: Bought, at: number, more: Partial<NewPayment> = {}): NewPayment => ({
  ...columnsOf(bought),
  external_id: `ch_${++sold}`,
  subscription_id: null,
  bound_payment_id: null,
  type: 'payment',
  gross: 4999,
  tax: 1000,
  tax_rule: null,
  gateway_fee: 175,
  billing_cycle: 12,
  is_renewal: false,
  refund_reason: null,
  processed_at: toUtcTime(at),
  ...more,
})

/** A subscription that is charged again a cycle after `at`. */
export function subscriptionRow(
  bought: Bought,
  at: number,
  more: Partial<NewSubscription> = {},
): NewSubscription {
  const start = toUtcTime(at)
  const cycle: Cycle = more.billing_cycle ?? 12
  return {
    ...columnsOf(bought),
    external_id: `sub_${++sold}`,
    billing_cycle: cycle,
    amount_per_cycle: 4999,
    initial_amount: 4999,
    renewal_amount: 4999,
    renewals_discount: 0,
    renewals_discount_type: 'percentage',
    trial_ends: null,
    period_anchor: start,
    period_start: start,
    next_payment: addMonths(start, cycle),
    ...more,
  }
}

type Product = { readonly id: number; readonly token: string }

/** The scope of a job in a product of the test's seller. */
export const scopeOf = (app: TestApp, product: { readonly id: number } = app.seller.product) =>
  systemScope({ developerId: app.seller.developer.id, productId: product.id })

export interface Sale {
  readonly product?: Product
  readonly owner?: Awaited<ReturnType<typeof createOwner>>
  readonly payment?: Partial<NewPayment>
  readonly subscription?: Partial<NewSubscription>
  readonly offer?: Awaited<ReturnType<typeof offerFor>>
}

/** A user who bought a license by subscription and paid for it once. */
export async function sell(app: TestApp, sale: Sale = {}) {
  const { product = app.seller.product } = sale
  const owner = sale.owner ?? (await createOwner(app, undefined, product))
  const offer = sale.offer ?? (await offerFor(app, 5, { product }))
  const license = await licenseOn(app, offer, { product, body: { email: owner.email } })
  const bought = { ...offer, userId: owner.id, licenseId: Number(license.id) }
  const now = app.ctx.clock.real()
  const made = await app.write((tx) => sellOn(tx, scopeOf(app, product), bought, { ...sale, now }))
  return { owner, offer, license, bought, ...made }
}

export async function sellOn(
  tx: TxContext,
  scope: ReturnType<typeof systemScope>,
  bought: Bought,
  { now, payment = {}, subscription = {} }: Pick<Sale, 'payment' | 'subscription'> & { readonly now: number },
) {
  const started = await startSubscription(tx, scope, subscriptionRow(bought, now, subscription))
  const paid = await recordPayment(
    tx,
    scope,
    paymentRow(bought, now, { subscription_id: started.id, ...payment }),
  )
  return { subscription: started, payment: paid }
}

const SECRET = 'the secret of the test gateway'

/** A charge that the test gateway has taken, as the payment that it became. */
export async function chargedInSandbox(token = 'test_succeeds', minor = 5999) {
  const gateway = testGateway({ webhookSecret: SECRET })
  const charge = await gateway.charge({
    key: `sale-${++sold}`,
    amount: { minor, currency: 'usd' },
    token,
    email: 'buyer@example.com',
    description: 'A test',
    returnUrl: 'https://shop.example.com',
    isKept: false,
  })
  if (charge.outcome !== 'paid') throw new Error(`The test gateway says ${charge.outcome}.`)
  return { gateway: 'test', environment: 1 as const, external_id: charge.externalId }
}

/** What the check of the ledger finds wrong: nothing. */
export async function ledgerFaults(app: TestApp): Promise<readonly unknown[]> {
  const { currencies, faults } = await checkLedger(app.ctx)
  return [...currencies.filter(({ sum }) => sum !== 0), ...faults]
}

/** What happened, by types, in order, of these whose data names an id. */
export async function eventsAbout(app: TestApp, name: string, id: number | string): Promise<string[]> {
  const rows = await app.ctx.db
    .selectFrom('events')
    .select('type')
    .where('data', 'like', `%"${name}":"${id}"%`)
    .orderBy('id')
    .execute()
  return rows.map(({ type }) => type)
}

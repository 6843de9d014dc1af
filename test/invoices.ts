import { recordPayment, type NewPayment } from '../src/sales/payments/record-payment.ts'
import type { TxContext } from '../src/context.ts'
import { systemScope, type Scope } from '../src/access/scope.ts'
import type { PaymentRow } from '../src/sales/payments/schema.ts'
import type { TestApp } from './app.ts'
import { offerFor, userOf } from './licenses.ts'

export interface Sales {
  readonly scope: Scope
  readonly userId: string
  /** Writes down a payment of the user in the transaction. */
  record(tx: TxContext, more?: Partial<NewPayment>): Promise<PaymentRow>
  /** Writes down a payment of the user in a transaction of its own. */
  pay(more?: Partial<NewPayment>): Promise<PaymentRow>
  /** Numbers of the seller's documents of a kind in their order, of production unless told. */
  numbers(kind?: 'invoice' | 'credit_note', environment?: 0 | 1): Promise<number[]>
}

/** What sells to one new user of a product, on a plan of its own. */
export async function salesOf(
  app: TestApp,
  { product = app.seller.product, email = 'buyer@example.com' } = {},
): Promise<Sales> {
  const developerId = app.seller.developer.id
  const scope = systemScope({ developerId, productId: product.id })
  const userId = await userOf(app, email, product)
  const { planId, pricingId } = await offerFor(app, 5, { product })
  const record = (tx: TxContext, more: Partial<NewPayment> = {}) =>
    recordPayment(tx, scope, {
      ...NOTHING,
      user_id: Number(userId),
      plan_id: planId,
      pricing_id: pricingId,
      processed_at: tx.clock.now(),
      ...more,
    })
  const numbers: Sales['numbers'] = async (kind = 'invoice', environment = 0) => {
    const rows = await app.ctx.db
      .selectFrom('invoices')
      .select('number')
      .where('developer_id', '=', developerId)
      .where('kind', '=', kind)
      .where('environment', '=', environment)
      .orderBy('id')
      .execute()
    return rows.map(({ number }) => number)
  }
  return { scope, userId, record, pay: (more) => app.write((tx) => record(tx, more)), numbers }
}

const NOTHING = {
  install_id: null,
  subscription_id: null,
  license_id: null,
  coupon_id: null,
  bound_payment_id: null,
  payment_method_id: null,
  type: 'payment',
  gross: 10_000,
  tax: 1_900,
  tax_rate: 190_000,
  tax_rule: 'domestic',
  gateway_fee: 300,
  currency: 'eur',
  billing_cycle: 12,
  is_renewal: false,
  refund_reason: null,
  external_id: null,
  gateway: 'test',
  country_code: 'de',
  zip_postal_code: null,
  vat_id: null,
  ip: null,
  source: 0,
  environment: 0,
} as const

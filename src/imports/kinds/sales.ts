import { NOTE_ENTITIES } from '../../db/tables/notes.ts'
import { PAYMENT_TYPES } from '../../sales/payments/payment.entity.ts'
import {
  choice,
  created,
  currency,
  dates,
  environment,
  id,
  inOrder,
  inProduct,
  integer,
  kind,
  money,
  moved,
  named,
  NULL,
  off,
  refuses,
  secret,
  source,
  text,
  time,
  to,
  type Column,
  type Kind,
} from './column.ts'
import { withToken } from './method-token.ts'
import { INVOICING } from './invoicing.ts'

const method = kind({
  table: 'payment_methods',
  says: 'cards and accounts that are charged later: customer and method ids of the gateway',
  columns: {
    id: id(),
    product_id: to('products'),
    user_id: to('users'),
    gateway: text(50),
    kind: choice(['card', 'paypal', 'ideal']),
    token: secret('payment_methods.token'),
    brand: text(100, NULL),
    last4: text(20, NULL),
    expiry_month: integer({ ...NULL, min: 1, max: 12 }),
    expiry_year: integer({ ...NULL, min: 1990, max: 9_999 }),
    environment: environment(),
    ...dates,
  },
  told: withToken,
})

/** Millionths: a rate above 100 % is none. */
const rate = () => integer({ default: 0, max: 1_000_000, unit: 'millionths' })

const BOUGHT: Readonly<Record<string, Column>> = {
  id: id(),
  product_id: to('products'),
  user_id: to('users'),
  install_id: to('installs', NULL),
  plan_id: inProduct('plans'),
  pricing_id: inProduct('pricing', NULL),
  license_id: inProduct('licenses', NULL),
  coupon_id: to('coupons', NULL),
  payment_method_id: to('payment_methods', NULL),
  external_id: text(255, NULL),
  gateway: text(50, NULL),
  billing_cycle: choice([0, 1, 12]),
  currency: currency(),
  tax_rate: rate(),
  country_code: text(2, { ...NULL, form: 'country' }),
  region: text(10, NULL),
  zip_postal_code: text(100, NULL),
  vat_id: text(50, NULL),
  ip: text(45, NULL),
  source: source(),
  environment: environment(),
}

const subscription = kind({
  table: 'subscriptions',
  says: 'what is paid again and again; `is_elsewhere` says that it is not charged by this server',
  made: ['lease_until', 'fence'],
  columns: {
    ...BOUGHT,
    amount_per_cycle: money(),
    initial_amount: money(),
    renewal_amount: money(),
    renewals_discount: integer({ default: 0, unit: 'hundredths of a percent, or minor units' }),
    renewals_discount_type: choice(['percentage', 'dollar'], { default: 'percentage' }),
    total_gross: moved({ default: 0 }),
    outstanding_balance: money({ default: 0 }),
    failed_payments: integer({ default: 0, max: 1_000 }),
    trial_ends: time(NULL),
    period_anchor: time(),
    period_start: time(),
    started_at: time(),
    next_payment: time(NULL),
    canceled_at: time(NULL),
    resumes_at: time(NULL),
    reminded_for: time(NULL),
    due_at: time(NULL),
    attempt: integer({ default: 0, max: 1_000 }),
    is_elsewhere: off(),
    replaced_coupon_id: to('coupons', NULL),
    ...dates,
  },
  unique: [
    {
      columns: ['product_id', 'external_id', 'gateway'],
      where: (row) => row['external_id'] !== null && row['gateway'] !== null,
      sql: 'external_id is not null',
    },
    {
      columns: ['license_id'],
      where: (row) => row['license_id'] !== null && row['canceled_at'] === null,
      sql: 'license_id is not null and canceled_at is null',
    },
  ],
  rules: [
    inOrder('period_start', 'next_payment'),
    inOrder('started_at', 'canceled_at'),
    refuses(
      'due_at',
      'paid_elsewhere',
      'must be empty where is_elsewhere is true',
      (row) => row['is_elsewhere'] === true && row['due_at'] !== null,
    ),
    refuses(
      'due_at',
      'cancelled',
      'must be empty of a subscription that is cancelled',
      (row) => row['canceled_at'] !== null && row['due_at'] !== null && row['resumes_at'] === null,
    ),
  ],
})

const UNDOES = ['refund', 'chargeback', 'disputed', 'won_dispute', 'lost_dispute']
const undoes = (row: Readonly<Record<string, unknown>>) => UNDOES.includes(String(row['type']))
const MOVED = ['refunded_gross', 'refunded_tax', 'gross', 'tax'] as const

const payment = kind({
  table: 'payments',
  says: 'money that moved; what undoes a payment is bound to it. Their ledger postings are made from them',
  columns: {
    ...BOUGHT,
    subscription_id: to('subscriptions', NULL),
    bound_payment_id: to('payments', NULL),
    type: choice(PAYMENT_TYPES, { default: 'payment' }),
    gross: moved(),
    tax: moved({ default: 0 }),
    tax_rule: text(100, NULL),
    gateway_fee: moved({ default: 0 }),
    refunded_gross: moved({ default: 0 }),
    refunded_tax: moved({ default: 0 }),
    is_renewal: off(),
    refund_reason: text(2_048, NULL),
    processed_at: time(),
    ...dates,
  },
  unique: [
    {
      columns: ['product_id', 'external_id', 'gateway', 'type'],
      where: (row) => row['external_id'] !== null && row['gateway'] !== null,
      sql: 'external_id is not null and gateway is not null',
    },
    {
      columns: ['product_id', 'external_id', 'type', 'license_id'],
      where: (row) => row['external_id'] !== null && row['gateway'] === null && row['license_id'] !== null,
      sql: 'external_id is not null and gateway is null',
    },
  ],
  rules: [
    refuses(
      'bound_payment_id',
      'not_bound',
      'must name the payment that it undoes',
      (row) => undoes(row) && row['bound_payment_id'] === null,
    ),
    refuses(
      'gross',
      'negative',
      'must not be negative of a payment',
      (row) => row['type'] === 'payment' && MOVED.some((column) => Number(row[column]) < 0),
    ),
    refuses(
      'refunded_gross',
      'too_large',
      'must not be more than was paid',
      (row) =>
        row['type'] === 'payment' &&
        (Number(row['refunded_gross']) > Number(row['gross']) ||
          Number(row['refunded_tax']) > Number(row['tax'])),
    ),
  ],
})

const discount = kind({
  table: 'discounts',
  says: 'what was taken off a payment, or is off the renewals of a subscription',
  columns: {
    id: id(),
    product_id: to('products'),
    entity_type: choice(['payment', 'subscription']),
    entity_id: named(),
    type: choice(['prorate', 'subscription_cancellation']),
    discount: money(),
    coupon_id: to('coupons', NULL),
    license_id: named(NULL),
    ...dates,
  },
  unique: [{ columns: ['entity_type', 'entity_id', 'type'] }],
})

const redemption = kind({
  table: 'coupon_redemptions',
  says: 'uses of coupons',
  columns: {
    id: id(),
    product_id: to('products'),
    coupon_id: to('coupons'),
    user_id: to('users'),
    environment: environment(),
    license_id: to('licenses', NULL),
    is_one_per_user: off(),
    ...created,
  },
  unique: [
    {
      columns: ['coupon_id', 'user_id', 'environment'],
      where: (row) => row['is_one_per_user'] === true,
      sql: 'is_one_per_user = 1',
    },
  ],
})

const note = kind({
  table: 'notes',
  says: 'what the seller remarks on something',
  columns: {
    id: id(),
    product_id: to('products'),
    entity_type: choice(NOTE_ENTITIES),
    entity_id: named(),
    note: text(20_000),
    ...dates,
  },
  unique: [{ columns: ['product_id', 'entity_type', 'entity_id'] }],
})

/** Money, after licenses and installs. */
export const SALES: readonly Kind[] = [
  method,
  subscription,
  payment,
  discount,
  ...INVOICING,
  redemption,
  note,
]

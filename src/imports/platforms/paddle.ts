import { OTHER_CYCLES, PAUSED, methodsOf } from './fit.ts'
import {
  always,
  currency,
  email,
  first,
  firstOf,
  fixed,
  last,
  minor,
  NONE,
  slug,
  state,
  text,
  time,
  to,
  toIfAny,
  via,
  when,
  whole,
  type Entity,
  type From,
  type Platform,
} from './map.ts'

const dates = { created: time('created_at'), updated: time('updated_at') }
const cycle: From = ['billing_cycle.interval', 'billing_cycle.frequency']
const YEARLY = ['year:1', 'month:12']

const product: Entity = {
  name: 'products',
  kind: 'products',
  source: 'products',
  id: 'id',
  columns: {
    title: text('name'),
    slug: slug('name', 'id'),
    is_pricing_visible: when('status', ['active'], fixed(true), fixed(false)),
    ...dates,
  },
}

const plan: Entity = {
  name: 'plans',
  kind: 'plans',
  source: 'prices',
  id: 'id',
  columns: {
    product_id: to('products', 'product_id'),
    name: slug(firstOf('name', 'description'), 'id'),
    title: text(firstOf('name', 'description'), 100, 'id'),
    is_hidden: when('status', ['active'], fixed(false), fixed(true)),
    ...dates,
  },
}

const amount = minor('unit_price.amount', 'unit_price.currency_code')

const price: Entity = {
  name: 'pricing',
  kind: 'pricing',
  source: 'prices',
  id: 'id',
  only: [{ from: cycle, take: ['', 'month:1', ...YEARLY], aside: ['*'], code: 'other_cycle' }],
  columns: {
    plan_id: to('plans', 'id'),
    currency: currency('unit_price.currency_code'),
    monthly_price: when(cycle, ['month:1'], amount),
    annual_price: when(cycle, YEARLY, amount),
    lifetime_price: when(cycle, [''], amount),
    ...dates,
  },
}

const coupon: Entity = {
  name: 'coupons',
  kind: 'coupons',
  source: 'discounts',
  id: 'id',
  only: [
    { where: ['code', ['']], from: 'code', take: [], aside: [''], code: 'no_code' },
    { from: 'restrict_to.0', take: [''], aside: ['*'], code: 'limited_to_products' },
    { from: 'type', take: ['percentage', 'flat'], aside: ['flat_per_seat'], code: 'of_seats' },
    { where: ['type', ['flat']], from: 'currency_code', take: ['USD'], aside: ['*'], code: 'other_currency' },
  ],
  columns: {
    product_id: NONE,
    code: text('code', 100),
    discount_type: state('type', { percentage: 'percentage', flat: 'dollar' }),
    discount: whole('amount'),
    start_date: time('created_at'),
    end_date: time('expires_at', 'zoned', always('9999-12-31T23:59:59Z')),
    redemptions: whole('times_used'),
    redemptions_limit: whole('usage_limit'),
    has_renewals_discount: when('recur', ['true'], fixed(true), fixed(false)),
    is_active: when('status', ['active'], fixed(true), fixed(false)),
    ...dates,
  },
}

const customer: Entity = {
  name: 'customers',
  kind: 'users',
  source: 'customers',
  id: 'id',
  columns: { email: email('email'), first: first('name'), last: last('name'), ...dates },
}

const itemCost = minor('items.0.price.unit_price.amount', 'currency_code')

const subscription: Entity = {
  name: 'subscriptions',
  kind: 'subscriptions',
  source: 'subscriptions',
  id: 'id',
  columns: {
    product_id: to('products', 'items.0.price.product_id'),
    plan_id: to('plans', 'items.0.price.id'),
    user_id: to('customers', 'customer_id'),
    external_id: text('id', 255),
    billing_cycle: state(cycle, { 'month:1': 1, 'year:1': 12, 'month:12': 12 }, 'unknown_cycle'),
    currency: currency('currency_code'),
    amount_per_cycle: itemCost,
    initial_amount: itemCost,
    renewal_amount: itemCost,
    next_payment: when('status', ['active', 'trialing', 'past_due'], time('next_billed_at')),
    trial_ends: when('status', ['trialing'], time('next_billed_at')),
    canceled_at: when(
      'status',
      ['canceled'],
      time('canceled_at', 'zoned', 'updated_at'),
      state('status', { active: null, trialing: null, past_due: null, paused: null }),
    ),
    created: time('started_at', 'zoned', 'created_at'),
    updated: time('updated_at'),
  },
}

/** What was given back of a transaction, and the seller has approved. */
const refund = (field: string, pick: 'first' | 'sum' = 'first'): From =>
  via(
    'adjustments',
    ['transaction_id', 'action', 'status'],
    ['id', always('refund'), always('approved')],
    field,
    { pick },
  )

const payment: Entity = {
  name: 'payments',
  kind: 'payments',
  source: 'transactions',
  id: 'id',
  only: [
    {
      from: 'status',
      take: ['completed', 'paid'],
      aside: ['draft', 'ready', 'billed', 'canceled', 'past_due'],
      code: 'not_paid',
    },
    {
      from: via('adjustments', ['transaction_id', 'action'], ['id', always('chargeback')], 'id'),
      take: [''],
      aside: ['*'],
      code: 'charged_back',
    },
  ],
  columns: {
    product_id: to('products', 'items.0.price.product_id'),
    plan_id: to('plans', 'items.0.price.id'),
    user_id: to('customers', 'customer_id'),
    subscription_id: toIfAny('subscriptions', 'subscription_id'),
    external_id: text('id', 255),
    is_renewal: when('origin', ['subscription_recurring'], fixed(true), fixed(false)),
    currency: currency('currency_code'),
    total: minor('details.totals.total', 'currency_code'),
    tax: minor('details.totals.tax', 'currency_code', { otherwise: 0 }),
    refunded_total: minor(refund('totals.total', 'sum'), 'currency_code', { otherwise: 0 }),
    refunded_at: time(refund('created_at')),
    created: time('billed_at', 'zoned', 'created_at'),
    updated: time('updated_at'),
  },
}

/** Paddle Billing, by the pages of its interface. */
export const PADDLE: Platform = {
  name: 'paddle',
  title: 'Paddle',
  says: 'pages of the interface of Paddle Billing (`GET https://api.paddle.com/transactions?per_page=30` and so on), each saved as it is',
  documents: [
    'https://developer.paddle.com/api-reference/overview',
    'https://github.com/PaddleHQ/paddle-node-sdk',
  ],
  sources: {
    products: { file: 'products', says: 'products', required: true },
    prices: { file: 'prices', says: 'prices, each a plan here', required: true },
    discounts: { file: 'discounts', says: 'discounts' },
    customers: { file: 'customers', says: 'customers', required: true },
    subscriptions: { file: 'subscriptions', says: 'subscriptions' },
    transactions: { file: 'transactions', says: 'payments' },
    adjustments: { file: 'adjustments', says: 'what was given back' },
  },
  entities: [product, plan, price, coupon, customer, subscription, payment],
  noFit: [
    {
      what: 'licenses and activations',
      why: 'Paddle Billing has none: bring them from where your keys are, in the same account, or as files (`licenses.csv`). A subscription without a license is paid there, also with a method in `--payment-methods`',
    },
    methodsOf('Paddle'),
    {
      what: 'transactions and subscriptions of several items',
      why: 'come as one of the first item, with what all of it cost; what a subscription costs is the price of its first item',
    },
    {
      what: 'payments that were charged back',
      why: 'do not come, as nothing of them is left: `charged_back`',
    },
    { what: 'credits', why: 'are no money that moved' },
    { what: 'prices by country and quantity', why: 'a price here is one amount' },
    OTHER_CYCLES,
    {
      what: 'discounts for some products, of seats, without a code, or of another currency',
      why: '`limited_to_products`, `of_seats`, `no_code`, `other_currency`; parts of a percent `not_whole`',
    },
    PAUSED,
    { what: 'addresses, businesses, invoices and Paddle Classic', why: 'are not read' },
    {
      what: 'payments in currencies other than US dollars, euros and pounds',
      why: 'nothing is sold in them here: `unknown_currency`',
    },
  ],
}

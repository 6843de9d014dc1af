import { OTHER_CURRENCIES, OTHER_CYCLES, SOME_MONTHS, methodsOf } from './fit.ts'
import {
  always,
  currency,
  email,
  first,
  fixed,
  key,
  last,
  minor,
  NONE,
  quota,
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

const dates = { created: time('created_at'), updated: time('modified_at') }
const YEARLY = ['year', 'year:1', 'month:12']
const MONTHLY = ['month', 'month:1']
const cycle: From = ['recurring_interval', 'recurring_interval_count']

const product: Entity = {
  name: 'products',
  kind: 'products',
  source: 'products',
  id: 'id',
  columns: {
    title: text('name'),
    slug: slug('name', 'id'),
    is_pricing_visible: when('is_archived', ['true'], fixed(false), fixed(true)),
    ...dates,
  },
}

/** A product of Polar is sold one way. */
const plan: Entity = {
  name: 'plans',
  kind: 'plans',
  source: 'products',
  id: 'id',
  columns: {
    product_id: to('products', 'id'),
    name: text(always('standard'), 100),
    title: text(always('Standard'), 100),
    ...dates,
  },
}

const amount = minor('prices.0.price_amount', 'prices.0.price_currency')

const price: Entity = {
  name: 'pricing',
  kind: 'pricing',
  source: 'products',
  id: 'id',
  only: [
    { from: 'prices.0.amount_type', take: ['fixed'], aside: ['*'], code: 'no_fixed_price' },
    { from: cycle, take: ['', ...MONTHLY, ...YEARLY], aside: ['*'], code: 'other_cycle' },
  ],
  columns: {
    plan_id: to('plans', 'id'),
    currency: currency('prices.0.price_currency'),
    monthly_price: when(cycle, MONTHLY, amount),
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
    { from: 'products.0.id', take: [''], aside: ['*'], code: 'limited_to_products' },
    { where: ['type', ['fixed']], from: 'currency', take: ['usd'], aside: ['*'], code: 'other_currency' },
  ],
  columns: {
    product_id: NONE,
    code: text('code', 100),
    discount_type: state('type', { percentage: 'percentage', fixed: 'dollar' }),
    discount: when('type', ['fixed'], whole('amount'), whole('basis_points', 100)),
    start_date: time('starts_at', 'zoned', 'created_at'),
    end_date: time('ends_at', 'zoned', always('9999-12-31T23:59:59Z')),
    redemptions: whole('redemptions_count'),
    redemptions_limit: whole('max_redemptions'),
    has_renewals_discount: when('duration', ['forever'], fixed(true), fixed(false)),
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

/** The first product with the benefit by which a key was granted. */
const granted = via('benefits', 'entry.id', 'benefit_id', 'id')

const license: Entity = {
  name: 'licenses',
  kind: 'licenses',
  source: 'license_keys',
  id: 'id',
  columns: {
    product_id: to('products', granted),
    plan_id: to('plans', granted),
    user_id: to('customers', 'customer_id'),
    secret_key: key('key'),
    quota: quota('limit_activations'),
    expiration: time('expires_at'),
    is_cancelled: state('status', { granted: false, revoked: true, disabled: true }),
    ...dates,
  },
}

const site: Entity = {
  name: 'installs',
  kind: 'installs',
  source: 'activations',
  id: 'entry.id',
  columns: {
    license_id: to('licenses', 'entry.license_key_id'),
    address: text('entry.label', 2_000, 'entry.id'),
    created: time('entry.created_at'),
    updated: time('entry.modified_at'),
  },
}

const subscription: Entity = {
  name: 'subscriptions',
  kind: 'subscriptions',
  source: 'subscriptions',
  id: 'id',
  only: [
    {
      from: 'status',
      take: ['active', 'trialing', 'past_due', 'canceled', 'unpaid'],
      aside: ['incomplete', 'incomplete_expired'],
      code: 'not_begun',
    },
  ],
  columns: {
    product_id: to('products', 'product_id'),
    plan_id: to('plans', 'product_id'),
    user_id: to('customers', 'customer_id'),
    license_id: toIfAny(
      'licenses',
      via(
        'license_keys',
        ['customer_id', 'benefit_id'],
        ['customer_id', via('products', 'id', 'product_id', 'benefits.0.id')],
        'id',
      ),
    ),
    external_id: text('id', 255),
    billing_cycle: state(
      cycle,
      { month: 1, 'month:1': 1, year: 12, 'year:1': 12, 'month:12': 12 },
      'unknown_cycle',
    ),
    currency: currency('currency'),
    amount_per_cycle: minor('amount', 'currency'),
    initial_amount: minor('amount', 'currency'),
    renewal_amount: minor('amount', 'currency'),
    trial_ends: time('trial_end'),
    next_payment: when(
      ['status', 'cancel_at_period_end'],
      ['active:false', 'trialing:false', 'past_due:false'],
      time('current_period_end'),
    ),
    canceled_at: time('canceled_at', 'zoned', 'ended_at'),
    created: time('started_at', 'zoned', 'created_at'),
    updated: time('modified_at'),
  },
}

const payment: Entity = {
  name: 'payments',
  kind: 'payments',
  source: 'orders',
  id: 'id',
  only: [
    {
      from: 'status',
      take: ['paid', 'refunded', 'partially_refunded'],
      aside: ['draft', 'pending', 'void'],
      code: 'not_paid',
    },
  ],
  columns: {
    product_id: to('products', 'product_id'),
    plan_id: to('plans', 'product_id'),
    user_id: to('customers', 'customer_id'),
    subscription_id: toIfAny('subscriptions', 'subscription_id'),
    external_id: text('id', 255),
    is_renewal: when('billing_reason', ['subscription_cycle'], fixed(true), fixed(false)),
    currency: currency('currency'),
    total: minor('total_amount', 'currency'),
    tax: minor('tax_amount', 'currency', { otherwise: 0 }),
    refunded_total: minor('refunded_amount', 'currency', { otherwise: 0, plus: 'refunded_tax_amount' }),
    refunded_at: time('modified_at'),
    ...dates,
  },
}

/** Polar, by the pages of its interface. */
export const POLAR: Platform = {
  name: 'polar',
  title: 'Polar',
  says: 'pages of its interface (`GET https://api.polar.sh/v1/orders/?limit=100` and so on), each saved as it is, and the answers for single keys (`/v1/license-keys/:id`) as `license-key-details.jsonl`, one a line',
  documents: [
    'https://polar.sh/docs/api-reference',
    'https://github.com/polarsource/polar-js (docs/models/components)',
  ],
  sources: {
    products: { file: 'products', says: 'products', list: 'items', required: true },
    benefits: {
      file: 'products',
      says: 'benefits of products, by which a key is of a product',
      list: 'items',
      unpack: { field: 'benefits', as: 'list' },
    },
    discounts: { file: 'discounts', says: 'discounts', list: 'items' },
    customers: { file: 'customers', says: 'customers', list: 'items', required: true },
    license_keys: { file: 'license_keys', says: 'licenses', list: 'items' },
    activations: {
      file: 'license_key_details',
      says: 'where licenses are active',
      list: 'items',
      unpack: { field: 'activations', as: 'list' },
    },
    subscriptions: { file: 'subscriptions', says: 'subscriptions', list: 'items' },
    orders: { file: 'orders', says: 'payments', list: 'items' },
  },
  entities: [product, plan, price, coupon, customer, license, site, subscription, payment],
  noFit: [
    methodsOf('Polar'),
    {
      what: 'a benefit that several products grant',
      why: 'a key does not tell by which it was granted: it is of the first product',
    },
    {
      what: 'prices that are free, chosen by the buyer or metered, and second prices',
      why: 'a price here is one amount: `no_fixed_price`',
    },
    OTHER_CYCLES,
    {
      what: 'discounts for some products, without a code, or of another currency',
      why: '`limited_to_products`, `no_code`, `other_currency`; parts of a percent `not_whole`',
    },
    SOME_MONTHS,
    { what: 'days of refunds', why: 'are not told with an order: it is the day of its last change' },
    { what: 'uses, meters, seats, files and other benefits', why: 'have no table here' },
    OTHER_CURRENCIES,
  ],
}

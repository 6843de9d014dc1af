import { OTHER_CURRENCIES, OTHER_CYCLES, methodsOf } from './fit.ts'
import {
  country,
  always,
  currency,
  email,
  first,
  firstOf,
  fixed,
  key,
  last,
  later,
  minor,
  slug,
  state,
  text,
  time,
  to,
  toIfAny,
  via,
  when,
  words,
  type Entity,
  type From,
  type Platform,
  type Take,
} from './map.ts'

/** Gumroad does not tell when a product was made: with its first sale, or its own beginning. */
const begun = (product: From): Take =>
  time(
    via('sales', 'product_id', product, 'created_at', { pick: { oldest: 'created_at' } }),
    'zoned',
    always('2011-04-04T00:00:00Z'),
  )

const product: Entity = {
  name: 'products',
  kind: 'products',
  source: 'products',
  id: 'id',
  columns: {
    title: text('name'),
    slug: slug(firstOf('custom_permalink', 'name'), 'id'),
    is_pricing_visible: when('published', ['true'], fixed(true), fixed(false)),
    created: begun('id'),
  },
}

const plan: Entity = {
  name: 'plans',
  kind: 'plans',
  source: 'products',
  id: 'id',
  columns: {
    product_id: to('products', 'id'),
    name: text(always('standard'), 100),
    title: text(always('Standard'), 100),
    created: begun('id'),
  },
}

/** A version or tier, by what a sale says of it; most sales name none. */
const tierName = words('product_id', 'variants_and_quantity')

/** A version or tier that was sold. */
const tier: Entity = {
  name: 'tiers',
  kind: 'plans',
  source: 'sales',
  id: tierName,
  isMaybe: true,
  columns: {
    product_id: to('products', 'product_id'),
    name: slug('variants_and_quantity', 'product_id'),
    title: text('variants_and_quantity', 100),
    created: time('created_at'),
  },
}

const planOf: Take = when('variants_and_quantity', [''], to('plans', 'product_id'), to('tiers', tierName))

const price: Entity = {
  name: 'pricing',
  kind: 'pricing',
  source: 'products',
  id: 'id',
  only: [
    { from: 'customizable_price', take: ['false', ''], aside: ['true'], code: 'no_fixed_price' },
    { from: 'subscription_duration', take: ['', 'monthly', 'yearly'], aside: ['*'], code: 'other_cycle' },
  ],
  columns: {
    plan_id: to('plans', 'id'),
    currency: currency('currency'),
    monthly_price: when('subscription_duration', ['monthly'], minor('price', 'currency')),
    annual_price: when('subscription_duration', ['yearly'], minor('price', 'currency')),
    lifetime_price: when('subscription_duration', [''], minor('price', 'currency')),
    created: begun('id'),
  },
}

const buyer: Entity = {
  name: 'buyers',
  kind: 'users',
  source: 'sales',
  id: 'email',
  columns: {
    email: email('email'),
    first: first('full_name'),
    last: last('full_name'),
    created: time('created_at'),
  },
}

/** Of a key that each sale of a subscription has, once. */
const license: Entity = {
  name: 'licenses',
  kind: 'licenses',
  source: 'sales',
  id: 'license_key',
  isMaybe: true,
  columns: {
    product_id: to('products', 'product_id'),
    user_id: to('buyers', 'email'),
    plan_id: planOf,
    secret_key: key('license_key'),
    is_cancelled: when(
      'license_disabled',
      ['true'],
      fixed(true),
      when('refunded', ['true'], fixed(true), when('ended', ['true'], fixed(true), fixed(false))),
    ),
    created: time('created_at'),
  },
}

const lastSale = (field: string): From =>
  via('sales', 'subscription_id', 'id', field, { pick: { newest: 'created_at' } })
const cost = minor(lastSale('price'), via('products', 'id', 'product_id', 'currency'))
const months = state('recurrence', { monthly: 1, yearly: 12 }, 'unknown_cycle')

/** Null of one that goes on; any other state is not known. */
const goesOn = state('status', { alive: null, pending_failure: null })
const ended = time(
  firstOf('cancelled_at', 'ended_at', 'failed_at', 'user_requested_cancellation_at'),
  'zoned',
  'created_at',
)

const subscription: Entity = {
  name: 'subscriptions',
  kind: 'subscriptions',
  source: 'subscribers',
  id: 'id',
  columns: {
    product_id: to('products', 'product_id'),
    user_id: to('buyers', 'user_email'),
    plan_id: when(
      lastSale('variants_and_quantity'),
      [''],
      to('plans', 'product_id'),
      to('tiers', words('product_id', lastSale('variants_and_quantity'))),
    ),
    license_id: toIfAny('licenses', 'license_key'),
    external_id: text('id', 255),
    billing_cycle: months,
    currency: currency(via('products', 'id', 'product_id', 'currency')),
    amount_per_cycle: cost,
    initial_amount: cost,
    renewal_amount: cost,
    trial_ends: time('free_trial_ends_at'),
    next_payment: when('status', ['alive', 'pending_failure'], later(lastSale('created_at'), months)),
    canceled_at: when(
      'status',
      ['pending_cancellation', 'failed_payment', 'fixed_subscription_period_ended', 'cancelled'],
      ended,
      goesOn,
    ),
    created: time('created_at'),
  },
}

const saleCurrency = firstOf('currency', via('products', 'id', 'product_id', 'currency'))
const paid = when(
  'tax_included_in_price',
  ['true'],
  minor('price', saleCurrency, { less: 'tax_cents' }),
  minor('price', saleCurrency),
)

const payment: Entity = {
  name: 'payments',
  kind: 'payments',
  source: 'sales',
  id: 'id',
  columns: {
    product_id: to('products', 'product_id'),
    user_id: to('buyers', 'email'),
    plan_id: planOf,
    license_id: toIfAny('licenses', 'license_key'),
    subscription_id: toIfAny('subscriptions', 'subscription_id'),
    external_id: text('id', 255),
    is_renewal: when('recurring_charge', ['true'], fixed(true), fixed(false)),
    currency: currency(saleCurrency),
    total: paid,
    tax: fixed(0),
    refunded_total: when(
      'refunded',
      ['true'],
      paid,
      when(
        'chargedback',
        ['true'],
        paid,
        when(
          'partially_refunded',
          ['true'],
          minor('price', saleCurrency, {
            less: 'amount_refundable_in_currency',
            lessWritten: 'decimal',
          }),
          fixed(0),
        ),
      ),
    ),
    country_code: country('country_iso2'),
    created: time('created_at'),
  },
}

/** Gumroad, by the pages of its interface. */
export const GUMROAD: Platform = {
  name: 'gumroad',
  title: 'Gumroad',
  says: 'pages of its interface (`GET https://api.gumroad.com/v2/sales`, `/v2/products`, `/v2/products/:id/subscribers`), each saved as it is, or their lists as JSON lines',
  documents: ['https://gumroad.com/api'],
  sources: {
    products: { file: 'products', says: 'products', list: 'products', required: true },
    sales: { file: 'sales', says: 'sales, with licenses and buyers', list: 'sales', required: true },
    subscribers: { file: 'subscribers', says: 'subscriptions', list: 'subscribers' },
  },
  entities: [product, plan, tier, price, buyer, license, subscription, payment],
  noFit: [
    {
      what: 'activations',
      why: 'Gumroad counts uses of a key (`license_uses`), and knows no devices: licenses come without sites and without a quota',
    },
    methodsOf('Gumroad'),
    {
      what: 'the next payment',
      why: 'is not told: it is a month or a year after the last sale of the subscription',
    },
    { what: 'taxes', why: 'are collected and paid by Gumroad: a payment here is without them' },
    {
      what: 'days of refunds',
      why: 'are not told: a refund has the day of its sale; a chargeback comes as a refund',
    },
    { what: 'fees, tips, affiliates, shipping and gifts', why: 'are not taken from sales' },
    {
      what: 'prices of versions and tiers, and those that the buyer chooses',
      why: 'a version is a plan here without a price',
    },
    { what: 'offer codes', why: 'their list does not tell the product: make coupons here' },
    OTHER_CYCLES,
    { what: 'the CSV of the dashboard', why: 'has neither ids nor the state of licenses: use the interface' },
    OTHER_CURRENCIES,
  ],
}

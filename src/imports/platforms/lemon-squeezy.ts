import { at, cycleOf, dates, environment, OFFERED } from './lemon-squeezy-catalogue.ts'
import { OTHER_CURRENCIES, PAUSED, SOME_MONTHS, methodsOf } from './fit.ts'
import {
  always,
  currency,
  email,
  first,
  firstOf,
  fixed,
  key,
  last,
  minor,
  NONE,
  quota,
  state,
  text,
  time,
  to,
  toIfAny,
  via,
  when,
  type Entity,
  type Platform,
} from './map.ts'

/** What was bought with an order: the item, or the first of the order where items were not saved. */
const variantOfOrder = at('first_order_item.variant_id')
const itemOf = (field: string) => via('order_items', 'id', at('order_item_id'), at(field))
/** The last invoice of a subscription says what it costs. */
const invoiced = (field: string) =>
  via('subscription_invoices', at('subscription_id'), 'id', at(field), { pick: { newest: at('created_at') } })
const subscriptionOf = (field: string) => via('subscriptions', 'id', at('subscription_id'), at(field))

const customer: Entity = {
  name: 'customers',
  kind: 'users',
  source: 'customers',
  id: 'id',
  columns: { email: email(at('email')), first: first(at('name')), last: last(at('name')), ...dates },
}

const license: Entity = {
  name: 'licenses',
  kind: 'licenses',
  source: 'license_keys',
  id: 'id',
  columns: {
    product_id: to('products', at('product_id')),
    user_id: to('customers', at('customer_id')),
    plan_id: to('plans', firstOf(itemOf('variant_id'), via('orders', 'id', at('order_id'), variantOfOrder))),
    secret_key: key(at('key')),
    quota: quota(at('activation_limit'), ['', '0']),
    expiration: time(at('expires_at')),
    is_cancelled: state(at('status'), { active: false, inactive: false, expired: false, disabled: true }),
    environment,
    ...dates,
  },
}

const site: Entity = {
  name: 'installs',
  kind: 'installs',
  source: 'license_key_instances',
  id: 'id',
  columns: {
    license_id: to('licenses', at('license_key_id')),
    address: text(at('name'), 2_000, at('identifier')),
    ...dates,
  },
}

/** Null of a subscription that goes on; any other state is not known. */
const isKnown = state(at('status'), {
  on_trial: null,
  active: null,
  paused: null,
  past_due: null,
  unpaid: null,
})

const subscription: Entity = {
  name: 'subscriptions',
  kind: 'subscriptions',
  source: 'subscriptions',
  id: 'id',
  columns: {
    product_id: to('products', at('product_id')),
    user_id: to('customers', at('customer_id')),
    plan_id: to('plans', at('variant_id')),
    license_id: toIfAny('licenses', via('license_keys', at('order_item_id'), at('order_item_id'), 'id')),
    external_id: text('id', 255),
    billing_cycle: state(
      cycleOf(at('variant_id')),
      { 'month:1': 1, 'year:1': 12, 'month:12': 12 },
      'unknown_cycle',
    ),
    currency: currency(invoiced('currency')),
    amount_per_cycle: minor(invoiced('subtotal'), invoiced('currency')),
    initial_amount: minor(invoiced('subtotal'), invoiced('currency')),
    renewal_amount: minor(invoiced('subtotal'), invoiced('currency')),
    trial_ends: time(at('trial_ends_at')),
    next_payment: when(at('status'), ['cancelled', 'expired', 'paused'], NONE, time(at('renews_at'))),
    canceled_at: when(
      at('status'),
      ['cancelled'],
      time(at('updated_at')),
      when(at('status'), ['expired'], time(at('ends_at'), 'zoned', at('updated_at')), isKnown),
    ),
    environment,
    ...dates,
  },
}

const order: Entity = {
  name: 'payments',
  kind: 'payments',
  source: 'orders',
  id: 'id',
  only: [
    {
      from: at('status'),
      take: ['paid', 'refunded', 'partial_refund'],
      aside: ['pending', 'failed', 'fraudulent'],
      code: 'not_paid',
    },
  ],
  columns: {
    product_id: to('products', at('first_order_item.product_id')),
    user_id: to('customers', at('customer_id')),
    plan_id: to('plans', variantOfOrder),
    license_id: toIfAny('licenses', via('license_keys', at('order_id'), 'id', 'id')),
    subscription_id: toIfAny('subscriptions', via('subscriptions', at('order_id'), 'id', 'id')),
    external_id: text(at('identifier'), 255),
    currency: currency(at('currency')),
    total: minor(at('total'), at('currency')),
    tax: minor(at('tax'), at('currency'), { otherwise: 0 }),
    refunded_total: minor(at('refunded_amount'), at('currency'), { otherwise: 0 }),
    refunded_at: time(at('refunded_at')),
    environment,
    ...dates,
  },
}

const renewal: Entity = {
  name: 'renewals',
  kind: 'payments',
  source: 'subscription_invoices',
  id: 'id',
  only: [
    { from: at('billing_reason'), take: ['renewal', 'updated'], aside: ['initial'], code: 'is_order' },
    {
      from: at('status'),
      take: ['paid', 'refunded', 'partial_refund'],
      aside: ['pending', 'void'],
      code: 'not_paid',
    },
  ],
  columns: {
    product_id: to('products', subscriptionOf('product_id')),
    user_id: to('customers', at('customer_id')),
    plan_id: to('plans', subscriptionOf('variant_id')),
    subscription_id: toIfAny('subscriptions', at('subscription_id')),
    external_id: text([always('invoice'), 'id'], 255),
    is_renewal: fixed(true),
    currency: currency(at('currency')),
    total: minor(at('total'), at('currency')),
    tax: minor(at('tax'), at('currency'), { otherwise: 0 }),
    refunded_total: minor(at('refunded_amount'), at('currency'), { otherwise: 0 }),
    refunded_at: time(at('refunded_at')),
    environment,
    ...dates,
  },
}

/** Lemon Squeezy, by the pages of its interface. */
export const LEMON_SQUEEZY: Platform = {
  name: 'lemon-squeezy',
  title: 'Lemon Squeezy',
  says: 'pages of its interface (`GET https://api.lemonsqueezy.com/v1/orders?page[size]=100` and so on), each saved as it is',
  documents: [
    'https://docs.lemonsqueezy.com/api/orders',
    'https://docs.lemonsqueezy.com/api/license-keys',
    'https://docs.lemonsqueezy.com/api/subscriptions',
    'https://docs.lemonsqueezy.com/api/subscription-invoices',
  ],
  sources: {
    stores: { file: 'stores', says: 'stores, whose currency prices are in' },
    products: { file: 'products', says: 'products', required: true },
    variants: { file: 'variants', says: 'variants, which are plans here', required: true },
    prices: { file: 'prices', says: 'prices, of which the newest of a variant comes' },
    discounts: { file: 'discounts', says: 'discounts' },
    customers: { file: 'customers', says: 'customers', required: true },
    orders: { file: 'orders', says: 'orders' },
    order_items: {
      file: 'order_items',
      says: 'what was bought with orders, by which a license has its plan',
    },
    license_keys: { file: 'license_keys', says: 'licenses' },
    license_key_instances: { file: 'license_key_instances', says: 'where licenses are active' },
    subscriptions: { file: 'subscriptions', says: 'subscriptions' },
    subscription_invoices: {
      file: 'subscription_invoices',
      says: 'payments of subscriptions, of which the last says what one costs',
    },
  },
  entities: [...OFFERED, customer, license, site, subscription, order, renewal],
  noFit: [
    methodsOf('Lemon Squeezy'),
    { what: 'orders of several items', why: 'come as one payment of the first item' },
    { what: 'prices that are free, chosen by the buyer or in tiers', why: 'a price here is one amount' },
    { what: 'cycles other than a month and a year', why: 'none other is charged here' },
    {
      what: 'discounts for some products',
      why: 'the list of discounts does not tell which: `limited_to_products`',
    },
    { what: 'discounts of an amount in another currency than US dollars', why: '`other_currency`' },
    SOME_MONTHS,
    { what: 'the day of a cancellation', why: 'is not told: it is the day of the last change' },
    PAUSED,
    { what: 'usage, affiliates, files, checkouts and webhooks', why: 'have no table here' },
    OTHER_CURRENCIES,
  ],
}

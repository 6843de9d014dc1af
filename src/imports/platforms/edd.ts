import { OTHER_CURRENCIES, OTHER_CYCLES } from './fit.ts'
import {
  always,
  currency,
  decimal,
  email,
  first,
  firstOf,
  fixed,
  flag,
  key,
  last,
  meta,
  quota,
  state,
  text,
  time,
  to,
  toIfAny,
  via,
  when,
  type Entity,
  type From,
  type Platform,
} from './map.ts'
import { OFFERED, planOf, postmeta, priceOption } from './edd-catalogue.ts'

const ordermeta = meta('edd_ordermeta', 'edd_order_id')
const licensemeta = meta('edd_licensemeta', 'license_id')

const customer: Entity = {
  name: 'customers',
  kind: 'users',
  source: 'edd_customers',
  id: 'id',
  columns: {
    email: email('email'),
    first: first('name'),
    last: last('name'),
    created: time('date_created', 'UTC'),
    updated: time('date_modified', 'UTC'),
  },
}

const option = (field: string) => priceOption(['download_id', 'price_id'], `entry.${field}`)

const license: Entity = {
  name: 'licenses',
  kind: 'licenses',
  source: 'edd_licenses',
  id: 'id',
  columns: {
    product_id: to('products', 'download_id'),
    user_id: to('customers', 'customer_id'),
    plan_id: planOf('download_id'),
    secret_key: key('license_key'),
    quota: quota(
      firstOf(
        licensemeta('_edd_sl_limit', 'id'),
        option('license_limit'),
        postmeta('_edd_sl_limit', 'download_id'),
      ),
      ['', '0'],
    ),
    expiration: time('expiration', 'seconds'),
    is_cancelled: state('status', { active: false, inactive: false, expired: false, disabled: true }),
    created: time('date_created', 'shop'),
  },
}

const site: Entity = {
  name: 'installs',
  kind: 'installs',
  source: 'edd_license_activations',
  id: 'site_id',
  only: [{ from: 'activated', take: ['1'], aside: ['0'], code: 'deactivated' }],
  columns: {
    license_id: to('licenses', 'license_id'),
    address: text('site_name', 2_000),
    created: time(via('edd_licenses', 'id', 'license_id', 'date_created'), 'shop'),
  },
}

const subscribed = via('edd_orders', 'id', 'parent_payment_id', 'currency')

const subscription: Entity = {
  name: 'subscriptions',
  kind: 'subscriptions',
  source: 'edd_subscriptions',
  id: 'id',
  only: [
    {
      from: 'status',
      take: ['active', 'trialling', 'failing', 'needs_attention', 'cancelled', 'expired', 'completed'],
      aside: ['pending'],
      code: 'not_begun',
    },
  ],
  columns: {
    product_id: to('products', 'product_id'),
    user_id: to('customers', 'customer_id'),
    plan_id: planOf('product_id'),
    license_id: toIfAny(
      'licenses',
      via('edd_licenses', ['payment_id', 'download_id'], ['parent_payment_id', 'product_id'], 'id'),
    ),
    external_id: text('profile_id', 255),
    billing_cycle: state('period', { month: 1, year: 12 }, 'unknown_cycle'),
    currency: currency(subscribed),
    amount_per_cycle: decimal('recurring_amount', subscribed, { less: 'recurring_tax' }),
    renewal_amount: decimal('recurring_amount', subscribed, { less: 'recurring_tax' }),
    initial_amount: decimal('initial_amount', subscribed, { less: 'initial_tax' }),
    next_payment: when('status', ['active', 'trialling', 'failing'], time('expiration', 'UTC')),
    trial_ends: when('status', ['trialling'], time('expiration', 'UTC')),
    canceled_at: when('status', ['cancelled', 'expired', 'completed'], time('expiration', 'UTC')),
    created: time('created', 'UTC'),
  },
}

const orderOf = (field: string): From => via('edd_orders', 'id', 'order_id', field)

const payment: Entity = {
  name: 'payments',
  kind: 'payments',
  source: 'edd_order_items',
  id: 'id',
  only: [
    { from: orderOf('type'), take: ['sale'], aside: ['refund'], code: 'is_refund' },
    {
      from: orderOf('status'),
      take: ['complete', 'edd_subscription', 'refunded', 'partially_refunded', 'revoked'],
      aside: ['pending', 'processing', 'failed', 'abandoned', 'cancelled', 'on_hold', 'preapproval', 'trash'],
      code: 'not_paid',
    },
  ],
  columns: {
    product_id: to('products', 'product_id'),
    user_id: to('customers', orderOf('customer_id')),
    plan_id: planOf('product_id'),
    license_id: toIfAny(
      'licenses',
      via('edd_licenses', ['payment_id', 'download_id'], ['order_id', 'product_id'], 'id'),
    ),
    subscription_id: toIfAny(
      'subscriptions',
      firstOf(
        ordermeta('subscription_id', 'order_id'),
        via('edd_subscriptions', ['parent_payment_id', 'product_id'], ['order_id', 'product_id'], 'id'),
      ),
    ),
    external_id: text(['order_id', 'id'], 255),
    is_renewal: when(
      orderOf('status'),
      ['edd_subscription'],
      fixed(true),
      flag(ordermeta('_edd_sl_is_renewal', 'order_id')),
    ),
    currency: currency(orderOf('currency')),
    total: decimal('total', orderOf('currency')),
    tax: decimal('tax', orderOf('currency')),
    refunded_total: decimal(
      via('edd_order_items', 'parent', 'id', 'total', { pick: 'sum' }),
      orderOf('currency'),
      { otherwise: 0, isGivenBack: true },
    ),
    refunded_at: time(via('edd_order_items', 'parent', 'id', 'date_created'), 'UTC'),
    environment: when(orderOf('mode'), ['test'], fixed(1), fixed(0)),
    ip: text(orderOf('ip'), 45),
    created: time(orderOf('date_created'), 'UTC'),
    processed_at: time(orderOf('date_completed'), 'UTC', orderOf('date_created')),
  },
}

/** Easy Digital Downloads 3 with Software Licensing and Recurring Payments, by its tables. */
export const EDD: Platform = {
  name: 'edd',
  title: 'Easy Digital Downloads',
  says: 'tables of its database, each as CSV with the names of the columns first, such as `wp_edd_orders.csv`; any prefix',
  documents: [
    'https://github.com/awesomemotive/easy-digital-downloads (includes/database/tables)',
    'https://easydigitaldownloads.com/docs/software-licensing-developer-overview/',
  ],
  zone: via('options', 'option_name', always('timezone_string'), 'option_value'),
  sources: {
    options: { file: 'options', says: 'options, of which the time zone of the shop is read' },
    settings: {
      file: 'options',
      says: 'the option `edd_settings`, of which the currency is read',
      unpack: { field: 'option_value', as: 'php', where: ['option_name', 'edd_settings'] },
    },
    posts: { file: 'posts', says: 'downloads, which are products here', required: true },
    postmeta: { file: 'postmeta', says: 'prices and limits of downloads', required: true },
    prices: {
      file: 'postmeta',
      says: 'options of prices, which are plans here',
      unpack: { field: 'meta_value', as: 'php', where: ['meta_key', 'edd_variable_prices'] },
    },
    edd_adjustments: { file: 'edd_adjustments', says: 'discounts' },
    edd_adjustmentmeta: { file: 'edd_adjustmentmeta', says: 'which products a discount is for' },
    edd_customers: { file: 'edd_customers', says: 'customers', required: true },
    edd_orders: { file: 'edd_orders', says: 'orders' },
    edd_ordermeta: { file: 'edd_ordermeta', says: 'which orders renew a subscription' },
    edd_order_items: { file: 'edd_order_items', says: 'what was bought, each item a payment here' },
    edd_licenses: { file: 'edd_licenses', says: 'licenses' },
    edd_licensemeta: { file: 'edd_licensemeta', says: 'limits of single licenses' },
    edd_license_activations: { file: 'edd_license_activations', says: 'where licenses are active' },
    edd_subscriptions: { file: 'edd_subscriptions', says: 'subscriptions' },
  },
  entities: [...OFFERED, customer, license, site, subscription, payment],
  noFit: [
    {
      what: 'methods of payment',
      why: 'the tables have the customer at Stripe (`_edd_stripe_customer_id`) and the subscription at Stripe or PayPal (`profile_id`), which these charge by themselves, and neither a method nor the token of a wallet: ask Stripe for the method, end the subscription there, and give `--payment-methods` by the numbers of `edd_subscriptions`. Until then a subscription is paid there (`is_elsewhere`)',
    },
    { what: 'fees of an order that are of no item', why: 'a payment here is of a product' },
    {
      what: 'the day of a cancellation',
      why: 'is not in the tables: it is the day on which what was paid ends',
    },
    { what: 'the day of an activation', why: 'is not in the tables: it is that of the license' },
    OTHER_CYCLES,
    {
      what: 'discounts for some products, or above an amount',
      why: '`limited_to_products`, `minimum_amount`',
    },
    { what: 'discounts of an amount in another currency than US dollars', why: '`other_currency`' },
    { what: 'bundles', why: 'come as a product: their members have licenses of their own' },
    { what: 'licenses that renew or upgrade another one', why: 'come as licenses of their own' },
    { what: 'files, commissions, reviews and logs of downloads', why: 'have no table here' },
    OTHER_CURRENCIES,
  ],
}

import {
  always,
  currency,
  decimal,
  email,
  fixed,
  key,
  country,
  name,
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
  type From,
  type Only,
  type Platform,
  type Take,
} from './map.ts'
import { OFFERED } from './woocommerce-catalogue.ts'
import { NO_FIT } from './woocommerce-fit.ts'
import { METHODS, ordermeta } from './woocommerce-methods.ts'

const dates = { created: time('date_created_gmt', 'UTC'), updated: time('date_updated_gmt', 'UTC') }

const PAID = ['wc-completed', 'wc-processing', 'wc-refunded']
const NOT_PAID = [
  'wc-pending',
  'wc-failed',
  'wc-cancelled',
  'wc-on-hold',
  'wc-checkout-draft',
  'auto-draft',
  'trash',
]
const SUBSCRIBED = [
  'wc-active',
  'wc-on-hold',
  'wc-pending-cancel',
  'wc-cancelled',
  'wc-expired',
  'wc-switched',
]

const isOrder: Only = { from: 'type', take: ['shop_order'], aside: ['*'] }
const isSubscription: Only = {
  from: 'type',
  take: ['shop_subscription'],
  aside: ['*'],
}
const isPaid: Only = { from: 'status', take: PAID, aside: NOT_PAID, code: 'not_paid' }
const isBegun: Only = {
  from: 'status',
  take: SUBSCRIBED,
  aside: ['wc-pending', ...NOT_PAID],
  code: 'not_begun',
}

const billed = (field: string): From =>
  via('wc_order_addresses', 'order_id', 'id', field, { where: ['address_type', 'billing'] })
const buyer = (entity: string, ...only: readonly Only[]): Entity => ({
  name: entity,
  kind: 'users',
  source: 'wc_orders',
  id: 'billing_email',
  only,
  columns: {
    email: email('billing_email'),
    first: name(billed('first_name')),
    last: name(billed('last_name')),
    created: time('date_created_gmt', 'UTC'),
  },
})

/** The holder of a license, who need not have bought it. */
const holder: Entity = {
  name: 'holders',
  kind: 'users',
  source: 'woocommerce_software_licenses',
  id: 'activation_email',
  columns: { email: email('activation_email'), created: time('created', 'shop') },
}

/** The first thing of an order or a subscription, and what it says. */
const item = via('woocommerce_order_items', 'order_id', 'id', 'order_item_id', {
  where: ['order_item_type', 'line_item'],
})
const itemmeta = (key: string): From =>
  via('woocommerce_order_itemmeta', 'order_item_id', item, 'meta_value', { where: ['meta_key', key] })

const planOf = (variation: From, product: From): Take =>
  when(variation, ['', '0'], to('plans', product), to('variations', variation))
const ofItem = {
  product_id: to('products', itemmeta('_product_id')),
  plan_id: planOf(itemmeta('_variation_id'), itemmeta('_product_id')),
}

/** The product, or the variation, that has the name which a license is for. */
const named = via('postmeta', 'meta_value', 'software_product_id', 'post_id', {
  where: ['meta_key', '_software_product_id'],
})
const parent = via('posts', 'ID', named, 'post_parent')

const license: Entity = {
  name: 'licenses',
  kind: 'licenses',
  source: 'woocommerce_software_licenses',
  id: 'key_id',
  columns: {
    product_id: when(parent, ['', '0'], to('products', named), to('products', parent)),
    plan_id: when(parent, ['', '0'], to('plans', named), to('variations', named)),
    user_id: to('holders', 'activation_email'),
    secret_key: key('license_key'),
    quota: quota('activations_limit', ['']),
    is_cancelled: state(via('wc_orders', 'id', 'order_id', 'status'), {
      '': false,
      'wc-completed': false,
      'wc-processing': false,
      'wc-on-hold': false,
      'wc-refunded': true,
      'wc-cancelled': true,
      'wc-failed': true,
    }),
    created: time('created', 'shop'),
  },
}

const site: Entity = {
  name: 'installs',
  kind: 'installs',
  source: 'woocommerce_software_activations',
  id: 'activation_id',
  only: [{ from: 'activation_active', take: ['1'], aside: ['0'], code: 'deactivated' }],
  columns: {
    license_id: to('licenses', 'key_id'),
    address: text('instance', 2_000),
    platform_version: text('activation_platform', 100),
    created: time('activation_time', 'shop'),
  },
}

const charged = {
  amount_per_cycle: decimal('total_amount', 'currency', { less: 'tax_amount' }),
  initial_amount: decimal('total_amount', 'currency', { less: 'tax_amount' }),
  renewal_amount: decimal('total_amount', 'currency', { less: 'tax_amount' }),
}

const ENDED = ['wc-pending-cancel', 'wc-cancelled', 'wc-switched']

const subscription: Entity = {
  name: 'subscriptions',
  kind: 'subscriptions',
  source: 'wc_orders',
  id: 'id',
  only: [isSubscription, isBegun],
  columns: {
    ...ofItem,
    user_id: to('subscribers', 'billing_email'),
    license_id: toIfAny(
      'licenses',
      via('woocommerce_software_licenses', 'order_id', 'parent_order_id', 'key_id'),
    ),
    external_id: text('id', 255),
    billing_cycle: state(
      [ordermeta('_billing_period', 'id'), ordermeta('_billing_interval', 'id')],
      { 'month:1': 1, 'year:1': 12, 'month:12': 12 },
      'unknown_cycle',
    ),
    currency: currency('currency'),
    ...charged,
    trial_ends: time(ordermeta('_schedule_trial_end', 'id'), 'UTC'),
    next_payment: when('status', ['wc-active'], time(ordermeta('_schedule_next_payment', 'id'), 'UTC')),
    canceled_at: when(
      'status',
      ENDED,
      time(ordermeta('_schedule_cancelled', 'id'), 'UTC', 'date_updated_gmt'),
      when('status', ['wc-expired'], time(ordermeta('_schedule_end', 'id'), 'UTC', 'date_updated_gmt'), NONE),
    ),
    ...METHODS,
    ...dates,
  },
}

const renews = ordermeta('_subscription_renewal', 'id')

const payment: Entity = {
  name: 'payments',
  kind: 'payments',
  source: 'wc_orders',
  id: 'id',
  only: [isOrder, isPaid],
  columns: {
    ...ofItem,
    user_id: to('buyers', 'billing_email'),
    license_id: toIfAny('licenses', via('woocommerce_software_licenses', 'order_id', 'id', 'key_id')),
    subscription_id: when(
      renews,
      ['', '0'],
      toIfAny(
        'subscriptions',
        via('wc_orders', 'parent_order_id', 'id', 'id', { where: ['type', 'shop_subscription'] }),
      ),
      toIfAny('subscriptions', renews),
    ),
    is_renewal: when(renews, ['', '0'], fixed(false), fixed(true)),
    external_id: text('transaction_id', 255, 'id'),
    currency: currency('currency'),
    total: decimal('total_amount', 'currency'),
    tax: decimal('tax_amount', 'currency', { otherwise: 0 }),
    refunded_total: decimal(
      via('wc_orders', 'parent_order_id', 'id', 'total_amount', {
        where: ['type', 'shop_order_refund'],
        pick: 'sum',
      }),
      'currency',
      { otherwise: 0, isGivenBack: true },
    ),
    refunded_at: time(
      via('wc_orders', 'parent_order_id', 'id', 'date_created_gmt', { where: ['type', 'shop_order_refund'] }),
      'UTC',
    ),
    country_code: country(billed('country')),
    ip: text('ip_address', 45),
    processed_at: time(
      via('wc_order_operational_data', 'order_id', 'id', 'date_paid_gmt'),
      'UTC',
      'date_created_gmt',
    ),
    ...dates,
  },
}

/** WooCommerce with its tables of orders, Subscriptions, the Software Add-on, and the gateways of Stripe and PayPal. */
export const WOOCOMMERCE: Platform = {
  name: 'woocommerce',
  title: 'WooCommerce',
  says: 'tables of its database, each as CSV with the names of the columns first, such as `wp_wc_orders.csv`; any prefix. Orders are those of the tables for them (HPOS): a shop that still keeps them as posts syncs them there first',
  documents: [
    'https://github.com/woocommerce/woocommerce (OrdersTableDataStore)',
    'https://woocommerce.com/document/software-add-on/',
    'https://woocommerce.com/document/subscriptions/develop/',
    'https://github.com/woocommerce/woocommerce-paypal-payments (RenewalHandler)',
  ],
  zone: via('options', 'option_name', always('timezone_string'), 'option_value'),
  sources: {
    options: { file: 'options', says: 'options, of which time zone and currency of the shop are read' },
    posts: { file: 'posts', says: 'products, variations, which are plans here, and coupons', required: true },
    postmeta: { file: 'postmeta', says: 'prices, limits and what coupons are', required: true },
    wc_orders: { file: 'wc_orders', says: 'orders, refunds and subscriptions', required: true },
    wc_orders_meta: { file: 'wc_orders_meta', says: 'cycles and days of subscriptions, and their methods' },
    wc_order_addresses: { file: 'wc_order_addresses', says: 'names of buyers' },
    wc_order_operational_data: { file: 'wc_order_operational_data', says: 'when an order was paid' },
    woocommerce_payment_tokens: {
      file: 'woocommerce_payment_tokens',
      says: 'wallets that PayPal has stored',
    },
    woocommerce_order_items: { file: 'woocommerce_order_items', says: 'what was bought' },
    woocommerce_order_itemmeta: {
      file: 'woocommerce_order_itemmeta',
      says: 'of which product and variation',
    },
    woocommerce_software_licenses: {
      file: 'woocommerce_software_licenses',
      says: 'licenses of the Software Add-on',
    },
    woocommerce_software_activations: {
      file: 'woocommerce_software_activations',
      says: 'where licenses are active',
    },
  },
  entities: [
    ...OFFERED,
    buyer('buyers', isOrder, { from: 'status', take: PAID, aside: ['*'] }),
    buyer('subscribers', isSubscription, { from: 'status', take: SUBSCRIBED, aside: ['*'] }),
    holder,
    license,
    site,
    subscription,
    payment,
  ],
  noFit: NO_FIT,
}

import {
  always,
  currency,
  fixed,
  minor,
  NONE,
  quota,
  slug,
  state,
  text,
  time,
  to,
  via,
  when,
  whole,
  type Entity,
} from './map.ts'

/** A field of what an entity of the interface has. */
export const at = (field: string) => `attributes.${field}`
export const dates = { created: time(at('created_at')), updated: time(at('updated_at')) }
export const environment = when(at('test_mode'), ['true'], fixed(1), fixed(0))

/** The price of a variant that holds now. */
const priceOf = (variant: string, field: string) =>
  via('prices', at('variant_id'), variant, at(field), { pick: { newest: at('created_at') } })
export const cycleOf = (variant: string) => [
  priceOf(variant, 'renewal_interval_unit'),
  priceOf(variant, 'renewal_interval_quantity'),
]
const YEARLY = ['year:1', 'month:12']

const storeCurrency = via(
  'stores',
  'id',
  via('products', 'id', at('product_id'), at('store_id')),
  at('currency'),
)
const discountCurrency = via('stores', 'id', at('store_id'), at('currency'))

const product: Entity = {
  name: 'products',
  kind: 'products',
  source: 'products',
  id: 'id',
  columns: {
    title: text(at('name')),
    slug: slug(at('slug'), ['id']),
    is_pricing_visible: when(at('status'), ['published'], fixed(true), fixed(false)),
    ...dates,
  },
}

const plan: Entity = {
  name: 'plans',
  kind: 'plans',
  source: 'variants',
  id: 'id',
  columns: {
    product_id: to('products', at('product_id')),
    name: slug(at('name'), 'id'),
    title: text(at('name'), 100, 'id'),
    ...dates,
  },
}

const price: Entity = {
  name: 'pricing',
  kind: 'pricing',
  source: 'variants',
  id: 'id',
  only: [
    {
      from: priceOf('id', 'category'),
      take: ['one_time', 'subscription'],
      aside: ['', 'lead_magnet', 'pwyw'],
      code: 'no_fixed_price',
    },
    {
      from: cycleOf('id'),
      take: ['', 'month:1', ...YEARLY],
      aside: ['day:1', 'week:1', 'month:3', 'month:6'],
      code: 'other_cycle',
    },
  ],
  columns: {
    plan_id: to('plans', 'id'),
    currency: currency(storeCurrency),
    licenses: when(
      at('is_license_limit_unlimited'),
      ['true'],
      NONE,
      quota(at('license_activation_limit'), ['', '0']),
    ),
    monthly_price: when(cycleOf('id'), ['month:1'], minor(priceOf('id', 'unit_price'), storeCurrency)),
    annual_price: when(cycleOf('id'), YEARLY, minor(priceOf('id', 'unit_price'), storeCurrency)),
    lifetime_price: when(
      priceOf('id', 'category'),
      ['one_time'],
      minor(priceOf('id', 'unit_price'), storeCurrency),
    ),
    ...dates,
  },
}

const coupon: Entity = {
  name: 'coupons',
  kind: 'coupons',
  source: 'discounts',
  id: 'id',
  only: [
    { from: at('is_limited_to_products'), take: ['false'], aside: ['true'], code: 'limited_to_products' },
    {
      where: [at('amount_type'), ['fixed']],
      from: discountCurrency,
      take: ['USD'],
      aside: ['*'],
      code: 'other_currency',
    },
  ],
  columns: {
    product_id: NONE,
    code: text(at('code'), 100),
    discount_type: state(at('amount_type'), { percent: 'percentage', fixed: 'dollar' }),
    discount: whole(at('amount')),
    start_date: time(at('starts_at'), 'zoned', at('created_at')),
    end_date: time(at('expires_at'), 'zoned', always('9999-12-31T23:59:59Z')),
    redemptions_limit: when(at('is_limited_redemptions'), ['true'], whole(at('max_redemptions'))),
    has_renewals_discount: when(at('duration'), ['forever'], fixed(true), fixed(false)),
    is_active: when(at('status'), ['published'], fixed(true), fixed(false)),
    ...dates,
  },
}

/** What is offered. */
export const OFFERED: readonly Entity[] = [product, plan, price, coupon]

import {
  always,
  currency,
  decimal,
  fixed,
  meta,
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
  type From,
  type Only,
} from './map.ts'

export const postmeta = meta('postmeta', 'post_id')

const currencyOfShop = via('options', 'option_name', always('woocommerce_currency'), 'option_value')
const posted = { created: time('post_date_gmt', 'UTC'), updated: time('post_modified_gmt', 'UTC') }
const only = (type: string): Only => ({ from: 'post_type', take: [type], aside: ['*'] })

/** Without variations; a product with some is sold as them alone. */
const isSimple: Only = {
  from: via('posts', 'post_parent', 'ID', 'ID', { where: ['post_type', 'product_variation'] }),
  take: [''],
  aside: ['*'],
}

const product: Entity = {
  name: 'products',
  kind: 'products',
  source: 'posts',
  id: 'ID',
  only: [only('product')],
  columns: {
    title: text('post_title', 200, 'ID'),
    slug: slug('post_name', ['ID']),
    is_pricing_visible: when('post_status', ['publish'], fixed(true), fixed(false)),
    ...posted,
  },
}

const plan: Entity = {
  name: 'plans',
  kind: 'plans',
  source: 'posts',
  id: 'ID',
  only: [only('product'), isSimple],
  columns: {
    product_id: to('products', 'ID'),
    name: text(always('standard'), 100),
    title: text(always('Standard'), 100),
    ...posted,
  },
}

const variation: Entity = {
  name: 'variations',
  kind: 'plans',
  source: 'posts',
  id: 'ID',
  only: [only('product_variation')],
  columns: {
    product_id: to('products', 'post_parent'),
    name: slug('post_title', 'ID'),
    title: text('post_title', 100, 'ID'),
    ...posted,
  },
}

const cycle = [postmeta('_subscription_period', 'ID'), postmeta('_subscription_period_interval', 'ID')]
const amount = decimal(postmeta('_regular_price', 'ID'), currencyOfShop)

const costs = {
  currency: currency(currencyOfShop),
  licenses: quota(postmeta('_software_activations', 'ID'), ['']),
  monthly_price: when(cycle, ['month:1'], amount),
  annual_price: when(cycle, ['year:1', 'month:12'], amount),
  lifetime_price: when(cycle, [''], amount),
  ...posted,
}

const isMonthlyOrYearly: Only = {
  from: cycle,
  take: ['', 'month:1', 'year:1', 'month:12'],
  aside: ['*'],
  code: 'other_cycle',
}

const price: Entity = {
  name: 'pricing',
  kind: 'pricing',
  source: 'posts',
  id: 'ID',
  only: [only('product'), isSimple, isMonthlyOrYearly],
  columns: { plan_id: to('plans', 'ID'), ...costs },
}

const variationPrice: Entity = {
  name: 'variation_pricing',
  kind: 'pricing',
  source: 'posts',
  id: 'ID',
  only: [only('product_variation'), isMonthlyOrYearly],
  columns: { plan_id: to('variations', 'ID'), ...costs },
}

const ofCoupon = (name: string): From => postmeta(name, 'ID')

const coupon: Entity = {
  name: 'coupons',
  kind: 'coupons',
  source: 'posts',
  id: 'ID',
  only: [
    only('shop_coupon'),
    {
      from: ofCoupon('discount_type'),
      take: ['percent', 'fixed_cart', 'fixed_product'],
      aside: ['*'],
      code: 'of_subscriptions',
    },
    { from: ofCoupon('product_ids'), take: [''], aside: ['*'], code: 'limited_to_products' },
    { from: ofCoupon('minimum_amount'), take: ['', '0', '0.00'], aside: ['*'], code: 'minimum_amount' },
    {
      where: [ofCoupon('discount_type'), ['fixed_cart', 'fixed_product']],
      from: currencyOfShop,
      take: ['USD'],
      aside: ['*'],
      code: 'other_currency',
    },
  ],
  columns: {
    product_id: NONE,
    code: text('post_title', 100),
    discount_type: state(ofCoupon('discount_type'), {
      percent: 'percentage',
      fixed_cart: 'dollar',
      fixed_product: 'dollar',
    }),
    discount: when(
      ofCoupon('discount_type'),
      ['percent'],
      whole(ofCoupon('coupon_amount')),
      decimal(ofCoupon('coupon_amount'), always('usd')),
    ),
    start_date: time('post_date_gmt', 'UTC'),
    end_date: when(
      ofCoupon('date_expires'),
      ['', '0'],
      fixed('9999-12-31 23:59:59'),
      time(ofCoupon('date_expires'), 'seconds'),
    ),
    redemptions: when(ofCoupon('usage_count'), [''], fixed(0), whole(ofCoupon('usage_count'))),
    redemptions_limit: when(ofCoupon('usage_limit'), ['', '0'], NONE, whole(ofCoupon('usage_limit'))),
    is_one_per_user: when(ofCoupon('usage_limit_per_user'), ['1'], fixed(true), fixed(false)),
    is_active: when('post_status', ['publish'], fixed(true), fixed(false)),
    ...posted,
  },
}

/** What is offered. */
export const OFFERED: readonly Entity[] = [product, plan, variation, price, variationPrice, coupon]

import {
  always,
  currency,
  decimal,
  firstOf,
  fixed,
  flag,
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
  type Take,
} from './map.ts'

export const postmeta = meta('postmeta', 'post_id')

/** What an option of a price says, by download and number. */
export const priceOption = (by: readonly From[], get: From): From =>
  via('prices', ['post_id', 'key'], by, get)

/** The plan of an option of a price, or that of the download where it has no such option. */
export const planOf = (download: string): Take =>
  when(
    priceOption([download, 'price_id'], 'key'),
    [''],
    to('plans', [download, always('')]),
    to('options', [download, 'price_id']),
  )

const currencyOfShop = via('settings', 'key', always('currency'), 'entry')
const post = (field: string): From => via('posts', 'ID', 'post_id', field)
const posted = { created: time('post_date_gmt', 'UTC'), updated: time('post_modified_gmt', 'UTC') }

const product: Entity = {
  name: 'products',
  kind: 'products',
  source: 'posts',
  id: 'ID',
  only: [{ from: 'post_type', take: ['download'], aside: ['*'] }],
  columns: {
    title: text('post_title', 200, 'ID'),
    slug: slug('post_name', ['ID']),
    is_pricing_visible: when('post_status', ['publish'], fixed(true), fixed(false)),
    ...posted,
  },
}

const onlyDownloads = product.only ?? []

/** What a download without options is sold as, and licenses that name no option have. */
const plan: Entity = {
  name: 'plans',
  kind: 'plans',
  source: 'posts',
  id: ['ID', always('')],
  only: onlyDownloads,
  columns: {
    product_id: to('products', 'ID'),
    name: text(always('standard'), 100),
    title: text(always('Standard'), 100),
    is_hidden: when(postmeta('_variable_pricing', 'ID'), ['1'], fixed(true), fixed(false)),
    ...posted,
  },
}

const optionPlan: Entity = {
  name: 'options',
  kind: 'plans',
  source: 'prices',
  id: ['post_id', 'key'],
  columns: {
    product_id: to('products', 'post_id'),
    name: slug('entry.name', 'key'),
    title: text('entry.name', 100, 'key'),
    created: time(post('post_date_gmt'), 'UTC'),
    updated: time(post('post_modified_gmt'), 'UTC'),
  },
}

const CYCLES = ['month', 'year']

/** Where it is renewed by itself its cycle, otherwise the year that a license lasts, or for life. */
const priced = (amount: From, recurring: From, period: From, lifetime: From) => {
  const cost = decimal(amount, currencyOfShop)
  return {
    currency: currency(currencyOfShop),
    monthly_price: when([recurring, period], ['yes:month'], cost),
    annual_price: when(recurring, ['yes'], when(period, ['year'], cost), when(lifetime, ['1'], NONE, cost)),
    lifetime_price: when(recurring, ['yes'], NONE, when(lifetime, ['1'], cost)),
  }
}

const price: Entity = {
  name: 'pricing',
  kind: 'pricing',
  source: 'posts',
  id: ['ID', always('')],
  only: [
    ...onlyDownloads,
    { from: postmeta('_variable_pricing', 'ID'), take: ['', '0'], aside: ['1'] },
    {
      where: [postmeta('edd_recurring', 'ID'), ['yes']],
      from: postmeta('edd_period', 'ID'),
      take: CYCLES,
      aside: ['day', 'week', 'quarter', 'semi-year'],
      code: 'other_cycle',
    },
  ],
  columns: {
    plan_id: to('plans', ['ID', always('')]),
    licenses: quota(postmeta('_edd_sl_limit', 'ID'), ['', '0']),
    ...priced(
      postmeta('edd_price', 'ID'),
      postmeta('edd_recurring', 'ID'),
      postmeta('edd_period', 'ID'),
      postmeta('edd_sl_download_lifetime', 'ID'),
    ),
    ...posted,
  },
}

const optionPrice: Entity = {
  name: 'option_pricing',
  kind: 'pricing',
  source: 'prices',
  id: ['post_id', 'key'],
  only: [
    {
      where: ['entry.recurring', ['yes']],
      from: 'entry.period',
      take: CYCLES,
      aside: ['day', 'week', 'quarter', 'semi-year'],
      code: 'other_cycle',
    },
  ],
  columns: {
    plan_id: to('options', ['post_id', 'key']),
    licenses: quota(firstOf('entry.license_limit', postmeta('_edd_sl_limit', 'post_id')), ['', '0']),
    ...priced('entry.amount', 'entry.recurring', 'entry.period', 'entry.is_lifetime'),
    created: time(post('post_date_gmt'), 'UTC'),
    updated: time(post('post_modified_gmt'), 'UTC'),
  },
}

const NOTHING = ['', '0', '0.00', '0.000000000']

const coupon: Entity = {
  name: 'coupons',
  kind: 'coupons',
  source: 'edd_adjustments',
  id: 'id',
  only: [
    { from: 'type', take: ['discount'], aside: ['*'] },
    {
      from: via('edd_adjustmentmeta', 'edd_adjustment_id', 'id', 'meta_value', {
        where: ['meta_key', 'product_requirement'],
      }),
      take: [''],
      aside: ['*'],
      code: 'limited_to_products',
    },
    { from: 'min_charge_amount', take: NOTHING, aside: ['*'], code: 'minimum_amount' },
    {
      where: ['amount_type', ['flat']],
      from: currencyOfShop,
      take: ['USD'],
      aside: ['*'],
      code: 'other_currency',
    },
  ],
  columns: {
    product_id: NONE,
    code: text('code', 100),
    discount_type: state('amount_type', { percent: 'percentage', flat: 'dollar' }),
    discount: when('amount_type', ['percent'], whole('amount'), decimal('amount', always('usd'))),
    start_date: time('start_date', 'UTC', 'date_created'),
    end_date: time('end_date', 'UTC', always('9999-12-31 23:59:59')),
    redemptions: whole('use_count'),
    redemptions_limit: when('max_uses', ['0'], NONE, whole('max_uses')),
    is_one_per_user: flag('once_per_customer', ['1']),
    is_active: state('status', { active: true, inactive: false, expired: false, archived: false }),
    created: time('date_created', 'UTC'),
    updated: time('date_modified', 'UTC'),
  },
}

/** What is offered. */
export const OFFERED: readonly Entity[] = [product, plan, optionPlan, price, optionPrice, coupon]

import { SPECIAL_TYPES } from '../../db/tables/coupons.ts'
import {
  choice,
  currency,
  dates,
  id,
  inOrder,
  inProduct,
  integer,
  kind,
  money,
  NULL,
  off,
  on,
  refuses,
  source,
  text,
  time,
  to,
  type Kind,
} from './column.ts'

const address = () => text(2_048, NULL)

const plan = kind({
  table: 'plans',
  says: 'what a product is sold as',
  columns: {
    id: id(),
    product_id: to('products'),
    name: text(100),
    title: text(100),
    description: text(1_000, NULL),
    is_free_localhost: on(),
    is_block_features: on(),
    is_block_features_monthly: on(),
    license_type: choice([0, 1], { default: 0 }),
    trial_period: integer({ ...NULL, max: 3_650, unit: 'days' }),
    is_require_subscription: off(),
    support_kb: address(),
    support_forum: address(),
    support_email: text(254, NULL),
    support_phone: text(50, NULL),
    is_success_manager: off(),
    is_featured: off(),
    is_hidden: off(),
    ...dates,
  },
  unique: [{ columns: ['product_id', 'name'] }],
})

const MAX_QUOTA = 2_147_483_647

const price = kind({
  table: 'pricing',
  says: 'what a plan costs for a number of licenses, by cycle and currency',
  columns: {
    id: id(),
    product_id: to('products'),
    plan_id: inProduct('plans'),
    currency: currency(),
    licenses: integer({ ...NULL, min: 1, max: MAX_QUOTA }),
    monthly_price: money(NULL),
    annual_price: money(NULL),
    lifetime_price: money(NULL),
    is_whitelabeled: off(),
    is_hidden: off(),
    twin_of: integer({ default: 0 }),
    ...dates,
  },
  unique: [
    {
      columns: ['plan_id', 'currency', 'licenses'],
      where: (row) => row['twin_of'] === 0,
      sql: 'twin_of = 0',
      nullIs0: 'licenses',
    },
  ],
})

const feature = kind({
  table: 'features',
  says: 'what a pricing table says of a product',
  columns: {
    id: id(),
    product_id: to('products'),
    title: text(500),
    description: text(20_000, { default: '' }),
    is_featured: off(),
    ...dates,
  },
})

const featureValue = kind({
  table: 'feature_values',
  says: 'what a plan has of a feature',
  key: ['plan_id', 'feature_id'],
  made: ['id'],
  columns: {
    product_id: to('products'),
    plan_id: inProduct('plans'),
    feature_id: inProduct('features'),
    value: text(2_000, NULL),
    ...dates,
  },
})

const coupon = kind({
  table: 'coupons',
  says: 'coupons of products and stores, with how often each was redeemed',
  ownedBy: [
    { column: 'product_id', of: 'products' },
    { column: 'store_id', of: 'stores' },
  ],
  made: ['code_folded'],
  columns: {
    id: id(),
    product_id: to('products', NULL),
    store_id: to('stores', NULL),
    code: text(100),
    discount_type: choice(['dollar', 'percentage']),
    discount: integer({ unit: 'whole percent, or minor units of US dollars' }),
    discount_eur: money(NULL),
    discount_gbp: money(NULL),
    plans: text(2_000, NULL),
    licenses: text(2_000, NULL),
    billing_cycles: text(2_000, NULL),
    user_type: choice(['all', 'new', 'current', 'previous', 'customer', 'migrated'], { default: 'all' }),
    start_date: time(),
    end_date: time({ default: '9999-12-31 23:59:59' }),
    redemptions: integer({ default: 0 }),
    sandbox_redemptions: integer({ default: 0 }),
    redemptions_limit: integer({ ...NULL, min: 1, max: 1_000_000_000 }),
    has_renewals_discount: off(),
    has_addons_discount: off(),
    is_one_per_user: off(),
    is_active: on(),
    source: source(),
    deleted_at: time(NULL),
    ...dates,
  },
  rules: [
    inOrder('start_date', 'end_date'),
    refuses('discount', 'too_large', 'must be at most 100 percent', (row) => isPercent(row) && over100(row)),
    refuses(
      'store_id',
      'wrong_owner',
      'must be set where product_id is not, and only there',
      (row) => (row['product_id'] === null) === (row['store_id'] === null),
    ),
  ],
})

const isPercent = (row: Readonly<Record<string, unknown>>) => row['discount_type'] === 'percentage'
const over100 = (row: Readonly<Record<string, unknown>>) => Number(row['discount']) > 100

const specialCoupon = kind({
  table: 'special_coupons',
  says: 'the coupon of a product for a purpose of its own',
  columns: {
    id: id(),
    product_id: to('products'),
    coupon_id: to('coupons'),
    type: choice(SPECIAL_TYPES),
    ...dates,
  },
  unique: [{ columns: ['product_id', 'type'] }],
})

/** What products are sold as, each kind after those that it refers to. */
export const CATALOGUE: readonly Kind[] = [plan, price, feature, featureValue, coupon, specialCoupon]

import { BASE, BUNDLE, CREATED, made, PLAN, PRODUCT, SECOND_PLAN, type Files } from './moved-base.ts'

const STORE = BASE
const PRICE = BASE
const product_id = PRODUCT
const feature = (n: number, title: string, more: object = {}) => ({
  id: PRODUCT + n,
  product_id,
  title,
  ...more,
  ...made,
})
const valueOf = (plan_id: number, n: number, value: string | null) => ({
  product_id,
  plan_id,
  feature_id: PRODUCT + n,
  value,
  ...made,
})
const price = (n: number, plan_id: number, more: object) => ({
  id: PRICE + n,
  product_id,
  plan_id,
  currency: 'usd',
  licenses: 1,
  ...more,
  ...made,
})
const coupon = (n: number, more: object) => ({
  id: PRODUCT + n,
  product_id: null,
  store_id: null,
  start_date: CREATED,
  ...more,
  ...made,
})

/** How the seller has set up its product. */
export const PRODUCT_SETTINGS = {
  icon: 'https://moved.example.com/icon.png',
  default_plan_id: PLAN,
  plans: `${SECOND_PLAN},${PLAN}`,
  features: `${PRODUCT + 2},${PRODUCT},${PRODUCT + 1}`,
  type_alias: 'Editor',
  redirect_hosts: '["shop.example.com"]',
  money_back_period: 14,
  refund_policy: 'strict',
  is_consumptive_usage: true,
  annual_renewals_discount: 1250,
  renewals_discount_type: 'dollar',
  lifetime_license_proration_days: 20,
  is_sdk_required: false,
  is_wp_org_compliant: false,
  is_static: true,
  accepted_payments: 2,
  expose_license_key: false,
  enable_cart_recovery: false,
  selling_unit_singular: 'Seat',
  selling_unit_plural: 'Seats',
  updated_sites_limit: 10,
  terms_url: 'https://moved.example.com/terms',
  checkout_accent: '#0a5fd1',
  support_email: 'help@example.com',
  embed_hosts: '["moved.example.com"]',
  portal_off: '["rotate_key"]',
  portal_greeting_en: 'Hello',
} as const

/**
 * What the seller offers beside the first plan, price and coupon of its product: a second plan, prices of each cycle and
 * in another currency, features with what plans have of them, coupons of product and store, some with a purpose, and how
 * it is all presented.
 */
export const OFFERS: Files = {
  plans: [
    {
      id: SECOND_PLAN,
      product_id,
      name: 'team',
      title: 'Team',
      description: 'For several persons.',
      is_free_localhost: false,
      is_block_features: false,
      is_block_features_monthly: false,
      license_type: 1,
      trial_period: 14,
      is_require_subscription: true,
      support_kb: 'https://help.example.com',
      support_forum: 'https://forum.example.com',
      support_email: 'help@example.com',
      support_phone: '+49 30 123',
      is_success_manager: true,
      is_featured: true,
      is_hidden: true,
      ...made,
    },
  ],
  pricing: [
    price(1, PLAN, { currency: 'eur', licenses: 3, annual_price: 4599 }),
    price(2, PLAN, { licenses: null, monthly_price: 999, annual_price: 9999, lifetime_price: 29_999 }),
    price(3, SECOND_PLAN, { licenses: 25, monthly_price: 1999, is_whitelabeled: true, is_hidden: true }),
  ],
  features: [
    feature(0, 'Reports', { description: 'By day and by month.', is_featured: true }),
    feature(1, 'Export'),
    feature(2, 'Seats'),
    // More than a page of a list has.
    ...Array.from({ length: 52 }, (_, n) => feature(3 + n, `Part ${n}`)),
  ],
  feature_values: [
    valueOf(PLAN, 0, null),
    valueOf(PLAN, 2, '3'),
    valueOf(SECOND_PLAN, 0, null),
    valueOf(SECOND_PLAN, 1, null),
    valueOf(SECOND_PLAN, 2, '25'),
  ],
  coupons: [
    coupon(1, {
      store_id: STORE,
      code: 'ALL OF THEM',
      discount_type: 'dollar',
      discount: 1500,
      discount_eur: 1300,
      discount_gbp: 1200,
      end_date: '2030-01-01 00:00:00',
      redemptions: 7,
      redemptions_limit: 100,
      has_renewals_discount: true,
      has_addons_discount: true,
      is_one_per_user: true,
      user_type: 'new',
    }),
    coupon(2, {
      product_id,
      code: 'STAY',
      discount_type: 'percentage',
      discount: 25,
      plans: `${PLAN}`,
      licenses: '0,3',
      billing_cycles: '12',
      is_active: false,
      source: 5,
    }),
  ],
  special_coupons: [
    { id: PRODUCT, product_id, coupon_id: PRODUCT + 2, type: 'subscription_cancellation', ...made },
    { id: PRODUCT + 1, product_id, coupon_id: PRODUCT + 1, type: 'cart_recovery', ...made },
  ],
  notes: [
    { id: PRODUCT, product_id, entity_type: 'coupon', entity_id: PRODUCT + 2, note: 'Ask first.', ...made },
  ],
  settings: [1, 3, 4, 5, 7, 8].map((setting_type) => ({ product_id, setting_type, ...made })),
  product_info: [
    {
      id: PRODUCT,
      product_id,
      url: 'https://moved.example.com',
      description: 'What it does.',
      short_description: 'Short.',
      banner_url: 'https://moved.example.com/banner.png',
      card_banner_url: 'https://moved.example.com/card.png',
      selling_point_0: 'Fast',
      selling_point_1: 'Small',
      selling_point_2: 'Cheap',
      screenshots: JSON.stringify({ screenshot_0: 'https://moved.example.com/0.png' }),
      ...made,
    },
  ],
  email_addresses: [
    {
      id: STORE,
      store_id: STORE,
      product_id: null,
      support: 'store@example.com',
      general_name: 'Store',
      ...made,
    },
    { id: STORE + 1, store_id: STORE, product_id, support: 'moved@example.com', support_name: 'Bo', ...made },
  ],
  bundle_members: [{ bundle_id: BUNDLE, product_id }],
}

import { drop, one, push, set, type BadCase } from './bad-moved-case.ts'
import { CREATED, OTHER_PLAN, OTHER_PRODUCT } from './moved-base.ts'

/** Ids that are there before the rows. */
interface Places {
  readonly foreignProduct: number
  readonly foreignStore: number
  readonly usedProduct: number
}

/** What a cell says that it cannot. */
const OF_A_CELL: readonly BadCase[] = [
  {
    what: 'a line that is no JSON',
    kind: 'users',
    change: (f) => (f['users'] = [undefined as never]),
    column: null,
    reason: 'not_read',
  },
  {
    what: 'a line that is no object',
    kind: 'users',
    change: (f) => (f['users'] = [[] as never]),
    column: null,
    reason: 'no_object',
  },
  {
    what: 'a field that is missing',
    kind: 'users',
    change: drop('users', 'email'),
    column: 'email',
    reason: 'missing',
  },
  one('plans', { title: null }, 'missing', 'a field that must not be empty'),
  one('users', { mail: 'x' }, 'unknown_column', 'a column that is none'),
  one('users', { id: '7' }, 'not_id', 'an id that is text'),
  one('users', { id: 0 }, 'not_id', 'an id of 0'),
  one('users', { id: -5 }, 'not_id', 'an id below 0'),
  one('users', { id: 2 ** 53 }, 'not_id', 'an id past every sequence'),
  one('users', { first: 5 }, 'not_text', 'a number for text'),
  one('users', { first: 'a\0b' }, 'not_text', 'text with a character that is none'),
  one('users', { first: 'x'.repeat(501) }, 'too_long', 'text that is too long'),
  one('users', { email: 'nobody' }, 'wrong_form', 'an address that is none'),
  one('users', { is_verified: 'maybe' }, 'not_flag', 'a flag that is neither true nor false'),
  one('users', { created: '2025-02-30 10:00:00' }, 'impossible_time', 'a day that does not exist'),
  one('users', { created: '2025-01-31 24:00:00' }, 'impossible_time', 'an hour that does not exist'),
  one('users', { created: '31.01.2025' }, 'not_time', 'a time in another form'),
  one('users', { auth: 'magic' }, 'unknown_choice', 'a word that is none of the choices'),
  one('pricing', { currency: 'xyz' }, 'unknown_currency', 'a currency that this server has not'),
  one('pricing', { annual_price: -1 }, 'too_small', 'a price below 0'),
  one('pricing', { annual_price: 49.99 }, 'not_integer', 'an amount with decimals'),
  one('licenses', { quota: -1 }, 'too_small', 'a quota below 0'),
  one('licenses', { quota: 2_147_483_648 }, 'too_large', 'a quota that is too large'),
  one('licenses', { quota: 2.5 }, 'not_integer', 'a quota that is not whole'),
  one('licenses', { activated: -1 }, 'too_small', 'a count of activations below 0'),
  one('licenses', { secret_key: 'two words' }, 'wrong_form', 'a license key with a space'),
  one('products', { public_key: 'key' }, 'wrong_form', 'a public key of another form'),
  one('products', { secret_key: 'pk_0123456789' }, 'wrong_form', 'a public key for a secret key'),
  one('products', { redirect_hosts: 'shop' }, 'not_json', 'a list that is no JSON'),
  one('products', { type: 'toaster' }, 'unknown_choice', 'a type of product that is none'),
  one('products', { type_alias: 'x', type: 'app' }, 'other_label', 'a label beside a type that is one'),
]

/** Tax settings of an account, with a change. */
const taxes = (change: object, what: string): BadCase => ({
  ...one('tax_settings', change, 'wrong_form', what),
  change: (f) => (f['tax_settings'] = [{ country: 'DE', ...change, created: CREATED }]),
})

/** Places that there are not, and VAT ids that no country gives. */
const OF_A_PLACE: readonly BadCase[] = [
  one('billing', { address_country_code: 'ZZ' }, 'wrong_form', 'a country of an address that there is not'),
  one('installs', { country_code: 'ZZ' }, 'wrong_form', 'a country of a site that there is not'),
  one('subscriptions', { country_code: 'XX' }, 'wrong_form', 'a country of a subscription that there is not'),
  one(
    'payments',
    { country_code: 'UK' },
    'wrong_form',
    'a country of a payment by another code than its own',
  ),
  one('payments', { country_code: '' }, 'wrong_form', 'a country of no letters'),
  taxes({ country: 'ZZ' }, 'a country of a seller that there is not'),
  taxes({ registrations: 'DE,US-ZZ' }, 'a place where nobody collects taxes'),
  taxes({ vat_id: 'DE123' }, 'a VAT id that has not the form of its country'),
]

/** What the cells of a row say that they cannot together. */
const OF_A_ROW: readonly BadCase[] = [
  one('payment_methods', { expiry_month: 13 }, 'too_large', 'a month that does not exist'),
  one('payments', { billing_cycle: 6 }, 'unknown_choice', 'a cycle that is none'),
  one('reviews', { rate: 101 }, 'too_large', 'a rate above 100'),
  one('coupons', { discount: 101 }, 'too_large', 'a discount above 100 percent'),
  one(
    'coupons',
    { end_date: '2024-01-01 00:00:00' },
    'ends_before_start',
    'a coupon that ends before it starts',
  ),
  one(
    'trials',
    { trial_ends_at: '2025-01-01 00:00:00' },
    'ends_before_start',
    'a trial that ends before it starts',
  ),
  one('coupons', { store_id: 1_000 }, 'wrong_owner', 'a coupon of a product and of a store'),
  one(
    'subscriptions',
    { next_payment: '2025-01-01 00:00:00' },
    'ends_before_start',
    'a period that ends before it starts',
  ),
  {
    what: 'one that is cancelled and falls due',
    kind: 'subscriptions',
    change: set('subscriptions', { canceled_at: '2026-01-01 00:00:00' }),
    column: 'due_at',
    reason: 'cancelled',
  },
  {
    what: 'one that is paid elsewhere and falls due here',
    kind: 'subscriptions',
    change: set('subscriptions', { is_elsewhere: true }),
    column: 'due_at',
    reason: 'paid_elsewhere',
  },
  one('payments', { gross: -1 }, 'negative', 'a payment below 0'),
  one('payments', { refunded_gross: 5_000 }, 'too_large', 'more refunded than was paid'),
  {
    what: 'a refund of nothing',
    kind: 'payments',
    change: set('payments', { type: 'refund', gross: -1 }),
    column: 'bound_payment_id',
    reason: 'not_bound',
  },
  {
    what: 'an install without license that is counted',
    kind: 'installs',
    change: set('installs', { license_id: null }),
    column: 'counted_as',
    reason: 'not_counted',
  },
]

/** What rows have in common that they cannot. */
const OF_ROWS: readonly BadCase[] = [
  {
    what: 'an id twice',
    kind: 'users',
    change: push('users', { email: 'x@example.com' }),
    line: 3,
    column: 'id',
    reason: 'double_id',
  },
  {
    what: 'an address twice, whatever its case',
    kind: 'users',
    change: push('users', { id: 77, email: 'BUYER-1000@example.com' }),
    line: 3,
    column: 'email',
    reason: 'double',
  },
  {
    what: 'a license key twice',
    kind: 'licenses',
    change: push('licenses', { id: 77 }),
    line: 3,
    column: 'secret_key',
    reason: 'double',
  },
  {
    what: 'a public key twice',
    kind: 'installs',
    change: push('installs', { id: 77, uid: 'x' }),
    line: 3,
    column: 'public_key',
    reason: 'double',
  },
  {
    what: 'a payment that says less taken back than its refunds took',
    kind: 'payments',
    change: (f) => {
      const refund = {
        type: 'refund',
        gross: -1_000,
        gateway_fee: 0,
        external_id: 're',
        bound_payment_id: 1_000,
      }
      push('payments', { ...refund, id: 77 })(f)
    },
    column: 'refunded_gross',
    reason: 'too_small',
  },
  {
    what: 'two subscriptions that renew one license',
    kind: 'subscriptions',
    change: push('subscriptions', { id: 77, external_id: null }),
    line: 3,
    column: 'license_id',
    reason: 'double',
  },
  {
    what: 'a price twice, of unlimited licenses',
    kind: 'pricing',
    change: push('pricing', { id: 77 }, 2),
    line: 5,
    column: 'plan_id',
    reason: 'double',
  },
  {
    what: 'a feature that a plan has twice',
    kind: 'feature_values',
    change: push('feature_values', {}),
    line: 6,
    column: 'plan_id',
    reason: 'double_id',
  },
  {
    what: 'two coupons with one purpose',
    kind: 'special_coupons',
    change: push('special_coupons', { id: 77 }),
    line: 3,
    column: 'type',
    reason: 'double',
  },
]

/** What is said of rows that are not there, or are already. */
const besideOthers = (places: () => Places): readonly BadCase[] => [
  one('licenses', { user_id: 99 }, 'unknown_reference', 'a user who is not there'),
  one('licenses', { parent_license_id: 99 }, 'unknown_reference', 'a parent that is not there'),
  one('licenses', { plan_id: OTHER_PLAN }, 'other_product', 'a plan of another product'),
  one('feature_values', { plan_id: OTHER_PLAN }, 'other_product', 'what a plan of another product has'),
  one('special_coupons', { coupon_id: 99 }, 'unknown_reference', 'a purpose of a coupon that is not there'),
  {
    what: 'a license of another product',
    kind: 'subscriptions',
    change: set('subscriptions', { product_id: OTHER_PRODUCT, plan_id: OTHER_PLAN, pricing_id: null }),
    column: 'license_id',
    reason: 'other_product',
  },
  {
    what: 'a product of another account',
    kind: 'plans',
    change: (f) => set('plans', { product_id: places().foreignProduct })(f),
    column: 'product_id',
    reason: 'foreign_reference',
  },
  {
    what: 'an id that another account has',
    kind: 'stores',
    change: (f) => push('stores', { id: places().foreignStore, public_key: `pk_${'x'.repeat(29)}` })(f),
    line: 3,
    column: 'id',
    reason: 'id_of_another',
  },
  {
    what: 'an id that the account has for something else',
    kind: 'products',
    change: (f) =>
      push('products', { id: places().usedProduct, slug: 'x', public_key: `pk_${'y'.repeat(29)}` })(f),
    line: 4,
    column: 'id',
    reason: 'id_taken',
  },
  {
    what: 'an address that is here',
    kind: 'users',
    change: push('users', { id: 77, email: 'Here@example.com' }),
    line: 3,
    column: 'email',
    reason: 'taken',
  },
  {
    what: 'a slug that is here',
    kind: 'products',
    change: set('products', { slug: 'here' }),
    column: 'slug',
    reason: 'taken',
  },
  {
    what: 'a key that is here',
    kind: 'products',
    change: set('products', { public_key: `pk_${'p'.repeat(29)}` }),
    column: 'public_key',
    reason: 'taken',
  },
]

export const casesOf = (places: () => Places): readonly BadCase[] => [
  ...OF_A_CELL,
  ...OF_A_PLACE,
  ...OF_A_ROW,
  ...OF_ROWS,
  ...besideOthers(places),
]

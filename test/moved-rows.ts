import { createHash } from 'node:crypto'
import { idOf } from '../src/gateways/test/ids.ts'
import { TRIAL_NOTICES } from '../src/licensing/notices/notices.ts'
import type { Values } from '../src/imports/kinds/column.ts'
import { KINDS } from '../src/imports/kinds/kinds.ts'
import type { Line, Source } from '../src/imports/import-rows.ts'
import { addMonths } from '../src/lib/periods.ts'
import { toUtcTime, type UtcTime } from '../src/lib/time.ts'
import {
  BASE,
  BUNDLE,
  CREATED,
  made,
  OTHER_PLAN,
  OTHER_PRODUCT,
  PLAN,
  PRODUCT,
  SECOND_PLAN,
  type Files,
} from './moved-base.ts'
import { OFFERS, PRODUCT_SETTINGS } from './moved-offers.ts'

const of = (kind: string, n: number) =>
  createHash('sha256').update(`${kind} ${n}`).digest('base64url').slice(0, 29)
const keyPair = (kind: string, n: number) => ({
  public_key: `pk_${of(`public ${kind}`, n)}`,
  secret_key: `sk_${of(`secret ${kind}`, n)}`,
})

/** When the subscriptions are renewed: a month from now, as commands run by the clock of the machine. */
export const RENEWS_AT = `${addMonths(toUtcTime(Date.now()), 1).slice(0, 10)} 10:00:00` as UtcTime

export const licenseKeyOf = (n: number): string => `sk_${of('license', n)}`
export const uidOf = (n: number): string => createHash('sha256').update(`uid ${n}`).digest('hex').slice(0, 32)
export const installKeysOf = (n: number) => keyPair('install', n)
const userKeysOf = (n: number) => keyPair('user', n)

/**
 * What a small seller has on another server: a product, an add-on and a bundle of it with all that is offered, and `count`
 * customers of the product with all that hangs on them, whose ids begin at `first`. The first two have tried it before.
 */
export function movedRows(count = 2, first = BASE): Files {
  const numbers = Array.from({ length: count }, (_, n) => first + n)
  return { ...offered(), ...owned(numbers), ...sold(numbers), trials: numbers.slice(0, 2).map(trialOf) }
}

const REVIEW = {
  id: BASE,
  product_id: PRODUCT,
  user_id: BASE,
  rate: 90,
  text: 'Good.',
  name: 'Bo',
  ...made,
} as const

const ADD_ON = { parent_plugin_id: PRODUCT, kind: 'addon', type: 'widget', type_alias: 'saas' } as const

function offered(): Files {
  const product = (id: number, slug: string, more: object) => ({
    id,
    store_id: BASE,
    title: slug,
    slug,
    ...more,
    ...keyPair('product', id),
    ...made,
  })
  const plan = (id: number, product_id: number) => ({ id, product_id, name: 'pro', title: 'Pro', ...made })
  const { plans = [], pricing = [], coupons = [], ...rest } = structuredClone(OFFERS)
  return {
    stores: [BASE, BASE + 1].map((id) => ({
      id,
      title: `Moved ${id}`,
      url: `https://store-${id}.example.com`,
      dashboard_url: `https://store-${id}.example.com/account`,
      ...keyPair('store', id),
      ...made,
    })),
    products: [
      product(PRODUCT, 'moved', PRODUCT_SETTINGS),
      product(OTHER_PRODUCT, 'moved-too', ADD_ON),
      product(BUNDLE, 'moved-all', { type_alias: 'bundle', kind: 'bundle' }),
    ],
    plans: [plan(PLAN, PRODUCT), plan(OTHER_PLAN, OTHER_PRODUCT), ...plans],
    pricing: [
      {
        id: BASE,
        product_id: PRODUCT,
        plan_id: PLAN,
        currency: 'usd',
        licenses: 3,
        annual_price: 4999,
        ...made,
      },
      ...pricing,
    ],
    coupons: [
      {
        id: BASE,
        product_id: PRODUCT,
        store_id: null,
        code: 'SAVE',
        discount_type: 'percentage',
        discount: 10,
        start_date: CREATED,
        ...made,
      },
      ...coupons,
    ],
    ...rest,
    reviews: [{ ...REVIEW }],
  }
}

/** The first has bought what it tried on its site, the second gave up what it tried on none. */
const trialOf = (id: number, n: number) => ({
  id,
  product_id: PRODUCT,
  user_id: id,
  install_id: n === 0 ? id : null,
  uid: n === 0 ? uidOf(id) : 'checkout:1',
  plan_id: n === 0 ? PLAN : SECOND_PLAN,
  payment_id: n === 0 ? paymentIdOf(id, 0) : null,
  subscription_id: n === 0 ? id : null,
  started_at: CREATED,
  trial_ends_at: '2025-02-14 10:00:00',
  with_payment_method: n === 0,
  canceled_at: n === 0 ? null : '2025-02-03 10:00:00',
  converted_at: n === 0 ? '2025-02-02 10:00:00' : null,
  environment: 1,
  // All notices were sent.
  notice: TRIAL_NOTICES.length,
  ...made,
})

const billingOf = (id: number) => ({
  id,
  user_id: id,
  business_name: 'Buyers Ltd',
  first: 'Bo',
  last: `Buyer ${id}`,
  email: `books-${id}@example.com`,
  phone: '+44 20 7946 0000',
  website: 'https://buyers.example.com',
  tax_id: 'GB123456789',
  address_street: '1 High Street',
  address_apt: '2b',
  address_city: 'London',
  address_country: 'United Kingdom',
  address_country_code: 'GB',
  address_state: 'England',
  address_zip: 'N1 1AA',
  ...made,
})

const owned = (numbers: readonly number[]): Files => ({
  users: numbers.map((id) => ({
    id,
    email: `buyer-${id}@example.com`,
    first: 'Bo',
    last: `Buyer ${id}`,
    ...made,
  })),
  product_users: numbers.map((id) => ({
    user_id: id,
    product_id: PRODUCT,
    ...userKeysOf(id),
    gross: 9998,
    is_paying: true,
    ...made,
  })),
  billing: numbers.slice(0, 2).map(billingOf),
  licenses: numbers.map((id) => ({
    id,
    product_id: PRODUCT,
    user_id: id,
    plan_id: PLAN,
    pricing_id: BASE,
    quota: 3,
    activated: 1,
    expiration: '2099-02-01 10:00:00',
    secret_key: licenseKeyOf(id),
    ...made,
  })),
  sites: numbers.map((id) => ({ id, address: `site-${id}.example.com`, created: CREATED })),
  installs: numbers.map((id) => ({
    id,
    product_id: PRODUCT,
    user_id: id,
    site_id: id,
    uid: uidOf(id),
    version: '1.0.0',
    plan_id: PLAN,
    url: `https://site-${id}.example.com`,
    host: `site-${id}.example.com`,
    license_id: id,
    counted_as: 'production',
    is_premium: true,
    ...installKeysOf(id),
    ...made,
  })),
})

const sold = (numbers: readonly number[]): Files => ({
  payment_methods: numbers.map((id) => ({
    id,
    product_id: PRODUCT,
    user_id: id,
    gateway: 'test',
    kind: 'card',
    environment: 1,
    token: METHOD,
    brand: 'visa',
    last4: '4242',
    expiry_month: 12,
    expiry_year: 2031,
    ...made,
  })),
  subscriptions: numbers.map((id) => ({
    ...bought(id),
    external_id: `sub_${id}`,
    amount_per_cycle: 4999,
    initial_amount: 4999,
    renewal_amount: 4999,
    total_gross: 9998,
    period_anchor: RENEWS_AT,
    period_start: addMonths(RENEWS_AT, -12),
    started_at: CREATED,
    next_payment: RENEWS_AT,
    due_at: RENEWS_AT,
    // A worker would remind the buyer of a renewal that is so near, which changes the row.
    reminded_for: RENEWS_AT,
    ...made,
  })),
  payments: numbers.flatMap((id) => [0, 1].map((n) => paymentOf(id, n))),
})

/** A method of the test gateway that pays each time. */
export const METHOD = idOf(
  { kind: 'method', token: 'test_succeeds', answer: 'paid', minor: 0, currency: 'usd', isKept: true },
  'moved',
)

const bought = (id: number) => ({
  id,
  product_id: PRODUCT,
  user_id: id,
  install_id: id,
  plan_id: PLAN,
  pricing_id: BASE,
  license_id: id,
  payment_method_id: id,
  gateway: 'test',
  billing_cycle: 12,
  currency: 'usd',
  environment: 1,
})

const paymentIdOf = (id: number, n: number) => BASE + 2 * (id - BASE) + n

const paymentOf = (id: number, n: number) => ({
  ...bought(id),
  id: paymentIdOf(id, n),
  external_id: `ch_${id}_${n}`,
  subscription_id: id,
  type: 'payment',
  gross: 4999,
  tax: 0,
  gateway_fee: 175,
  is_renewal: n === 1,
  processed_at: `202${5 + n}-01-31 10:00:00`,
  created: CREATED,
  updated: null,
})

/** Rows as a source of an import. */
export const sourceOf = (files: Files, name = 'files'): Source => ({
  name,
  kinds: KINDS.filter((kind) => files[kind.name] !== undefined).map((kind) => ({
    kind,
    lines: () => partsOf(files[kind.name] ?? []),
  })),
})

async function* partsOf(rows: readonly unknown[]): AsyncGenerator<Line[]> {
  for (let at = 0; at < rows.length; at += 500) {
    yield rows.slice(at, at + 500).map((given, n) => ({ line: at + n + 1, given }))
  }
}

/** The rows of a file of JSON lines. */
export const rowsIn = (text: string): Values[] =>
  text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Values]))

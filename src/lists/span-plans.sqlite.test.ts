import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { CompiledQuery } from 'kysely'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { planOf } from '../../test/query-plan.ts'
import { fromNewest } from '../db/list-start.ts'
import type { Reader } from '../db/database.ts'
import { pageOfEvents } from '../events/log/queries.ts'
import type { UtcTime } from '../lib/time.ts'
import { pageOfInstalls } from '../licensing/installs/list-queries.ts'
import { pageOfLicenses } from '../licensing/licenses/list-queries.ts'
import { pageOfReviews } from '../catalogue/reviews/queries.ts'
import { pageOfTrials } from '../licensing/trials/queries.ts'
import { pageOfMails } from '../mail/product-mail-rows.ts'
import { pageOfUsers } from '../people/users/queries.ts'
import { pageOfCarts } from '../sales/carts/queries.ts'
import { pageOfDisputes } from '../sales/disputes/queries.ts'
import { pageOfPayments } from '../sales/payments/list-queries.ts'
import { pageOfSubscriptions } from '../sales/subscriptions/list-queries.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('span_plans')
})
after(() => app.close())

const OWNER = { developerId: 1, productId: 1, userId: null, installId: null }
const day = '2026-01-01 00:00:00' as UtcTime
const made = { from: day, to: day }
const time = { now: day, sandbox: day } as never
const ms = { from: 0, to: 1 }
const page = { count: 25, offset: 0, made } as const
const rest = {
  environment: undefined,
  emailFolded: undefined,
  userId: undefined,
  part: undefined,
  id: undefined,
}
const trials = { ...page, state: undefined, environment: undefined }
const products = { productIds: [1], equal: {} }
const start = fromNewest(0)

/** A page of a span of each list, and the index that has its rows in order. */
const pages: Readonly<Record<string, (db: Reader) => { compile(): CompiledQuery }>> = {
  events_by_time: (db) => pageOfEvents(db, OWNER, page, start),
  licenses_by_time: (db) => pageOfLicenses(db, OWNER, { ...page, filter: undefined, equal: {}, time }),
  installs_by_time: (db) => {
    const search = { filter: 'all' as const, withUninstalled: false, made, time, ...products }
    return pageOfInstalls(db, OWNER, search, { count: 25, ...start })
  },
  trials_by_created: (db) => pageOfTrials(db, OWNER, { ...trials, equal: {} }),
  product_users_by_time: (db) => pageOfUsers(db, OWNER, { ...page, filter: 'all', ...rest }),
  carts_by_time: (db) => pageOfCarts(db, OWNER, { ...page, filter: 'all', ...rest }, start),
  payments_by_time: (db) => pageOfPayments(db, OWNER, { ...page, ...products, paid: made }),
  mails_by_time: (db) => pageOfMails(db, OWNER, { ...page, made: ms, state: 'sent', environment: 0 }),
  subscriptions_by_time: (db) => pageOfSubscriptions(db, OWNER, { ...page, ...products, sort: '-id' }),
}

for (const [index, pageOf] of Object.entries(pages)) {
  test(`a page of a span reads no rows but its own: it is found in order in ${index}`, async () => {
    const { found, sorts } = await planOf(app.ctx.db, pageOf(app.ctx.db))
    assert.match(
      found,
      new RegExp(`INDEX ${index} \\(product_id=\\? AND (created|created_at|processed_at)>\\? AND \\1<\\?\\)`),
    )
    assert.doesNotMatch(found, /\(product_id=\?\)/, 'all rows of the product')
    // The rows of the page, not those of the span.
    assert.equal(sorts, 1, found)
  })
}

const installs = { filter: 'all' as const, withUninstalled: true, made, time, ...products }
const licenses = { ...page, filter: undefined, equal: {}, time }
const payments = { ...page, ...products, paid: made }
const subscriptions = { ...page, ...products, sort: '-id' as const }
const carts = { ...page, filter: 'all' as const, ...rest }
const installsOf = (db: Reader, more: object) =>
  pageOfInstalls(db, OWNER, { ...installs, ...more }, { count: 25, ...start })

/** What a list is narrowed to beside a span, and the index that is to find it. */
const few: readonly (readonly [string, (db: Reader) => { compile(): CompiledQuery }])[] = [
  ['events_of_user', (db) => pageOfEvents(db, OWNER, { ...page, user_id: 7 }, start)],
  ['events_of_license', (db) => pageOfEvents(db, OWNER, { ...page, license_id: 7 }, start)],
  ['events_of_install', (db) => pageOfEvents(db, OWNER, { ...page, install_id: 7 }, start)],
  ['events_of_sandbox', (db) => pageOfEvents(db, OWNER, { ...page, environment: 1 }, start)],
  ['licenses_of_user', (db) => pageOfLicenses(db, OWNER, { ...licenses, equal: { user_id: 7 } })],
  ['licenses_of_sandbox', (db) => pageOfLicenses(db, OWNER, { ...licenses, equal: { environment: 1 } })],
  ['installs_of_user', (db) => installsOf(db, { userId: 7 })],
  ['installs_of_license_newest', (db) => installsOf(db, { equal: { license_id: 7 } })],
  ['installs_by_host', (db) => installsOf(db, { host: 'example.com' })],
  ['installs_of_sandbox', (db) => installsOf(db, { equal: { environment: 1 } })],
  ['payments_of_user', (db) => pageOfPayments(db, OWNER, { ...payments, equal: { user_id: 7 } })],
  ['payments_of_coupon', (db) => pageOfPayments(db, OWNER, { ...payments, equal: { coupon_id: 7 } })],
  ['payments_of_sandbox', (db) => pageOfPayments(db, OWNER, { ...payments, equal: { environment: 1 } })],
  [
    'subscriptions_of_user',
    (db) => pageOfSubscriptions(db, OWNER, { ...subscriptions, equal: { user_id: 7 } }),
  ],
  [
    'subscriptions_of_sandbox',
    (db) => pageOfSubscriptions(db, OWNER, { ...subscriptions, equal: { environment: 1 } }),
  ],
  ['carts_by_email', (db) => pageOfCarts(db, OWNER, { ...carts, emailFolded: 'a@example.com' }, start)],
  ['carts_by_user_id', (db) => pageOfCarts(db, OWNER, { ...carts, userId: 7 }, start)],
  ['payments_of_type', (db) => pageOfDisputes(db, OWNER, { ...page, state: 'open', equal: {} })],
  ['reviews_of_product', (db) => pageOfReviews(db, OWNER, { ...page, filter: undefined, equal: {} })],
  ['mails_in_state', (db) => pageOfMails(db, OWNER, { ...page, made: ms, state: 'failed' })],
  [
    'mails_of_product_user',
    (db) => pageOfMails(db, OWNER, { ...page, made: ms, user_id: 7, environment: 0 }),
  ],
  ['mails_of_environment', (db) => pageOfMails(db, OWNER, { ...page, made: ms, environment: 1 })],
  ['trials_of_user', (db) => pageOfTrials(db, OWNER, { ...trials, equal: { user_id: 7 } })],
  ['trials_of_license', (db) => pageOfTrials(db, OWNER, { ...trials, equal: { license_id: 7 } })],
  ['carts_of_sandbox', (db) => pageOfCarts(db, OWNER, { ...carts, environment: 1 }, start)],
  [
    'product_users_by_email',
    (db) => pageOfUsers(db, OWNER, { ...page, filter: 'all', ...rest, emailFolded: 'a@example.com' }),
  ],
]
for (const [index, pageOf] of few) {
  test(`few rows of a span are found in ${index}, not among all of the span`, async () => {
    const { found } = await planOf(app.ctx.db, pageOf(app.ctx.db))
    assert.match(found, new RegExp(`INDEX ${index} `))
    assert.doesNotMatch(found, /_by_time/)
  })
}

/** Lists that no span narrows, of one user or license. */
const ofOne: readonly (readonly [string, string, (db: Reader) => { compile(): CompiledQuery }])[] = [
  [
    'disputes',
    'payments_of_user',
    (db) => pageOfDisputes(db, OWNER, { ...page, state: undefined, equal: { user_id: 7 } }),
  ],
  [
    'reviews',
    'reviews_of_license',
    (db) => pageOfReviews(db, OWNER, { ...page, filter: undefined, equal: { license_id: 7 } }),
  ],
  [
    'trials',
    'trials_of_user',
    (db) => pageOfTrials(db, OWNER, { ...trials, made: undefined, equal: { user_id: 7 } }),
  ],
  [
    'carts',
    'carts_by_user_id',
    (db) => pageOfCarts(db, OWNER, { ...carts, made: undefined, userId: 7 }, start),
  ],
]
for (const [list, index, pageOf] of ofOne) {
  test(`${list} of one user or license are found in ${index}, not among those of the product`, async () => {
    const { found } = await planOf(app.ctx.db, pageOf(app.ctx.db))
    assert.match(found, new RegExp(`INDEX ${index} `))
    // Its rows are then read by their ids.
    assert.doesNotMatch(found, /_of_product \(product_id=\?( AND id<\?)?\)/)
  })
}

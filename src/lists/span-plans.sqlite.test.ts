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
import { pageOfTrials } from '../licensing/trials/queries.ts'
import { pageOfUsers } from '../people/users/queries.ts'
import { pageOfCarts } from '../sales/carts/queries.ts'
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
const page = { count: 25, offset: 0, made } as const
const rest = { environment: undefined, emailFolded: undefined, part: undefined, id: undefined }
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
  trials_by_created: (db) => pageOfTrials(db, OWNER, { ...page, state: undefined, environment: undefined }),
  product_users_by_time: (db) => pageOfUsers(db, OWNER, { ...page, filter: 'all', ...rest }),
  carts_by_time: (db) => pageOfCarts(db, OWNER, { ...page, filter: 'all', ...rest }, start),
  payments_by_time: (db) => pageOfPayments(db, OWNER, { ...page, ...products, paid: made }),
  subscriptions_by_time: (db) => pageOfSubscriptions(db, OWNER, { ...page, ...products, sort: '-id' }),
}

for (const [index, pageOf] of Object.entries(pages)) {
  test(`a page of a span reads no rows but its own: it is found in order in ${index}`, async () => {
    const { found, sorts } = await planOf(app.ctx.db, pageOf(app.ctx.db))
    assert.match(
      found,
      new RegExp(`INDEX ${index} \\(product_id=\\? AND (created|processed_at)>\\? AND \\1<\\?\\)`),
    )
    assert.doesNotMatch(found, /\(product_id=\?\)/, 'all rows of the product')
    // The rows of the page, not those of the span.
    assert.equal(sorts, 1, found)
  })
}

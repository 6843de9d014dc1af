import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { stepsOf } from '../../../test/query-plan.ts'
import { businessTime } from '../../db/business-time.ts'
import { DAY } from '../../lib/time.ts'
import { pageOfUser, type UserLicenses } from './of-user-queries.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('licenses_of_user_plans')
})
after(() => app.close())

async function planOf(filter: Partial<UserLicenses>): Promise<string[]> {
  const productId = app.seller.product.id
  const owner = { developerId: 1, productId, userId: 7, installId: null }
  const query = pageOfUser(app.ctx.db, owner, {
    userId: 7,
    type: 'all',
    environment: undefined,
    only: null,
    foreign: null,
    productIds: [productId],
    time: businessTime(app.ctx.clock, [productId]),
    count: 25,
    offset: 0,
    ...filter,
  }).compile()
  const steps = await stepsOf(app.ctx.db, query)
  return steps.filter((step) => / (licenses|installs) /.test(step))
}

const INDEXES = [
  /licenses USING (COVERING )?INDEX licenses_of_user \(user_id=\? AND product_id=\?/,
  /licenses USING (COVERING )?INDEX licenses_by_key \(key_hash=\? AND product_id=\?\)/,
  /licenses USING INTEGER PRIMARY KEY \(rowid=\?\)/,
  /licenses USING (COVERING )?INDEX licenses_of_product \(product_id=\? AND id=\?/,
  /installs (EXISTS )?USING INDEX installs_of_license(_newest)? \(license_id=\?\)/,
]

const names = { ids: [1, 2], hashes: ['a', 'b'] }
const asked: [string, Partial<UserLicenses>][] = [
  ['own ones', {}],
  ['those named', { only: names }],
  ['foreign ones too', { foreign: names }],
  ['of an environment', { environment: 1 }],
  ['of a family', { productIds: [1, 2, 3] }],
  ['of a family, foreign ones too', { productIds: [1, 2, 3], foreign: names }],
]
for (const [name, filter] of asked) {
  test(`licenses of a user, ${name}: what is read is the user's, or found by id or key`, async () => {
    for (const ahead of [0, DAY]) {
      app.ctx.clock.setSandboxAhead(ahead)
      for (const type of ['all', 'active', 'expired'] as const) {
        const plan = await planOf({ ...filter, type })
        assert.ok(plan.length > 0)
        for (const detail of plan) {
          assert.ok(
            INDEXES.some((index) => index.test(detail)),
            `${type}, ${ahead}: ${detail} in ${plan.join(' | ')}`,
          )
        }
      }
    }
  })
}

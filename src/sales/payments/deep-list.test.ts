import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { paymentRow, scopeOf, sell, subscriptionRow } from '../../../test/sales.ts'
import { ROWS_OF_MARK } from '../../db/dialect.ts'
import { listStart } from '../../db/list-start.ts'
import { toUtcTime } from '../../lib/time.ts'

const ALL = ROWS_OF_MARK + 500

let app: TestApp
before(async () => {
  app = await startTestApp('payments_deep')
  const { bought } = await sell(app)
  const now = app.ctx.clock.real()
  const more = { product_id: app.seller.product.id, created: toUtcTime(now), updated: null }
  const none = { outstanding_balance: 0, failed_payments: 0, total_gross: 0, due_at: null }
  const idle = {
    canceled_at: null,
    started_at: toUtcTime(now),
    reminded_for: null,
    attempt: 0,
    lease_until: 0,
    fence: 0,
  }
  const rows = <T>(row: () => T) => Array.from({ length: 250 }, row)
  for (let done = 0; done < ALL; done += 250) {
    await app.write(async ({ db }) => {
      const payment = () => ({ ...paymentRow(bought, now), ...more, refunded_gross: 0, refunded_tax: 0 })
      await db.insertInto('payments').values(rows(payment)).execute()
      const free = { ...bought, licenseId: null }
      const subscription = () => ({ ...subscriptionRow(free, now), ...more, ...none, ...idle })
      await db.insertInto('subscriptions').values(rows(subscription)).execute()
    })
  }
})
after(() => app.close())

for (const list of ['payments', 'subscriptions'] as const) {
  test(`a page deep in the ${list} of a product is where a walk over all ends`, async () => {
    const found = await app.ctx.db.selectFrom(list).select('id').orderBy('id', 'desc').execute()
    const ids = found.map(({ id }) => String(id))
    assert.equal(ids.length, ALL + 1)
    for (const offset of [0, ROWS_OF_MARK - 1, ROWS_OF_MARK, ROWS_OF_MARK + 7, ids.length - 2, ids.length]) {
      const path = `/products/${app.seller.product.id}/${list}.json?count=5&offset=${offset}&fields=id`
      const { json } = await app.call('GET', path)
      assert.deepEqual(
        json[list].map(({ id }: { id: string }) => id),
        ids.slice(offset, offset + 5),
        `offset ${offset}`,
      )
    }
  })

  test(`on SQLite the ${list} of one mark at most are left to skip`, async () => {
    const { offset } = await listStart(app.ctx.db, list, scopeOf(app), { offset: ROWS_OF_MARK + 100 })
    assert.equal(offset < ROWS_OF_MARK, app.ctx.database.engine === 'sqlite', String(offset))
  })
}

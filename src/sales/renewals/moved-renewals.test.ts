import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { renewAt, subscribed } from '../../../test/subscriptions.ts'
import { addMonths } from '../../lib/periods.ts'
import { DAY, fromUtcTime, toUtcTime } from '../../lib/time.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('moved_renewals')
})
after(() => app.close())

type Sold = Awaited<ReturnType<typeof subscribed>>

const rowOf = ({ subscription: { id } }: Sold) =>
  app.ctx.db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

const path = (rest: string) => `/products/${app.seller.product.id}${rest}`

const WAYS = {
  'its next payment is moved': ({ licenseId, next }: Sold) =>
    app.call('PUT', path(`/licenses/${licenseId}.json`), {
      body: { expiration: toUtcTime(fromUtcTime(next) + 40 * DAY), update_subscription_renewal_date: true },
    }),
  'it was paid elsewhere': ({ subscription: { id }, next }: Sold) =>
    app.call('POST', path(`/subscriptions/${id}/payments.json`), {
      body: { next_payment: addMonths(next, 1), gross: 10, is_extend_license: true },
    }),
}

for (const [way, pay] of Object.entries(WAYS)) {
  test(`three attempts that failed do not count for the next period when ${way}, and nothing is owed`, async () => {
    const one = await subscribed(app, { token: 'test_renewal_declined' })
    for (let attempt = 0; attempt < 3; attempt++) await renewAt(app, (await rowOf(one)).due_at ?? one.next)
    const before = await rowOf(one)
    assert.deepEqual([before.attempt, before.failed_payments, before.outstanding_balance], [3, 3, 1_200])
    const paid = await pay(one)
    assert.equal(paid.status, 200, paid.text)
    const moved = await rowOf(one)
    assert.deepEqual([moved.attempt, moved.failed_payments, moved.outstanding_balance], [0, 0, 0])
    assert.ok(moved.next_payment && moved.next_payment > (before.due_at ?? ''))
    await renewAt(app, moved.next_payment)
    const failed = await rowOf(one)
    assert.deepEqual([failed.attempt, failed.failed_payments, failed.canceled_at], [1, 1, null])
    const { is_cancelled: isCancelled } = await app.ctx.db
      .selectFrom('licenses')
      .select('is_cancelled')
      .where('id', '=', one.licenseId)
      .executeTakeFirstOrThrow()
    assert.equal(isCancelled, false)
    await app.write(({ db }) => db.updateTable('subscriptions').set({ due_at: null }).execute())
  })
}

test('a next payment that is moved to where it is leaves its failed attempts and what is owed as they were', async () => {
  const one = await subscribed(app, { token: 'test_renewal_declined' })
  await renewAt(app, one.next)
  const before = await rowOf(one)
  assert.deepEqual([before.attempt, before.next_payment], [1, one.next])
  const moved = await app.call('PUT', path(`/licenses/${one.licenseId}.json`), {
    body: { expiration: toUtcTime(fromUtcTime(one.next) + DAY), update_subscription_renewal_date: true },
  })
  assert.equal(moved.status, 200, moved.text)
  assert.deepEqual(await rowOf(one), before)
})

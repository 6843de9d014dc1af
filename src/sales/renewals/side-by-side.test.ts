import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../../test/app.ts'
import { poison } from '../../../test/poison.ts'
import { renewAt, subscribed } from '../../../test/subscriptions.ts'
import { checkLedger } from '../ledger/check-ledger.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('renew_side_by_side')
  app.ctx.clock.set(START)
})
after(() => app.close())

test('renewals that fall due at once end as each of them would alone', async () => {
  const tokens = ['test_succeeds', 'test_renewal_declined', null] as const
  const sold = []
  for (let n = 0; n < 21; n++)
    sold.push(await subscribed(app, { token: tokens[n % 7] ?? (n % 7 === 2 ? null : 'test_succeeds') }))
  const [buyer] = sold
  assert.ok(buyer)
  const { db } = app.ctx
  const broken = sold[5]
  assert.ok(broken)
  const mend = await poison(app, 'licenses', broken.licenseId)
  await renewAt(app, buyer.next)
  await mend()

  const rows = await db.selectFrom('subscriptions').selectAll().orderBy('id').execute()
  const states = rows.map(({ total_gross: total, failed_payments: failed, next_payment: next }) =>
    [total, failed, next?.slice(0, 10)].join(' '),
  )
  const expected = sold.map((_, n) => {
    if (n === 5) return '0 0 2026-02-28'
    return n % 7 === 1 || n % 7 === 2 ? '0 1 2026-02-28' : '1200 0 2026-03-31'
  })
  assert.deepEqual(states, expected)

  const paid = await db.selectFrom('payments').selectAll().orderBy('id').execute()
  assert.equal(paid.length, 14)
  assert.equal(new Set(paid.map(({ subscription_id: id }) => id)).size, 14)
  for (const { id, subscription_id: of, license_id: license } of paid) {
    const charge = await db.selectFrom('charges').selectAll().where('outcome_id', '=', id).execute()
    assert.deepEqual(
      charge.map(({ subscription_id, state }) => [subscription_id, state]),
      [[of, 'settled']],
    )
    const told = await db
      .selectFrom('events')
      .select('type')
      .where('data', 'like', `%"license_id":"${license}"%`)
      .where('type', 'not in', ['license.created', 'subscription.created'])
      .orderBy('id')
      .execute()
    assert.deepEqual(
      told.map(({ type }) => type),
      ['payment.created', 'license.extended'],
    )
  }
  const numbers = await db.selectFrom('invoices').select('number').orderBy('number').execute()
  assert.deepEqual(
    numbers.map(({ number }) => number),
    paid.map((_, n) => n + 1),
  )
  const renewed = await db.selectFrom('mails').select('id').where('kind', '=', 'renewed').execute()
  assert.equal(renewed.length, 14)
  const { faults, currencies } = await checkLedger(app.ctx)
  assert.deepEqual(faults, [])
  assert.deepEqual(
    currencies.map(({ sum: left }) => left),
    currencies.map(() => 0),
  )
})

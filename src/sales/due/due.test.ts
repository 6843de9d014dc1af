import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { productScope, visit } from '../../../test/carts.ts'
import { createOffer } from '../../../test/catalogue.ts'
import { sell } from '../../../test/sales.ts'
import { advanceTo, sandboxLicense, timelineOf } from '../../../test/sandbox.ts'
import { fromUtcTime, SECOND, toUtcTime, type UtcTime } from '../../lib/time.ts'
import type { Due } from './schema.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('due')
  const offer = await app.write((tx) => createOffer(tx, productScope(app), 'sandboxed'))
  await sandboxLicense(app, offer, { email: 'a@example.com', ends: '2026-03-31 00:00:00' })
  await visit(app, { environment: 1, email: 'left@example.com', plan_id: offer.planId })
  // What is live, and what is of another product, waits elsewhere.
  await sell(app, {})
  const other = await app.write((tx) =>
    createOffer(tx, { ...productScope(app), productId: app.seller.other.id }, 'other'),
  )
  await sandboxLicense(app, other, {
    email: 'b@example.com',
    ends: '2026-03-31 00:00:00',
    product: app.seller.other,
  })
})
after(() => app.close())

async function dueOf(query = ''): Promise<Due[]> {
  const { status, json } = await app.call(
    'GET',
    `/products/${app.seller.product.id}/sandbox/due.json${query}`,
  )
  assert.equal(status, 200)
  return json.due
}

test('what falls due next in a sandbox is told soonest first, and is what the clock then meets', async () => {
  const seen: string[] = []
  for (let steps = 0; steps < 8; steps++) {
    const [next] = await dueOf()
    if (!next) break
    seen.push(`${next.at} ${next.what}`)
    const before = await timelineOf(app)
    // To the second before it nothing happens; at it something does.
    const moment = fromUtcTime(next.at as UtcTime)
    if (moment - SECOND > app.ctx.clock.of(app.seller.product.id, 1)) {
      await advanceTo(app, toUtcTime(moment - SECOND))
      assert.equal((await timelineOf(app)).length, before.length, next.at)
    }
    await advanceTo(app, toUtcTime(moment + 2 * SECOND))
    assert.ok((await timelineOf(app)).length > before.length, `${next.at} ${next.what}`)
  }
  assert.deepEqual(seen, [
    '2026-01-31 11:00:00 cart_recovery',
    '2026-02-01 10:00:00 cart_recovery',
    '2026-02-04 10:00:00 cart_recovery',
    '2026-03-01 00:00:00 license_reminder',
    '2026-03-24 00:00:00 license_reminder',
    '2026-03-29 00:00:00 license_reminder',
    '2026-03-31 00:00:00 license_end',
    '2026-04-01 00:00:00 license_end_notice',
  ])
  assert.deepEqual(await dueOf(), [])
})

test('a renewal is told with its reminder before it, no more than are asked for', async () => {
  const place = { environment: 1 } as const
  const { subscription, owner } = await sell(app, { payment: place, subscription: place })
  const now = app.ctx.clock.of(app.seller.product.id, 1)
  await app.write(({ db }) =>
    db
      .updateTable('subscriptions')
      .set({
        due_at: toUtcTime(now + 40 * 24 * 3600 * SECOND),
        next_payment: toUtcTime(now + 40 * 24 * 3600 * SECOND),
      })
      .where('id', '=', Number(subscription.id))
      .execute(),
  )
  const due = (await dueOf('?count=50')).filter(({ kind }) => kind === 'subscription')
  const of = { kind: 'subscription', id: String(subscription.id), user_id: String(owner.id) }
  assert.deepEqual(due, [
    { at: toUtcTime(now + 10 * 24 * 3600 * SECOND), what: 'renewal_reminder', ...of },
    { at: toUtcTime(now + 40 * 24 * 3600 * SECOND), what: 'renewal', ...of },
  ])
  assert.equal((await dueOf('?count=1')).length, 1)
})

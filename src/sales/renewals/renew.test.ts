import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../../test/app.ts'
import { anotherProcess, dyingProcess } from '../../../test/dying.ts'
import { kindsOf, mailsTo } from '../../../test/mails.ts'
import { renewAt, subscribed } from '../../../test/subscriptions.ts'
import type { Gateway } from '../../gateways/gateway.ts'
import { DAY, fromUtcTime, HOUR, MINUTE, toUtcTime, type UtcTime } from '../../lib/time.ts'
import { endSubscription } from '../subscriptions/start-subscription.ts'
import { makeSpecial } from '../coupons/special.ts'
import { discountRenewals } from '../subscriptions/discount-renewals.ts'
import { systemScope } from '../../access/scope.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('renew')
})
beforeEach(() => app.ctx.clock.set(START))
after(() => app.close())

type Sold = Awaited<ReturnType<typeof subscribed>>

const rowOf = ({ subscription }: Sold) =>
  app.ctx.db
    .selectFrom('subscriptions')
    .selectAll()
    .where('id', '=', subscription.id)
    .executeTakeFirstOrThrow()
const licenseOf = ({ licenseId }: Sold) =>
  app.ctx.db.selectFrom('licenses').selectAll().where('id', '=', licenseId).executeTakeFirstOrThrow()
const paymentsOf = ({ subscription }: Sold) =>
  app.ctx.db
    .selectFrom('payments')
    .selectAll()
    .where('subscription_id', '=', subscription.id)
    .orderBy('id')
    .execute()
const chargesOf = ({ subscription }: Sold) =>
  app.ctx.db
    .selectFrom('charges')
    .selectAll()
    .where('subscription_id', '=', subscription.id)
    .orderBy('id')
    .execute()

async function eventsOf({ licenseId }: Sold): Promise<string[]> {
  const rows = await app.ctx.db
    .selectFrom('events')
    .select('type')
    .where('data', 'like', `%"license_id":"${licenseId}"%`)
    .where('type', 'not in', ['license.created', 'subscription.created'])
    .orderBy('id')
    .execute()
  return rows.map(({ type }) => type)
}

const plus = (time: UtcTime, ms: number) => toUtcTime(fromUtcTime(time) + ms)

test('a renewal is charged at the end of the paid period, and the license lives a day longer than the next', async () => {
  const sold = await subscribed(app)
  await renewAt(app, plus(sold.next, -1000))
  assert.deepEqual(await paymentsOf(sold), [])
  await renewAt(app, sold.next)
  const [payment, ...others] = await paymentsOf(sold)
  assert.deepEqual(others, [])
  const { gross, tax, is_renewal, gateway, processed_at } = payment ?? {}
  assert.deepEqual(
    [gross, tax, is_renewal, gateway, processed_at],
    [1_000, 200, true, 'test', '2026-02-28 10:00:00'],
  )
  const { next_payment, due_at, period_start, total_gross } = await rowOf(sold)
  assert.deepEqual(
    [period_start, next_payment, due_at, total_gross],
    ['2026-02-28 10:00:00', '2026-03-31 10:00:00', '2026-03-31 10:00:00', 1_200],
  )
  assert.equal((await licenseOf(sold)).expiration, '2026-04-01 10:00:00')
  assert.deepEqual(await eventsOf(sold), ['payment.created', 'license.extended'])
  const mails = await mailsTo(app, sold.email)
  assert.equal(kindsOf(mails), 'confirm_email renewed')
  assert.match(mails[1]?.text ?? '', /until 2026-03-31[^]*^Invoice: \S+$[^]*^Total: 12\.00 USD$/m)
  const postings = await app.ctx.db.selectFrom('postings').select('amount').execute()
  assert.equal(
    postings.reduce((sum, { amount }) => sum + amount, 0),
    0,
  )
})

test('monthly periods keep the day they began on over two years, each charged once', async () => {
  const sold = await subscribed(app)
  const ends: (string | null)[] = []
  for (let month = 0; month < 24; month++) {
    const { next_payment: next } = await rowOf(sold)
    ends.push(next?.slice(0, 10) ?? null)
    if (next) await renewAt(app, next)
  }
  assert.deepEqual(ends.slice(0, 4), ['2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31'])
  assert.equal(ends.at(-1), '2028-01-31')
  assert.equal((await paymentsOf(sold)).length, 24)
})

test('a renewal is tried at +0, +1, +4 and +9 days; the fourth failure ends subscription and license', async () => {
  const sold = await subscribed(app, { token: 'test_renewal_declined' })
  const attempts = [0, 1, 4, 9].map((days) => plus(sold.next, days * DAY))
  for (const [n, time] of attempts.entries()) {
    await renewAt(app, plus(time, -1000))
    assert.equal((await rowOf(sold)).failed_payments, n, `before ${time}`)
    await renewAt(app, time)
    const { failed_payments: failed, outstanding_balance: owed } = await rowOf(sold)
    assert.deepEqual([failed, owed], [n + 1, 1_200])
  }
  await renewAt(app, plus(sold.next, 100 * DAY))
  const { canceled_at, next_payment, due_at } = await rowOf(sold)
  assert.deepEqual([canceled_at, next_payment, due_at], [attempts.at(-1), null, null])
  assert.equal((await licenseOf(sold)).is_cancelled, true)
  assert.deepEqual(await paymentsOf(sold), [])
  const failed = ['subscription.renewal.failed', 'subscription.renewal.failed_email.sent']
  const again = ['subscription.renewal.retry', ...failed]
  assert.deepEqual(await eventsOf(sold), [
    ...failed,
    ...again,
    ...again,
    'subscription.renewal.retry',
    'subscription.renewal.failed',
    'subscription.renewal.failed.last',
    'subscription.cancelled',
    'license.cancelled',
  ])
  const mails = await mailsTo(app, sold.email)
  assert.equal(kindsOf(mails), `confirm_email ${'renewal_failed '.repeat(3)}renewal_cancelled`)
  assert.equal(new Set(mails.map(({ subject }) => subject)).size, 5, 'each step says what comes next')
  assert.deepEqual(
    (await chargesOf(sold)).map(({ key, state }) => [key.split(':').slice(2).join(':'), state]),
    [1, 2, 3, 4].map((attempt) => [`20260228100000:${attempt}`, 'declined']),
  )
})

test('a renewal that is paid late owes nothing more, and its period keeps its day', async () => {
  const sold = await subscribed(app, { token: 'test_renewal_attempt_3' })
  for (const days of [0, 1, 4]) await renewAt(app, plus(sold.next, days * DAY))
  const { failed_payments, outstanding_balance, next_payment, attempt } = await rowOf(sold)
  assert.deepEqual(
    [failed_payments, outstanding_balance, next_payment, attempt],
    [0, 0, '2026-03-31 10:00:00', 0],
  )
  assert.equal((await paymentsOf(sold)).length, 1)
})

test('who has no method of payment cannot pay; who pays elsewhere is not asked to', async () => {
  const [sold, elsewhere] = [
    await subscribed(app, { token: null }),
    await subscribed(app, { token: null, more: { source: 3 } }),
  ]
  await renewAt(app, sold.next)
  assert.equal((await rowOf(sold)).failed_payments, 1)
  const { failed_payments, due_at, canceled_at } = await rowOf(elsewhere)
  assert.deepEqual([failed_payments, due_at, canceled_at], [0, null, null])
})

test('nothing is charged for what costs nothing', async () => {
  const sold = await subscribed(app, { more: { renewals_discount: 10_000 } })
  await renewAt(app, sold.next)
  const [payment] = await paymentsOf(sold)
  assert.deepEqual([payment?.gross, payment?.tax, payment?.gateway], [0, 0, null])
  assert.deepEqual(await chargesOf(sold), [])
  assert.equal((await rowOf(sold)).next_payment, '2026-03-31 10:00:00')
})

test('a discount of renewals is taken off, rounded half up, before the tax', async () => {
  const sold = await subscribed(app, { more: { amount_per_cycle: 1_999, renewals_discount: 1_550 } })
  await renewAt(app, sold.next)
  const [payment] = await paymentsOf(sold)
  assert.deepEqual([payment?.gross, payment?.tax], [1_689, 338])
})

test('a renewal is taxed as on its own day, whatever the rate was before', async () => {
  const sold = await subscribed(app, { more: { country_code: 'FR', tax_rate: 0 } })
  await app.ctx.database.transaction((db) =>
    db
      .insertInto('tax_settings')
      .values({
        developer_id: app.seller.developer.id,
        country: 'DE',
        registrations: 'DE,EU',
        is_format_enough: false,
        legal_name: 'Seller',
        address: 'Street 1',
        vat_id: '',
        created: toUtcTime(START),
        updated: null,
      })
      .execute(),
  )
  await renewAt(app, sold.next)
  const [payment] = await paymentsOf(sold)
  assert.deepEqual([payment?.gross, payment?.tax, payment?.tax_rule], [1_000, 200, 'destination'])
  assert.equal((await rowOf(sold)).tax_rate, 200_000)
})

test('the coupon against cancelling is off the next renewal only, unless it is for all of them', async () => {
  const sold = await subscribed(app)
  const scope = systemScope({ developerId: app.seller.developer.id, productId: app.seller.product.id })
  const { json: coupon } = await app.call('POST', `/products/${app.seller.product.id}/coupons.json`, {
    body: { code: 'STAY', discount: 30, discount_type: 'percentage' },
  })
  await app.write(async (tx) => {
    await makeSpecial(tx, scope, { coupon_id: Number(coupon.id), special_id: 'subscription_cancellation' })
    await discountRenewals(tx, scope, sold.subscription.id, Number(coupon.id))
  })
  for (const end of [sold.next, '2026-03-31 10:00:00' as UtcTime]) await renewAt(app, end)
  assert.deepEqual(
    (await paymentsOf(sold)).map(({ gross }) => gross),
    [700, 1_000],
  )
  assert.equal((await rowOf(sold)).renewal_amount, 1_000)
})

test('a gateway that does not answer changes nothing; the same charge is made again later', async () => {
  const sold = await subscribed(app, { token: 'test_renewal_unreachable' })
  await renewAt(app, sold.next)
  const { failed_payments, attempt, next_payment } = await rowOf(sold)
  assert.deepEqual([failed_payments, attempt, next_payment], [0, 0, sold.next])
  const keys: string[] = []
  const later = { ...app.ctx, gateways: [answering((key) => keys.push(key))] }
  await renewAt(app, plus(sold.next, 5 * MINUTE), later)
  assert.deepEqual(keys, [])
  await renewAt(app, plus(sold.next, HOUR), later)
  const [charge] = await chargesOf(sold)
  assert.deepEqual(keys, [charge?.key])
  assert.equal((await paymentsOf(sold)).length, 1)
})

/** A gateway that pays whatever it is asked to, and says what that was. */
function answering(heard: (key: string) => unknown): Gateway {
  const test = app.ctx.gateways.find(({ code }) => code === 'test')
  if (!test) throw new Error('There is a test gateway.')
  return {
    ...test,
    async chargeStored({ key }) {
      await heard(key)
      return { outcome: 'paid', externalId: `paid_${key}`, fee: 30, method: null }
    },
  }
}

test('of two processes that renew at once one charges each subscription, and none charges twice', async () => {
  const all: Sold[] = []
  for (let count = 0; count < 8; count++) all.push(await subscribed(app))
  const other = anotherProcess(app)
  const next = all[0]?.next ?? toUtcTime(START)
  try {
    await Promise.all([
      renewAt(app, next),
      renewAt(app, next, other.ctx),
      renewAt(app, next),
      renewAt(app, next, other.ctx),
    ])
  } finally {
    await other.close()
  }
  for (const sold of all) assert.equal((await paymentsOf(sold)).length, 1)
})

test('R04: a process that ends before any statement of a renewal leaves it to be charged once', async () => {
  let isWhole = false
  for (let n = 1; !isWhole; n++) {
    app.ctx.clock.set(START)
    const sold = await subscribed(app)
    const keys: string[] = []
    const gateways = [answering((key) => keys.push(key))]
    const dying = dyingProcess(app, n)
    try {
      await renewAt(app, sold.next, { ...dying.ctx, gateways }).catch(() => {})
      isWhole = !dying.isDead()
    } finally {
      await dying.close()
    }
    await renewAt(app, plus(sold.next, HOUR), { ...app.ctx, gateways })
    assert.equal(new Set(keys).size, 1, `cut before statement ${n}: ${keys.join(', ')}`)
    assert.equal((await paymentsOf(sold)).length, 1, `cut before statement ${n}`)
    assert.equal((await rowOf(sold)).next_payment, '2026-03-31 10:00:00')
    assert.equal((await licenseOf(sold)).expiration, '2026-04-01 10:00:00')
  }
})

test('what is cancelled while it is charged keeps what it paid, and is renewed no more', async () => {
  const sold = await subscribed(app)
  const scope = systemScope({ developerId: app.seller.developer.id, productId: app.seller.product.id })
  const cancel = () => app.write((tx) => endSubscription(tx, scope, sold.subscription))
  await renewAt(app, sold.next, { ...app.ctx, gateways: [answering(cancel)] })
  assert.equal((await paymentsOf(sold)).length, 1)
  const { next_payment, canceled_at, due_at } = await rowOf(sold)
  assert.deepEqual([next_payment, due_at], [null, null])
  assert.notEqual(canceled_at, null)
  assert.equal((await licenseOf(sold)).expiration, '2026-04-01 10:00:00')
})

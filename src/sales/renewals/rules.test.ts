import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { START, startTestApp, type TestApp } from '../../../test/app.ts'
import { expectOk } from '../../../test/installs.ts'
import { changeShop, type ChangeShop } from '../../../test/license-changes.ts'
import { userOf } from '../../../test/licenses.ts'
import { mailsTo } from '../../../test/mails.ts'
import { ledgerFaults } from '../../../test/sales.ts'
import { timelineOf } from '../../../test/sandbox.ts'
import { asDeveloper, type CallAs } from '../../../test/callers.ts'
import { renewAt } from '../../../test/subscriptions.ts'
import type { Gateway } from '../../gateways/gateway.ts'
import { settleRefunds } from '../refunds/settle-refunds-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { DAY, HOUR, toUtcTime } from '../../lib/time.ts'
import { createLog } from '../../log.ts'

let app: TestApp
let shop: ChangeShop
let developer: CallAs
before(async () => {
  app = await startTestApp('renewal_rules')
  shop = await changeShop(app)
  developer = await asDeveloper(app)
})
beforeEach(() => app.ctx.clock.set(START))
after(() => app.close())

const MONTHLY = { billing_cycle: 'monthly' }
const UPDATE = { is_payment_method_update: true }
const FIRST_END = Date.UTC(2026, 1, 28, 10)

/** Some time after the end of the first period. */
const pastEnd = (ms: number) => toUtcTime(FIRST_END + ms)

async function updateMethod(licenseId: string): Promise<void> {
  const { json: session } = await shop.openFor(licenseId, UPDATE, UPDATE)
  const { json: paid, text } = await shop.pay(session.id)
  assert.equal(paid.state, 'paid', text)
}

const chargesOf = (subscriptionId: number) =>
  app.ctx.db
    .selectFrom('charges')
    .select(['purpose', 'state', 'amount'])
    .where('subscription_id', '=', subscriptionId)
    .orderBy('id')
    .execute()

/** The test gateway, before which something else happens while it charges. */
function meanwhile(work: () => Promise<unknown>): readonly Gateway[] {
  const [inner] = app.ctx.gateways
  if (!inner) throw new Error('There is a test gateway.')
  return [
    {
      ...inner,
      async chargeStored(request) {
        await work()
        return inner.chargeStored(request)
      },
    },
  ]
}

let people = 0

/** A purchase of a month that is brought along into the sandbox. */
async function brought(given: object) {
  const key = `edd-key-${++people}`
  const userId = await userOf(app, `${key}@example.com`)
  const plan = await shop.get(`/plans/${shop.plans.basic}/pricing.json`)
  const place = `/users/${userId}/plans/${shop.plans.basic}/pricing/${plan.pricing[0].id}.json`
  const body = { is_migration: true, source: 'EDD', license_key: key, billing_cycle: 1, gross: 10 }
  const { json } = expectOk(await app.call('POST', `${shop.base}${place}`, { body: { ...body, ...given } }))
  await app.ctx.database.transaction(async (db) => {
    const [id, licenseId] = [Number(json.id), Number(json.license_id)]
    await db.updateTable('subscriptions').set({ environment: 1 }).where('id', '=', id).execute()
    await db.updateTable('licenses').set({ environment: 1 }).where('id', '=', licenseId).execute()
  })
  return json.license_id as string
}

test('what was brought along and is charged here since is charged once each period from its next payment on', async () => {
  const licenseId = await brought({
    processed_at: '2026-01-15 08:00:00',
    next_payment: '2026-02-20 00:00:00',
  })
  await updateMethod(licenseId)
  await renewAt(app, toUtcTime(Date.UTC(2026, 1, 20)))
  assert.equal((await shop.subscriptionOf(licenseId)).next_payment, '2026-03-20 00:00:00')
  await renewAt(app, toUtcTime(Date.UTC(2026, 2, 19, 23)))
  assert.equal((await shop.paymentsOf(licenseId)).length, 1)
  await renewAt(app, toUtcTime(Date.UTC(2026, 2, 20)))
  assert.equal((await shop.paymentsOf(licenseId)).length, 2)
})

/** Renews for the first time what is cancelled or erased while the gateway charges for it. */
async function renewEnding(query: string) {
  app.ctx.clock.set(START)
  const bought = await shop.buy(MONTHLY)
  const end = () => app.call('DELETE', `${shop.base}/licenses/${bought.id}.json${query}`)
  const gateways = meanwhile(async () => assert.ok((await end()).status < 300))
  await renewAt(app, pastEnd(0), { ...app.ctx, gateways })
  return bought.purchase.id as string
}

test('what a renewal paid for a license that was cancelled or erased meanwhile is given back', async () => {
  const ids = [await renewEnding(''), await renewEnding('?delete=true')]
  app.ctx.clock.advance(HOUR)
  await runDue(app.ctx, [settleRefunds])
  for (const id of ids) {
    const charges = (await chargesOf(Number(id))).filter(({ purpose }) => purpose !== 'purchase')
    assert.deepEqual(charges, [
      { purpose: 'renewal', state: 'settled', amount: 1_000 },
      { purpose: 'refund', state: 'settled', amount: 1_000 },
    ])
    const { payments } = await shop.get(`/subscriptions/${id}/payments.json`)
    assert.deepEqual(payments.map(({ gross }: { gross: number }) => gross).toSorted(), [-10, 10, 10])
    const { total_gross, next_payment, canceled_at } = await shop.get(`/subscriptions/${id}.json`)
    assert.deepEqual([total_gross, next_payment, canceled_at], [10, null, '2026-02-28 10:00:00'])
  }
  assert.deepEqual(await ledgerFaults(app), [])
})

test('a full refund that keeps the license ends what renews it, also with another method of payment', async () => {
  const bought = await shop.buy(MONTHLY)
  await updateMethod(bought.id)
  const [payment] = await shop.paymentsOf(bought.id)
  const refund = await developer('POST', `${shop.base}/payments/${payment?.id}/refunds.json`, {
    cancel_license: false,
  })
  assert.equal(refund.status, 201, refund.text)
  const active = (await shop.subscriptionsOf(bought.id)).filter(({ canceled_at: at }) => at === null)
  assert.deepEqual(active, [])
  assert.equal((await shop.licenseOf(bought.id)).is_cancelled, false)
})

/** Of a year from 31 January that ends at the 10th of the February after it, 375 days. */
const MOVES: readonly (readonly [name: string, steps: readonly ('move' | 'method' | 'cancel')[]])[] = [
  ['as it is', ['move']],
  ['with another method of payment before', ['method', 'move']],
  ['with another method of payment since', ['move', 'method']],
  ['cancelled since', ['move', 'cancel']],
]
for (const [name, steps] of MOVES) {
  test(`of a period whose end was moved, ${name}, what is left is counted to that end`, async () => {
    const bought = await shop.buy()
    const work = {
      method: () => updateMethod(bought.id),
      cancel: () => app.call('DELETE', `${shop.base}/licenses/${bought.id}/subscription.json`),
      move: () =>
        app.call('PUT', `${shop.base}/licenses/${bought.id}.json`, {
          body: { expiration: '2027-02-11 10:00:00', update_subscription_renewal_date: true },
        }),
    }
    for (const step of steps) await work[step]()
    app.ctx.clock.set(START + 75 * DAY)
    const { json: session, text } = await shop.openFor(bought.id, { plan_id: shop.plans.pro })
    // 300 of 375 days are left: 100 × 300 / 375 = 80 is off 200.
    assert.equal(session.quote?.total, 120, text)
  })
}

test('of a period that was paid elsewhere since, what is left is counted from that payment', async () => {
  const first = { processed_at: '2026-01-01 00:00:00', next_payment: '2026-02-01 00:00:00' }
  const licenseId = await brought({ ...first, payment_external_id: 'first' })
  const { id } = await shop.subscriptionOf(licenseId)
  const second = { processed_at: '2026-02-01 00:00:00', next_payment: '2026-03-01 00:00:00', gross: 10 }
  expectOk(await app.call('POST', `${shop.base}/subscriptions/${id}/payments.json`, { body: second }))
  app.ctx.clock.set(Date.UTC(2026, 1, 8))
  const { json: session, text } = await shop.openFor(licenseId, { plan_id: shop.plans.pro })
  // 21 of 28 days are left: 10 × 21 / 28 = 7.50 is off 20.
  assert.equal(session.quote?.total, 12.5, text)
})

/** The context without a gateway, and the errors in its log. */
function withoutGateway() {
  const errors: string[] = []
  const log = createLog('error', { write: (line: string) => errors.push(JSON.parse(line).msg) })
  return { errors, ctx: { ...app.ctx, gateways: [], log } }
}

const NOT_SET_UP = 'the gateway of a renewal is not set up'

test('a renewal whose gateway is not set up is no failure: it is told in the log, and waits until it is', async () => {
  const bought = await shop.buy(MONTHLY)
  const { errors, ctx } = withoutGateway()
  for (const days of [0, 1, 4, 9]) await renewAt(app, pastEnd(days * DAY), ctx)
  const { failed_payments, outstanding_balance, canceled_at } = await shop.subscriptionOf(bought.id)
  assert.deepEqual([errors.length, new Set(errors)], [4, new Set([NOT_SET_UP])])
  assert.deepEqual([failed_payments, outstanding_balance, canceled_at], [0, 0, null])
  const kinds = (await mailsTo(app, bought.email)).map(({ kind }) => kind)
  assert.ok(!kinds.includes('renewal_failed'), kinds.join())
  await renewAt(app, pastEnd(10 * DAY))
  assert.equal((await shop.paymentsOf(bought.id)).length, 2)
})

test('a charge that was asked for is not taken as failed while its gateway is not set up, and told in the log', async () => {
  const bought = await shop.buy(MONTHLY, 'test_renewal_unreachable')
  await renewAt(app, pastEnd(0))
  const { errors, ctx } = withoutGateway()
  await renewAt(app, pastEnd(HOUR), ctx)
  assert.deepEqual([errors, (await shop.subscriptionOf(bought.id)).failed_payments], [[NOT_SET_UP], 0])
})

test('mails of renewals that failed stand in the timeline of the sandbox', async () => {
  const bought = await shop.buy(MONTHLY, 'test_renewal_declined')
  for (const days of [0, 1, 4, 9]) await renewAt(app, pastEnd(days * DAY))
  const data = { subscription_id: bought.purchase.id, license_id: bought.id }
  const told = (await timelineOf(app)).filter((one) => isDeepStrictEqual(one.data, data))
  const mailed = ['failed', 'mailed']
  assert.deepEqual(
    told.map(({ what }) => what),
    [...mailed, ...mailed, ...mailed, 'failed', 'cancelled'],
  )
  const sent = told.find(({ what }) => what === 'mailed')
  assert.deepEqual([sent?.type, sent?.at], ['subscription.renewal.failed_email.sent', '2026-02-28 10:00:00'])
})

// Runs slowly.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { START, startTestApp, type TestApp, type TestContext } from '../../../test/app.ts'
import { openSandboxCheckout } from '../../../test/checkouts.ts'
import { anotherProcess, dyingProcess } from '../../../test/dying.ts'
import { offerFor } from '../../../test/licenses.ts'
import { renewAt, subscribed, takeLivePayments } from '../../../test/subscriptions.ts'
import { transaction } from '../../context.ts'
import { GatewayUnreachable, type Gateway } from '../../gateways/gateway.ts'
import { systemScope } from '../../access/scope.ts'
import { settlePurchases } from '../checkouts/settle-purchases-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { DAY, fromUtcTime, HOUR, MINUTE, toUtcTime, type UtcTime } from '../../lib/time.ts'
import { askForPurchase } from '../checkouts/pay-checkout.ts'
import { renewDue } from '../renewals/renew.ts'
import { settleCheckout } from '../checkouts/settle-checkout.ts'

let app: TestApp
let offer: Awaited<ReturnType<typeof offerFor>>
before(async () => {
  app = await startTestApp('convert_trial')
  offer = await offerFor(app, 1, { plan: { trial_period: 14, is_require_subscription: true } })
})
after(() => app.close())

const scope = () => systemScope({ developerId: app.seller.developer.id, productId: app.seller.product.id })
let people = 0

/** A gateway that sets up and pays whatever it is asked to, and says for which keys. */
function answering(heard: (key: string) => unknown): Gateway {
  const test = app.ctx.gateways.find(({ code }) => code === 'test')
  if (!test) throw new Error('There is a test gateway.')
  return {
    ...test,
    async setUp(request) {
      await heard(request.key)
      return test.setUp(request)
    },
    async chargeStored({ key }) {
      await heard(key)
      return { outcome: 'paid', externalId: `paid_${key}`, fee: 30, method: null }
    },
  }
}

const opened = () =>
  app.write((tx) =>
    openSandboxCheckout(tx, scope(), {
      pricingId: offer.pricingId,
      email: `converts${++people}@example.com`,
      trial: 'true',
    }),
  )

/** What the request does: asks, then settles. */
async function pay(ctx: TestContext, token: string): Promise<void> {
  const asked = await askForPurchase(ctx, scope(), token, { payment_token: 'test_succeeds' })
  if (asked) await transaction(ctx, (tx) => settleCheckout(tx, asked))
}

/** A trial that has begun; its subscription. */
async function trying() {
  await pay(app.ctx, await opened())
  return latest('subscriptions')
}

const latest = (table: 'subscriptions') =>
  app.ctx.db.selectFrom(table).selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()

const plus = (time: UtcTime, ms: number) => toUtcTime(fromUtcTime(time) + ms)

/** What came of the first payment of a trial: payments, whether it is converted, and the end of its license. */
async function outcomeOf({ id, license_id: licenseId }: { id: number; license_id: number | null }) {
  const { db } = app.ctx
  const payments = await db.selectFrom('payments').select('id').where('subscription_id', '=', id).execute()
  const trial = await db
    .selectFrom('trials')
    .selectAll()
    .where('subscription_id', '=', id)
    .executeTakeFirstOrThrow()
  const license = await db
    .selectFrom('licenses')
    .selectAll()
    .where('id', '=', licenseId)
    .executeTakeFirstOrThrow()
  return { payments, trial, license }
}

const CONVERTED_LICENSE = { is_trial: false, expiration: '2027-02-15 10:00:00' }

test('R04: a process that ends before any statement of a conversion leaves it to be charged once', async () => {
  let isWhole = false
  for (let n = 1; !isWhole; n++) {
    app.ctx.clock.set(START)
    const subscription = await trying()
    const end = subscription.next_payment ?? toUtcTime(START)
    const keys: string[] = []
    const gateways = [answering((key) => keys.push(key))]
    const dying = dyingProcess(app, n)
    try {
      await renewAt(app, end, { ...dying.ctx, gateways }).catch(() => {})
      isWhole = !dying.isDead()
    } finally {
      await dying.close()
    }
    await renewAt(app, plus(end, HOUR), { ...app.ctx, gateways })
    const at = `cut before statement ${n}`
    assert.deepEqual([...new Set(keys)], [`conversion:${subscription.id}:20260214100000:1`], at)
    const { payments, trial, license } = await outcomeOf(subscription)
    assert.equal(payments.length, 1, at)
    assert.deepEqual([trial.payment_id, trial.converted_at !== null], [payments[0]?.id, true], at)
    const { is_trial, expiration } = license
    assert.deepEqual({ is_trial, expiration }, CONVERTED_LICENSE, at)
  }
})

test('R04: a process that ends after the gateway has charged for a trial finds that charge again', async () => {
  app.ctx.clock.set(START)
  const subscription = await trying()
  const end = subscription.next_payment ?? toUtcTime(START)
  const keys: string[] = []
  const gateways = [answering((key) => keys.push(key))]
  const dead = answering((key) => {
    keys.push(key)
    throw new GatewayUnreachable('The answer never came.')
  })
  await renewAt(app, end, { ...app.ctx, gateways: [dead] })
  assert.deepEqual((await outcomeOf(subscription)).payments, [])
  await renewAt(app, plus(end, HOUR), { ...app.ctx, gateways })
  assert.deepEqual([keys.length, new Set(keys).size], [2, 1])
  assert.equal((await outcomeOf(subscription)).payments.length, 1)
})

test('of two processes that convert at once one charges each trial, and none charges twice', async () => {
  app.ctx.clock.set(START)
  const all = []
  for (let count = 0; count < 4; count++) all.push(await trying())
  const end = all[0]?.next_payment ?? toUtcTime(START)
  const other = anotherProcess(app)
  try {
    await Promise.all([
      renewAt(app, end),
      renewAt(app, end, other.ctx),
      renewAt(app, end),
      renewAt(app, end, other.ctx),
    ])
  } finally {
    await other.close()
  }
  for (const one of all) assert.equal((await outcomeOf(one)).payments.length, 1)
})

test('R04: a trial that is cut before any statement of its beginning begins once, or not at all', async () => {
  let isWhole = false
  for (let n = 1; !isWhole; n++) {
    app.ctx.clock.set(START + n * DAY)
    const token = await opened()
    const row = await app.ctx.db
      .selectFrom('checkouts')
      .selectAll()
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    const keys: string[] = []
    const gateways = [answering((key) => keys.push(key))]
    const dying = dyingProcess(app, n)
    try {
      await pay({ ...dying.ctx, gateways }, token).catch(() => {})
      isWhole = !dying.isDead()
    } finally {
      await dying.close()
    }
    await reconcile(gateways)
    const after = await app.ctx.db
      .selectFrom('checkouts')
      .selectAll()
      .where('id', '=', row.id)
      .executeTakeFirstOrThrow()
    const begun = await app.ctx.db
      .selectFrom('trials')
      .innerJoin('subscriptions', 'subscriptions.id', 'trials.subscription_id')
      .innerJoin('users', 'users.id', 'trials.user_id')
      .select('trials.id')
      .where('users.email', '=', row.email)
      .execute()
    const isBegun = keys.length > 0
    assert.equal(new Set(keys).size <= 1, true, `cut before statement ${n}: ${keys.join(', ')}`)
    assert.deepEqual(
      [after.state, after.license_id !== null, after.payment_id, begun.length],
      isBegun ? ['paid', true, null, 1] : ['open', false, null, 0],
      `cut before statement ${n}`,
    )
  }
})

async function reconcile(gateways: readonly Gateway[]): Promise<void> {
  app.ctx.clock.advance(10 * MINUTE)
  await app.ctx.database.transaction((db) =>
    db
      .updateTable('jobs')
      .set({ due_at: 0, lease_until: 0 })
      .where('name', '=', 'settle-purchases')
      .execute(),
  )
  await runDue({ ...app.ctx, gateways }, [settlePurchases])
}

test('a gateway that does not answer leaves a trial to be begun by the job', async () => {
  app.ctx.clock.set(START + 400 * DAY)
  const token = await opened()
  const away = answering(() => {
    throw new GatewayUnreachable('No answer.')
  })
  await assert.rejects(pay({ ...app.ctx, gateways: [away] }, token), { code: 'gateway_unreachable' })
  await reconcile([answering(() => {})])
  const { state, trial_id: trialId } = await app.ctx.db
    .selectFrom('checkouts')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  assert.deepEqual([state, trialId === null], ['paid', false])
})

test('whoever pays while the end of its trial is charged is told to wait, so that nobody pays both', async () => {
  app.ctx.clock.set(START + 500 * DAY)
  const subscription = await trying()
  const end = subscription.next_payment ?? toUtcTime(START)
  const email = `converts${people}@example.com`
  app.ctx.clock.set(fromUtcTime(end))
  const plan = await offerFor(app, 1)
  const other = await app.write((tx) =>
    openSandboxCheckout(tx, scope(), { pricingId: plan.pricingId, email }),
  )
  const refused: unknown[] = []
  const gateways = [
    answering(async (key) => {
      if (key.startsWith(`conversion:${subscription.id}:`))
        refused.push(await pay(app.ctx, other).then(() => 'paid', codeOf))
    }),
  ]
  await renewAt(app, end, { ...app.ctx, gateways })
  assert.deepEqual(refused, ['checkout_in_progress'], 'no word of the trial to who has proven nothing')
  assert.equal((await outcomeOf(subscription)).payments.length, 1)
})

test('a trial is not charged while its buyer is charged for what it tries', async () => {
  app.ctx.clock.set(START + 600 * DAY)
  const subscription = await trying()
  const end = subscription.next_payment ?? toUtcTime(START)
  const email = `converts${people}@example.com`
  app.ctx.clock.set(fromUtcTime(end))
  const plan = await offerFor(app, 1)
  const other = await app.write((tx) =>
    openSandboxCheckout(tx, scope(), { pricingId: plan.pricingId, email }),
  )
  const test = answering(() => {})
  const charge: Gateway['charge'] = async (request) => {
    await renewAt(app, end)
    return test.charge(request)
  }
  await pay({ ...app.ctx, gateways: [{ ...test, charge }] }, other)
  await renewAt(app, plus(end, HOUR))
  const { payments, trial } = await outcomeOf(subscription)
  assert.deepEqual([payments.length, trial.converted_at !== null], [0, true])
})

test('a trial goes on where somebody types its address and pays nothing', async () => {
  app.ctx.clock.set(START + 700 * DAY)
  const { id } = await trying()
  const body = { code: 'ALLFREE', discount: 100, discount_type: 'percentage', user_type: 'all' }
  await app.call('POST', `/products/${app.seller.product.id}/coupons.json`, { body })
  const { pricingId } = await offerFor(app, 1)
  const free = { pricingId, email: `converts${people}@example.com`, coupon: body.code }
  await pay(app.ctx, await app.write((tx) => openSandboxCheckout(tx, scope(), free)))
  assert.equal((await latest('subscriptions')).pricing_id, pricingId, 'it was bought')
  const all = await app.ctx.db.selectFrom('subscriptions').select(['id', 'canceled_at']).execute()
  assert.equal(all.find((one) => one.id === id)?.canceled_at, null)
})

test('a user who tries pays nothing yet, and pays from the first payment on', async () => {
  app.ctx.clock.set(START)
  const trial_ends = '2026-02-28 10:00:00' as UtcTime
  const { userId, next } = await subscribed(app, { more: { environment: 0, trial_ends } })
  takeLivePayments(app)
  assert.equal(next, trial_ends)
  const isPaying = async () => {
    const { users } = (await app.call('GET', `/products/${app.seller.product.id}/users.json?filter=paying`))
      .json
    return users.some(({ id }: { id: string }) => id === String(userId))
  }
  assert.equal(await isPaying(), false)
  await renewDue(app.ctx, { environment: 0, now: next, limit: 10 })
  assert.equal(await isPaying(), true)
})

const codeOf = (error: unknown) => (error as { code?: string }).code

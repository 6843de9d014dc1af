import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, asStore, type CallAs } from '../../../test/callers.ts'
import { createSeller } from '../../../test/factories.ts'
import { createInstallOf } from '../../../test/installs.ts'
import { sell } from '../../../test/sales.ts'
import { advanceTo } from '../../../test/sandbox.ts'
import { asMember } from '../../../test/team.ts'
import { userOf } from '../../../test/licenses.ts'
import { systemScope } from '../../access/scope.ts'
import type { Environment } from '../../db/tables/licenses.ts'
import type { UtcTime } from '../../lib/time.ts'
import { touchCart } from '../carts/touch-cart.ts'
import { openDispute, settleDispute } from '../refunds/disputes.ts'
import type { Overview } from './schema.ts'

let app: TestApp
let call: CallAs

/** Now it is 31 January 2026, 10:00:00. */
const ENDS = ['2026-01-31 10:00:00', '2026-01-31 12:00:00', '2026-03-02 10:00:00', '2026-03-02 10:00:01']

before(async () => {
  app = await startTestApp('overview')
  const foreign = await app.write((tx) => createSeller(tx, 'another@example.com'))
  for (const environment of [0, 1] as const) {
    await fill(app, environment)
    await fill({ ...app, seller: { ...app.seller, product: app.seller.other } } as TestApp, environment)
    await fill({ ...app, seller: foreign } as TestApp, environment)
  }
  call = await asDeveloper(app)
})
after(() => app.close())

/**
 * In a product: a user whose license was bought, installed and disputed twice, of which one is won; four more licenses
 * that end around now and in 30 days, one that never does and two that are cancelled; a trial that runs and one that is
 * over; a subscription that fails, one that does not and one that is cancelled; a review that is shown and one that is
 * not; two carts, of which one is completed.
 */
async function fill(of: TestApp, environment: Environment): Promise<void> {
  const { developer, product } = of.seller
  const place = { environment }
  const sold = { product, payment: place, subscription: place }
  const first = await sell(of, sold)
  const second = await sell(of, { ...sold, owner: first.owner })
  const third = await sell(of, { ...sold, owner: first.owner })
  const install = await createInstallOf(of, first.owner, {}, product)
  const gone = await createInstallOf(of, first.owner, {}, product)
  const scope = systemScope({ developerId: developer.id, productId: product.id })
  const webhook = await app.call('POST', `/products/${product.id}/webhooks.json`, {
    token: product.token,
    body: { url: 'https://hooks.example.com' },
  })
  await app.call('POST', `/products/${product.id}/reviews.json`, {
    token: product.token,
    body: { text: 'Good', name: 'Ann', rate: 90, is_active: false },
  })
  await app.call('POST', `/products/${product.id}/reviews.json`, {
    token: product.token,
    body: { text: 'Shown', name: 'Bea', rate: 80 },
  })
  await app.write(async (tx) => {
    const { db } = tx
    const set = (table: 'licenses' | 'installs', id: string, change: object) =>
      db
        .updateTable(table)
        .set({ ...place, ...change })
        .where('id', '=', Number(id))
        .execute()
    const row = await db
      .selectFrom('licenses')
      .selectAll()
      .where('id', '=', Number(first.license.id))
      .executeTakeFirstOrThrow()
    const { id: _id, ...rest } = { ...row, ...place }
    const others = [...ENDS, null].map((expiration, n) => ({
      ...rest,
      key_hash: `${product.id} ${environment} ${n}`,
      expiration: expiration as UtcTime | null,
    }))
    await db.insertInto('licenses').values(others).execute()
    await set('licenses', first.license.id, { expiration: null })
    for (const { license } of [second, third]) await set('licenses', license.id, { is_cancelled: true })
    await set('installs', install.id, {})
    await set('installs', gone.id, { is_uninstalled: true })
    await db
      .updateTable('subscriptions')
      .set({ failed_payments: 1 })
      .where('id', '=', first.subscription.id)
      .execute()
    await db
      .updateTable('subscriptions')
      .set({ canceled_at: tx.clock.now() })
      .where('id', '=', second.subscription.id)
      .execute()
    for (const [n, notice_at] of (['2026-02-01 10:00:00' as UtcTime, null] as const).entries()) {
      await db
        .insertInto('trials')
        .values({
          product_id: product.id,
          user_id: first.owner.id,
          uid: `${environment} ${n}`,
          plan_id: first.offer.planId,
          started_at: tx.clock.now(),
          trial_ends_at: '2026-02-07 10:00:00' as UtcTime,
          with_payment_method: false,
          environment,
          notice: 0,
          notice_at,
          created: tx.clock.now(),
        })
        .execute()
    }
    await touchCart(tx, scope, { environment, visitor: null, email: 'open@example.com' })
    const done = await touchCart(tx, scope, { environment, visitor: null, email: 'done@example.com' })
    await db
      .updateTable('carts')
      .set({ status: 'completed', completed: tx.clock.now() })
      .where('id', '=', done.id)
      .execute()
    for (const { payment } of [first, second])
      await openDispute(tx, scope, { paymentId: payment.id, minor: 5999, fee: 0 })
    await settleDispute(tx, scope, { paymentId: second.payment.id, isWon: true })
    await db
      .updateTable('webhooks')
      .set({ failures: environment })
      .where('id', '=', Number(webhook.json.id))
      .execute()
  })
}

/** What `fill` makes of one environment of a product; what belongs to both is there twice. */
const OF_PRODUCT: Omit<Overview, 'environment'> = {
  users: 2,
  customers: 1,
  licenses_active: 5,
  licenses_expiring: 2,
  installs_active: 1,
  trials_running: 1,
  subscriptions_active: 2,
  subscriptions_failing: 1,
  carts_open: 1,
  webhooks_failing: 1,
  reviews_pending: 2,
  disputes_open: 1,
}
const OF_ACCOUNT = Object.fromEntries(
  Object.entries(OF_PRODUCT).map(([name, count]) => [name, (count ?? 0) * 2]),
)

const read = async (path: string, as: CallAs = call) => {
  const { status, json } = await as('GET', path)
  assert.equal(status, 200)
  return json
}

test('a product is counted, live or of its sandbox, by token, developer and store alike', async () => {
  const { id } = app.seller.product
  const callers: CallAs[] = [call, asStore(app), (method, path) => app.call(method, path)]
  for (const as of callers) {
    const path = `/products/${id}/overview.json`
    assert.deepEqual(await read(path, as), { environment: 0, ...OF_PRODUCT })
    assert.deepEqual(await read(`${path}?environment=1`, as), { environment: 1, ...OF_PRODUCT })
  }
})

test('an account is counted over all its products, a person once, and nothing of another seller', async () => {
  for (const environment of [0, 1]) {
    assert.deepEqual(await read(`/overview.json?environment=${environment}`), { environment, ...OF_ACCOUNT })
  }
  await userOf(app, 'twice@example.com')
  await userOf(app, 'twice@example.com', app.seller.other)
  assert.equal((await read('/overview.json')).users, 5)
})

test('a role is told what it may read: a developer nothing of sales', async () => {
  const developer = await read('/overview.json', await asMember(app, 'developer'))
  const hidden = ['customers', 'subscriptions_active', 'subscriptions_failing', 'disputes_open']
  for (const [name, count] of Object.entries(developer)) {
    assert.equal(count === null, hidden.includes(name), name)
  }
  for (const role of ['admin', 'support', 'accountant'] as const) {
    const counts = await read('/overview.json', await asMember(app, role))
    assert.ok(
      Object.values(counts).every((count) => count !== null),
      role,
    )
  }
})

test('what is of a sandbox is judged by its own clock', async () => {
  const path = `/products/${app.seller.product.id}/overview.json`
  await advanceTo(app, '2026-02-20 10:00:00')
  const { licenses_active: active, licenses_expiring: soon } = await read(`${path}?environment=1`)
  assert.deepEqual([active, soon], [4, 2])
  assert.equal((await read(path)).licenses_active, OF_PRODUCT.licenses_active)
})

test('an account without products has none of anything', async () => {
  const { developer, product, other } = await app.write((tx) => createSeller(tx, 'empty@example.com'))
  for (const { id } of [product, other]) {
    const moved = { developer_id: app.seller.developer.id, slug: `moved-${id}` }
    await app.write((tx) => tx.db.updateTable('products').set(moved).where('id', '=', id).execute())
  }
  const counts = await read('/overview.json', await asDeveloper(app, developer))
  assert.ok(Object.values(counts).every((count) => count === 0))
})

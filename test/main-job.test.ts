import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runDue } from '../src/jobs/worker.ts'
import { sandboxToken } from '../src/lib/checkout-signatures.ts'
import { SECOND, toUtcTime } from '../src/lib/time.ts'
import { newUid } from './activations.ts'
import { startTestApp, type CallOptions, type Method, type TestApp } from './app.ts'
import { asDeveloper, type CallAs } from './callers.ts'

let app: TestApp
let developer: CallAs
before(async () => {
  app = await startTestApp('main_job')
  developer = await asDeveloper(app)
})
after(() => app.close())

/** The answer to a call that succeeds. */
async function ok(method: Method, path: string, options: CallOptions = {}) {
  const reply = await app.call(method, path, options)
  assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`)
  return reply.json
}

const product = () => `/products/${app.seller.product.id}`

async function asSeller(method: Method, path: string, body?: object) {
  const reply = await developer(method, `${product()}${path}`, body)
  assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`)
  return reply.json
}

/** Buys in the sandbox. */
async function buy(body: object, paymentToken: string) {
  const { id, publicKey, secretKey } = app.seller.product
  const context = String(app.ctx.clock.real())
  const sandbox = sandboxToken({ context, productId: id, secretKey, publicKey })
  const session = await ok('POST', '/checkout/sessions.json', {
    token: null,
    body: { product_id: id, sandbox, s_ctx_ts: context, country_code: 'us', ...body },
  })
  return ok('POST', `/checkout/sessions/${session.id}/pay.json`, {
    token: null,
    body: { payment_token: paymentToken },
  })
}

/** Moves the sandbox on, at most two years at a time. */
async function moveTo(target: string): Promise<void> {
  await asSeller('POST', '/sandbox/clock.json', { target })
  for (let tries = 0; tries < 100; tries++) {
    await runDue(app.ctx)
    app.ctx.clock.advance(2 * SECOND)
    const { status } = await asSeller('GET', '/sandbox/clock.json')
    if (status === 'ready') return
  }
  throw new Error('The clock does not get ready.')
}

async function offer(name: string, price: object) {
  const plan = await asSeller('POST', '/plans.json', { name, title: name })
  const body = { licenses: 1, currency: 'usd', ...price }
  return (await asSeller('POST', `/plans/${plan.id}/pricing.json`, body)).pricing
}

test('a product is sold, activated, verified, renewed, refunded and taken back, all over HTTP', async () => {
  const { id: pricingId } = await offer('professional', { annual_price: 99.5 })
  const bought = await buy({ pricing_id: pricingId, user_email: 'ada@example.com' }, 'test_succeeds')
  const key = { license_key: bought.license_key }
  const uid = newUid()
  const active = await ok('POST', `${product()}/licenses/activate.json`, {
    token: null,
    body: { uid, ...key, url: 'https://shop.example' },
  })
  const verify = () =>
    app.call(
      'GET',
      `${product()}/installs/${active.install_id}/license.json?uid=${uid}&${new URLSearchParams(key)}`,
      {
        token: null,
      },
    )
  assert.equal((await verify()).json.expiration, '2027-02-01 10:00:00')

  await moveTo('2027-01-31 12:00:00')
  assert.equal((await verify()).json.expiration, '2028-02-01 10:00:00')
  const { payments } = await ok('GET', `${product()}/users/${bought.user.id}/payments.json`)
  const told = payments.map((one: Record<string, unknown>) => [
    one['gross'],
    one['is_renewal'],
    one['created'] !== null,
  ])
  assert.deepEqual(told, [
    [99.5, true, true],
    [99.5, false, true],
  ])

  const [renewal] = payments
  const refund = await asSeller('POST', `/payments/${renewal.id}/refunds.json`, {})
  assert.deepEqual([refund.type, refund.gross], ['refund', -99.5])
  const refused = await verify()
  assert.equal(refused.json.is_cancelled, true, refused.text)
  const off = await app.call('POST', `${product()}/licenses/deactivate.json`, {
    token: null,
    body: { uid, ...key, install_id: active.install_id },
  })
  assert.ok(off.status < 300, off.text)
  const { timeline } = await ok('GET', `${product()}/sandbox/timeline.json`)
  assert.ok(timeline.some(({ what }: { what: string }) => what === 'renewed'))
})

/** What ten years come to by hand, in cents: `[first, each renewal, renewals]`. */
const TEN_YEARS = {
  monthly: { first: 999, each: 999, count: 120 },
  annual: { first: 9_950, each: 9_950, count: 10 },
} as const

test('ten years of a subscription come to the cent, monthly and yearly, with a failure in between', async () => {
  const { id: pricingId } = await offer('forever', { monthly_price: 9.99, annual_price: 99.5 })
  const start = app.ctx.clock.of(app.seller.product.id, 1)
  const buyers = await Promise.all(
    (['monthly', 'annual'] as const).map(async (cycle) => {
      const body = { pricing_id: pricingId, billing_cycle: cycle, user_email: `${cycle}@example.com` }
      return {
        cycle,
        bought: await buy(body, 'test_succeeds'),
        late: await buy({ ...body, user_email: `late-${cycle}@example.com` }, 'test_renewal_attempt_3'),
      }
    }),
  )
  const from = new Date(start)
  const after = (years: number, days = 0) =>
    toUtcTime(Date.UTC(from.getUTCFullYear() + years, 0, 31 + days, from.getUTCHours()))
  for (const year of [2, 4, 6, 8, 10]) await moveTo(after(year))
  await moveTo(after(10, 10))
  for (const { cycle, bought, late } of buyers) {
    const { first, each, count } = TEN_YEARS[cycle]
    for (const { purchase } of [bought, late]) {
      const rows = await app.ctx.db
        .selectFrom('payments')
        .selectAll()
        .where('subscription_id', '=', Number(purchase.id))
        .orderBy('id')
        .execute()
      assert.equal(rows.length, 1 + count, `${cycle} ${purchase.id}`)
      assert.equal(
        rows.reduce((sum, { gross, tax }) => sum + gross + tax, 0),
        first + each * count,
      )
      const { total_gross: total, canceled_at: canceled } = await app.ctx.db
        .selectFrom('subscriptions')
        .selectAll()
        .where('id', '=', Number(purchase.id))
        .executeTakeFirstOrThrow()
      assert.deepEqual([total, canceled], [first + each * count, null])
    }
  }
  const postings = await app.ctx.db.selectFrom('postings').select('amount').execute()
  assert.equal(
    postings.reduce((sum, { amount }) => sum + amount, 0),
    0,
  )
})

// Runs alone, slowly.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runDue } from '../src/jobs/worker.ts'
import { sandboxToken } from '../src/sales/checkouts/signatures.ts'
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
    body: { payment_token: paymentToken, is_waiver_accepted: true },
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
  const { payments } = await ok('GET', `${product()}/users/${active.user_id}/payments.json`)
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

/**
 * What ten years come to by hand, in cents: the first payment and each renewal with the tax of France (20 %: of 9.99
 * it is 2.00, of 99.50 19.90), how many they are, and all of them.
 */
const TEN_YEARS = [
  { name: 'monthly', country: 'us', token: 'test_succeeds', each: [999, 0], count: 121, sum: 120_879 },
  {
    name: 'monthly',
    country: 'us',
    token: 'test_renewal_attempt_3',
    each: [999, 0],
    count: 121,
    sum: 120_879,
  },
  { name: 'monthly', country: 'fr', token: 'test_succeeds', each: [999, 200], count: 121, sum: 145_079 },
  {
    name: 'monthly',
    country: 'fr',
    token: 'test_renewal_declined',
    each: [999, 200],
    count: 121,
    sum: 145_079,
  },
  { name: 'annual', country: 'us', token: 'test_succeeds', each: [9_950, 0], count: 11, sum: 109_450 },
  {
    name: 'annual',
    country: 'us',
    token: 'test_renewal_attempt_3',
    each: [9_950, 0],
    count: 11,
    sum: 109_450,
  },
  { name: 'annual', country: 'fr', token: 'test_succeeds', each: [9_950, 1_990], count: 11, sum: 131_340 },
  {
    name: 'annual',
    country: 'fr',
    token: 'test_renewal_declined',
    each: [9_950, 1_990],
    count: 11,
    sum: 131_340,
  },
] as const

/** Pays what is owed with another method of payment, which pays the renewals from then on. */
async function recover(licenseId: string): Promise<void> {
  const update = { is_payment_method_update: true }
  const { settings } = await asSeller('POST', `/licenses/${licenseId}/checkout/link.json`, update)
  const { authorization } = settings
  const body = { product_id: app.seller.product.id, license_id: licenseId, authorization, ...update }
  const session = await ok('POST', '/checkout/sessions.json', { token: null, body })
  const paid = await ok('POST', `/checkout/sessions/${session.id}/pay.json`, {
    token: null,
    body: { payment_token: 'test_succeeds' },
  })
  assert.deepEqual([paid.state, paid.payment.is_renewal], ['paid', true])
}

const soldOf = (licenseId: string) =>
  app.ctx.db
    .selectFrom('payments')
    .selectAll()
    .where('license_id', '=', Number(licenseId))
    .orderBy('id')
    .execute()

const subscriptionsOf = (licenseId: string) =>
  app.ctx.db
    .selectFrom('subscriptions')
    .selectAll()
    .where('license_id', '=', Number(licenseId))
    .orderBy('id')
    .execute()

test('ten years of a subscription come to the cent, monthly and yearly, with tax, failures and another card', async () => {
  const { id: pricingId } = await offer('forever', { monthly_price: 9.99, annual_price: 99.5 })
  const settings = { country: 'DE', registrations: 'DE,EU', legal_name: 'Seller', address: 'Street 1' }
  assert.ok((await developer('PUT', '/tax_settings.json', settings)).status < 300)
  const from = new Date(app.ctx.clock.of(app.seller.product.id, 1))
  const sales = await Promise.all(
    TEN_YEARS.map(async ({ token, ...row }, index) => {
      const user = { user_email: `buyer${index}@example.com`, country_code: row.country }
      const body = { pricing_id: pricingId, billing_cycle: row.name, ...user }
      return { ...row, isLost: token === 'test_renewal_declined', ...(await buy(body, token)) }
    }),
  )
  const after = (years: number, { days = 0, months = 0, hours = 0 } = {}) =>
    toUtcTime(
      Date.UTC(from.getUTCFullYear() + years, months, (months ? 28 : 31) + days, from.getUTCHours() + hours),
    )
  for (const [name, firstEnd] of [
    ['monthly', after(0, { months: 1, hours: 6 })],
    ['annual', after(1, { hours: 6 })],
  ] as const) {
    await moveTo(firstEnd)
    for (const sale of sales) if (sale.name === name && sale.isLost) await recover(sale.license_id)
  }
  for (const year of [2, 4, 6, 8, 10]) await moveTo(after(year))
  await moveTo(after(10, { days: 10 }))
  for (const { name, country, each, count, sum, isLost, license_id: id } of sales) {
    const rows = (await soldOf(id)).map(({ gross, tax }) => [gross, tax] as const)
    assert.deepEqual(rows, Array(count).fill(each), `${name} ${country}`)
    assert.equal(
      rows.reduce((all, [gross, tax]) => all + gross + tax, 0),
      sum,
    )
    const subscriptions = await subscriptionsOf(id)
    const isEnded = subscriptions.map(({ canceled_at: at }) => at !== null)
    assert.deepEqual(isEnded, isLost ? [true, false] : [false])
    assert.equal(
      subscriptions.reduce((all, { total_gross: total }) => all + total, 0),
      sum,
    )
  }
  const postings = await app.ctx.db.selectFrom('postings').select('amount').execute()
  assert.equal(
    postings.reduce((sum, { amount }) => sum + amount, 0),
    0,
  )
})

// Runs on sqlite, alone, slowly.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { toUtcTime } from '../src/lib/time.ts'
import { SoldProduct } from './main-job.ts'

let sold: SoldProduct
before(async () => {
  sold = await SoldProduct.open('ten_years')
})
after(() => sold.app.close())

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
  const { settings } = await sold.asSeller('POST', `/licenses/${licenseId}/checkout/link.json`, update)
  const { authorization } = settings
  const body = { product_id: sold.app.seller.product.id, license_id: licenseId, authorization, ...update }
  const session = await sold.ok('POST', '/checkout/sessions.json', { token: null, body })
  const paid = await sold.ok('POST', `/checkout/sessions/${session.id}/pay.json`, {
    token: null,
    body: { payment_token: 'test_succeeds' },
  })
  assert.deepEqual([paid.state, paid.payment.is_renewal], ['paid', true])
}

const soldOf = (licenseId: string) =>
  sold.app.ctx.db
    .selectFrom('payments')
    .selectAll()
    .where('license_id', '=', Number(licenseId))
    .orderBy('id')
    .execute()

const subscriptionsOf = (licenseId: string) =>
  sold.app.ctx.db
    .selectFrom('subscriptions')
    .selectAll()
    .where('license_id', '=', Number(licenseId))
    .orderBy('id')
    .execute()

test('ten years of a subscription come to the cent, monthly and yearly, with tax, failures and another card', async () => {
  const { id: pricingId } = await sold.offer('forever', { monthly_price: 9.99, annual_price: 99.5 })
  const settings = { country: 'DE', registrations: 'DE,EU', legal_name: 'Seller', address: 'Street 1' }
  assert.ok((await sold.developer('PUT', '/tax_settings.json', settings)).status < 300)
  const from = new Date(sold.app.ctx.clock.of(sold.app.seller.product.id, 1))
  const sales = await Promise.all(
    TEN_YEARS.map(async ({ token, ...row }, index) => {
      const user = { user_email: `buyer${index}@example.com`, country_code: row.country }
      const body = { pricing_id: pricingId, billing_cycle: row.name, ...user }
      return { ...row, isLost: token === 'test_renewal_declined', ...(await sold.buy(body, token)) }
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
    await sold.moveTo(firstEnd)
    for (const sale of sales) if (sale.name === name && sale.isLost) await recover(sale.license_id)
  }
  for (const year of [2, 4, 6, 8, 10]) await sold.moveTo(after(year))
  await sold.moveTo(after(10, { days: 10 }))
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
  const postings = await sold.app.ctx.db.selectFrom('postings').select('amount').execute()
  assert.equal(
    postings.reduce((sum, { amount }) => sum + amount, 0),
    0,
  )
})

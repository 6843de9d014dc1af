import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, asPublic } from '../../../test/callers.ts'
import { offerFor } from '../../../test/licenses.ts'
import { scopeOf, sell, type Sale } from '../../../test/sales.ts'
import { openDispute, settleDispute } from '../refunds/disputes.ts'
import { endSubscription } from '../subscriptions/start-subscription.ts'
import type { SubscriptionRow } from '../subscriptions/schema.ts'
import type { UtcTime } from '../../lib/time.ts'

let app: TestApp
let offer: Awaited<ReturnType<typeof offerFor>>
before(async () => {
  app = await startTestApp('figures', { at: Date.UTC(2025, 0, 31, 10) })
  offer = await offerFor(app, 5)
})
after(() => app.close())

type Product = TestApp['seller']['product']

const figures = async (name: string, range: string, { id, token } = app.seller.product) =>
  (await app.call('GET', `/products/${id}/figures/${name}.json?${range}`, { token })).json[name]
const day = (text: string, time = '12:00:00') => app.ctx.clock.set(Date.parse(`${text}T${time}Z`))
const sold = (sale: Sale = {}) => sell(app, { ...(!sale.product && { offer }), ...sale })
const paid = (
  currency: 'usd' | 'eur' | 'gbp',
  [gross, tax, gateway_fee]: readonly [number, number, number],
) => ({
  payment: { currency, gross, tax, gateway_fee },
})
/** `month currency gross tax fees refunds disputes net`. */
const lines = (rows: readonly object[]) => rows.map((row) => Object.values(row).join(' '))

test('months with refunds, a dispute that is won and one that is lost come out as by hand, in three currencies', async () => {
  day('2025-01-31')
  const first = await sold(paid('usd', [4999, 1000, 175]))
  await sold(paid('eur', [3000, 600, 100]))
  const elsewhere = await sold({
    payment: { currency: 'gbp', gross: 10_000, tax: 0, gateway_fee: 0, gateway: null },
  })
  day('2025-02-28')
  const developer = await asDeveloper(app)
  const refund = await developer(
    'POST',
    `/products/${app.seller.product.id}/payments/${elsewhere.payment.id}/refunds.json`,
    { amount: 40 },
  )
  assert.equal(refund.status, 201, refund.text)
  const dispute = (paymentId: number, minor: number) =>
    app.write((tx) => openDispute(tx, scopeOf(app), { paymentId, minor, fee: 1500 }))
  const settle = (paymentId: number, isWon: boolean) =>
    app.write((tx) => settleDispute(tx, scopeOf(app), { paymentId, isWon }))
  await dispute(first.payment.id, 5999)
  await sold({ payment: { environment: 1, gateway: 'test' }, subscription: { environment: 1 } })
  day('2025-03-01', '00:00:00')
  await settle(first.payment.id, true)
  const second = await sold(paid('usd', [2000, 400, 90]))
  await dispute(second.payment.id, 2400)
  day('2025-04-15')
  await settle(second.payment.id, false)

  const byHand = [
    '2025-01 eur 30 6 1 0 0 29',
    '2025-01 gbp 100 0 0 0 0 100',
    '2025-01 usd 49.99 10 1.75 0 0 48.24',
    '2025-02 gbp 0 0 0 40 0 -40',
    '2025-02 usd 0 0 15 0 59.99 -74.99',
    '2025-03 usd 20 4 15.9 0 -35.99 40.09',
    '2025-04 usd 0 -4 0 20 -24 4',
  ]
  assert.deepEqual(lines(await figures('earnings', 'from=2025-01&to=2025-12')), byHand)
  assert.deepEqual(lines(await figures('earnings', '')), byHand)
  assert.deepEqual(lines(await figures('earnings', 'from=2025-02&to=2025-02')), byHand.slice(3, 5))
  assert.deepEqual(lines(await figures('earnings', 'environment=1')), ['2025-02 usd 49.99 10 1.75 0 0 48.24'])
  assert.deepEqual(await figures('earnings', '', app.seller.other), [])
})

async function sellerOf(product: Product) {
  const own = await offerFor(app, 5, { product })
  const sale = (subscription: Sale['subscription'], owner?: Sale['owner']) =>
    sell(app, { product, offer: own, ...(owner && { owner }), subscription: { ...subscription } })
  const end = (row: SubscriptionRow) => app.write((tx) => endSubscription(tx, scopeOf(app, product), row))
  return { sale, end }
}

test('recurring revenue moves by who comes, pays more, pays less and leaves, as by hand', async () => {
  const product = app.seller.other
  const { sale, end } = await sellerOf(product)
  day('2025-05-31')
  const upgraded = await sale({ renewal_amount: 4999 })
  await sale({ renewal_amount: 3000, billing_cycle: 1, currency: 'eur' })
  await sale({ renewal_amount: 12_000, trial_ends: '2025-06-14 10:00:00' as UtcTime })
  const given = await sale({ renewal_amount: 2000, billing_cycle: 1 })
  await sale({ renewal_amount: 0 })
  await sale({ renewal_amount: 700, environment: 1, gateway: 'test' })
  day('2025-06-10')
  await end(given.subscription)
  await end((await sale({ renewal_amount: 900, billing_cycle: 1 })).subscription)
  day('2025-06-20')
  await end(upgraded.subscription)
  const dearer = await sale({ renewal_amount: 1200, billing_cycle: 1 }, upgraded.owner)
  day('2025-07-05')
  await end(dearer.subscription)
  await sale({ renewal_amount: 6000 }, upgraded.owner)
  day('2025-08-09')

  const rows = await figures('mrr', 'from=2025-05', product)
  const told = (rows as Record<string, number>[]).map((row) => Object.values(row).join(' '))
  assert.deepEqual(told, [
    // month currency mrr_at_start new expansion contraction churned mrr customers_at_start new lost customers churn
    '2025-05 eur 0 30 0 0 0 30 0 1 0 1  ',
    '2025-05 usd 0 24.17 0 0 0 24.17 0 2 0 2  ',
    '2025-06 eur 30 0 0 0 0 30 1 0 0 1 0 0',
    '2025-06 usd 24.17 10 7.83 0 20 22 2 1 1 2 0.5 0.8275',
    '2025-07 eur 30 0 0 0 0 30 1 0 0 1 0 0',
    '2025-07 usd 22 0 0 7 0 15 2 0 0 2 0 0.3182',
    '2025-08 eur 30 0 0 0 0 30 1 0 0 1 0 0',
    '2025-08 usd 15 0 0 0 0 15 2 0 0 2 0 0',
  ])
  const sandbox = await figures('mrr', 'environment=1&from=2025-05&to=2025-05', product)
  assert.deepEqual(
    sandbox.map((row: Record<string, unknown>) => [row['new'], row['customers']]),
    [[0.58, 1]],
  )
})

test('a trial does not recur before its end, even in the month in which it ends', async () => {
  const { sale } = await sellerOf(app.seller.product)
  day('2025-10-01')
  await sale({
    renewal_amount: 1000,
    billing_cycle: 1,
    currency: 'gbp',
    trial_ends: '2025-10-20 10:00:00' as UtcTime,
  })
  const inGbp = async () =>
    (await figures('mrr', 'from=2025-10&to=2025-10')).filter(
      ({ currency, mrr }: { currency: string; mrr: number }) => currency === 'gbp' && mrr === 10,
    ).length
  assert.equal(await inGbp(), 0)
  day('2025-10-21')
  assert.equal(await inGbp(), 1)
})

test('months that are none, in the wrong order or too many are refused by name', async () => {
  const refused = async (range: string) => {
    const { status, json } = await app.call(
      'GET',
      `/products/${app.seller.product.id}/figures/mrr.json?${range}`,
    )
    return [status, json.error?.details?.map(({ field }: { field: string }) => field)]
  }
  assert.deepEqual(await refused('from=2025-13&to=next'), [400, ['from', 'to']])
  assert.deepEqual(await refused('from=2025-03&to=2025-02'), [400, ['to']])
  assert.deepEqual(await refused('from=2020-01&to=2025-01'), [400, ['to']])
  assert.deepEqual(await refused('from=2020-02&to=2025-01'), [200, undefined])
  assert.equal((await asPublic(app)('GET', '/figures/earnings.json')).status, 401)
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newUid } from './activations.ts'
import { SoldProduct } from './main-job.ts'

let sold: SoldProduct
before(async () => {
  sold = await SoldProduct.open('main_job')
})
after(() => sold.app.close())

test('a product is sold, activated, verified, renewed, refunded and taken back, all over HTTP', async () => {
  const { id: pricingId } = await sold.offer('professional', { annual_price: 99.5 })
  const bought = await sold.buy({ pricing_id: pricingId, user_email: 'ada@example.com' }, 'test_succeeds')
  const key = { license_key: bought.license_key }
  const uid = newUid()
  const active = await sold.ok('POST', `${sold.path}/licenses/activate.json`, {
    token: null,
    body: { uid, ...key, url: 'https://shop.example' },
  })
  const verify = () =>
    sold.app.call(
      'GET',
      `${sold.path}/installs/${active.install_id}/license.json?uid=${uid}&${new URLSearchParams(key)}`,
      {
        token: null,
      },
    )
  assert.equal((await verify()).json.expiration, '2027-02-01 10:00:00')

  await sold.moveTo('2027-01-31 12:00:00')
  assert.equal((await verify()).json.expiration, '2028-02-01 10:00:00')
  const { payments } = await sold.ok('GET', `${sold.path}/users/${active.user_id}/payments.json`)
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
  const refund = await sold.asSeller('POST', `/payments/${renewal.id}/refunds.json`, {})
  assert.deepEqual([refund.type, refund.gross], ['refund', -99.5])
  const refused = await verify()
  assert.equal(refused.json.is_cancelled, true, refused.text)
  const off = await sold.app.call('POST', `${sold.path}/licenses/deactivate.json`, {
    token: null,
    body: { uid, ...key, install_id: active.install_id },
  })
  assert.ok(off.status < 300, off.text)
  const { timeline } = await sold.ok('GET', `${sold.path}/sandbox/timeline.json`)
  assert.ok(timeline.some(({ what }: { what: string }) => what === 'renewed'))
})

// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type Reply, type TestApp } from '../../test/app.ts'
import { asDeveloper, type CallAs } from '../../test/callers.ts'
import { changeShop, type ChangeShop } from '../../test/license-changes.ts'
import { licenseOn, offerFor } from '../../test/licenses.ts'

let app: TestApp
let shop: ChangeShop
let developer: CallAs
before(async () => {
  app = await startTestApp('error_details')
  shop = await changeShop(app)
  developer = await asDeveloper(app)
})
after(() => app.close())

const refusalOf = ({ json }: Reply) => [
  json?.error?.code,
  json?.error?.details?.map(({ field }: { field: string }) => field),
]

test('a value that is taken is refused with the argument that holds it', async () => {
  const price = { licenses: 1, currency: 'usd', annual_price: 5 }
  const offer = await offerFor(app, 1)
  const key = { license_key: 'my own license key' }
  await licenseOn(app, offer, { body: key })
  const prices = `${shop.base}/plans/${offer.planId}/pricing`
  const replies = [
    await developer('POST', `${shop.base}/plans.json`, { name: 'basic', title: 'Basic' }),
    await developer('POST', `${shop.base}/plans/${shop.plans.basic}/pricing.json`, price),
    await app.call('POST', `${prices}/${offer.pricingId}/licenses.json`, { body: { period: 12, ...key } }),
  ]
  assert.deepEqual(replies.map(refusalOf), [
    ['plan_name_taken', ['name']],
    ['pricing_licenses_taken', ['licenses']],
    ['license_key_taken', ['license_key']],
  ])
})

test('another total than that of the checkout is refused with the argument', async () => {
  const bought = await shop.buy()
  const { json: session } = await shop.openFor(bought.id, { plan_id: shop.plans.pro })
  const refused = await shop.pay(session.id, undefined, { total: 1 })
  assert.deepEqual(refusalOf(refused), ['checkout_repriced', ['total']])
})

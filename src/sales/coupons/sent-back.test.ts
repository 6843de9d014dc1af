import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, type CallAs } from '../../../test/callers.ts'

let app: TestApp
let developer: CallAs
before(async () => {
  app = await startTestApp('coupons_sent_back')
  developer = await asDeveloper(app)
})
after(() => app.close())

const write: CallAs = (method, path, body) =>
  developer(method, `/products/${app.seller.product.id}${path}`, body)

const createPlan = async (name: string): Promise<string> =>
  (await write('POST', '/plans.json', { name })).json.id

test('a coupon is accepted as it was answered, also after a plan that it names was deleted', async () => {
  const kept = await createPlan('kept')
  const gone = await createPlan('gone')
  const { json: coupon } = await write('POST', '/coupons.json', {
    code: 'PLANS',
    discount: 10,
    discount_type: 'percentage',
    plans: `${kept},${gone}`,
  })
  assert.equal((await write('DELETE', `/plans/${gone}.json`)).status, 204)
  const again = await write('PUT', `/coupons/${coupon.id}.json`, coupon)
  assert.equal(again.status, 200, again.text)
  assert.deepEqual(again.json, coupon)
  const narrowed = await write('PUT', `/coupons/${coupon.id}.json`, { plans: kept })
  assert.equal(narrowed.json.plans, kept)
  const back = await write('PUT', `/coupons/${coupon.id}.json`, { plans: `${kept},${gone}` })
  assert.deepEqual([back.status, back.json.error.details[0].field], [400, 'plans'])
})

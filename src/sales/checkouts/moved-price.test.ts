import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper, type CallAs } from '../../../test/callers.ts'
import { changeShop, type ChangeShop } from '../../../test/license-changes.ts'

let app: TestApp
let shop: ChangeShop
let pricingId: string
let developer: CallAs
before(async () => {
  app = await startTestApp('moved_price')
  shop = await changeShop(app)
  developer = await asDeveloper(app)
  const { pricing } = await shop.get(`/plans/${shop.plans.basic}/pricing.json`)
  pricingId = pricing.find(({ currency }: { currency: string }) => currency === 'usd').id
})
after(() => app.close())

let people = 0
async function opened() {
  const who = { user_email: `moved${++people}@example.com`, user_firstname: 'Ada', country_code: 'us' }
  const { json } = await shop.open({ ...shop.sandbox(), ...who, plan_id: shop.plans.basic })
  return json as { readonly id: string; readonly quote: { readonly total: number } }
}

async function move(annual_price: number): Promise<void> {
  const path = `${shop.base}/plans/${shop.plans.basic}/pricing/${pricingId}.json`
  const { status, text } = await developer('PUT', path, { annual_price })
  assert.equal(status, 200, text)
}

test('a price that moved after it was told is refused as repriced, and paid when it is told anew', async () => {
  const session = await opened()
  await move(150)
  const refused = await shop.pay(session.id, 'test_succeeds', { total: session.quote.total })
  assert.deepEqual([refused.status, refused.json.error.code], [400, 'checkout_repriced'])
  const { json: now } = await shop.call('GET', `/${session.id}.json`)
  assert.equal(now.quote.total, 150)
  const { json } = await shop.pay(session.id, 'test_succeeds', { total: 150 })
  assert.equal(json.state, 'paid')
})

test('a price that moves while checkouts open charges nobody but what was told', async () => {
  for (let round = 0; round < 8; round++) {
    const price = 200 + round
    const [first, , second] = await Promise.all([opened(), move(price), opened()])
    for (const { id, quote } of [first, second]) {
      const { json } = await shop.pay(id, 'test_succeeds', { total: quote.total })
      if (quote.total === price) assert.equal(json.payment.gross, price)
      else assert.equal(json.error.code, 'checkout_repriced')
    }
  }
})

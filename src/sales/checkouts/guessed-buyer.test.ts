import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type Reply, type TestApp } from '../../../test/app.ts'
import { asDeveloper } from '../../../test/callers.ts'
import { changeShop, type ChangeShop } from '../../../test/license-changes.ts'
import { GENEROUS } from '../../../test/rates.ts'
import { systemScope } from '../../access/scope.ts'
import { HOUR } from '../../lib/time.ts'
import { askForPurchase } from './pay-checkout.ts'

const TRIES = 3

let app: TestApp
let shop: ChangeShop
before(async () => {
  app = await startTestApp('guessed_buyer', {
    config: {
      trustProxy: ['127.0.0.0/8', '::1/128'],
      rate: { ...GENEROUS, buyers: { perSecond: 0.01, burst: TRIES } },
    },
  })
  shop = await changeShop(app)
  const coupon = { code: 'LOYAL', discount: 10, discount_type: 'percentage', user_type: 'customer' }
  assert.equal((await app.call('POST', `${shop.base}/coupons.json`, { body: coupon })).status, 201)
})
after(() => app.close())

const open = async (email: string, body: object = {}) => {
  const who = { user_email: email, country_code: 'us', plan_id: shop.plans.basic }
  const { json, text } = await shop.open({ ...shop.sandbox(), ...who, ...body })
  assert.ok(json.id, text)
  return json.id as string
}

const payFrom = (ip: string, id: string): Promise<Reply> =>
  app.call('POST', `/checkout/sessions/${id}/pay.json`, {
    token: null,
    body: { payment_token: 'test_declined' },
    headers: { 'x-forwarded-for': ip },
  })

const LOYAL = { coupon: 'LOYAL' }
const ALL = [...Array<number>(TRIES).fill(400), 429, 429]

test('tries at what addresses have bought are limited by who tries', async () => {
  const ask = async (n: number) =>
    (await payFrom('203.0.113.1', await open(`one${n}@example.com`, LOYAL))).status
  const statuses = await Promise.all(ALL.map((_, n) => ask(n)))
  assert.deepEqual(statuses.toSorted(), ALL)
  const elsewhere = await payFrom('203.0.113.2', await open('one9@example.com', LOYAL))
  assert.equal(elsewhere.status, 400)
})

test('tries at what one address has bought are limited wherever they come from, and however it is spelled', async () => {
  const spellings = ['two@example.com', 'TWO@example.com', 'Two@Example.com']
  const ask = async (n: number) =>
    (await payFrom(`203.0.113.${10 + n}`, await open(spellings[n % 3] ?? '', LOYAL))).status
  const statuses: number[] = []
  for (const n of ALL.keys()) statuses.push(await ask(n))
  assert.deepEqual(statuses, ALL)
  const { headers } = await payFrom('203.0.113.19', await open('two@example.com', LOYAL))
  assert.ok(Number(headers.get('retry-after')) > 0)
  app.ctx.clock.advance(HOUR)
  assert.equal((await payFrom('203.0.113.19', await open('two@example.com', LOYAL))).status, 400)
})

test('trials are limited as coupons are, what asks nothing of the past is not', async () => {
  const developer = await asDeveloper(app)
  const changed = await developer('PUT', `${shop.base}/plans/${shop.plans.pro}.json`, { trial_period: 7 })
  assert.equal(changed.status, 200, changed.text)
  const tries = { plan_id: shop.plans.pro, trial: 'paid' }
  const trials: number[] = []
  for (const n of ALL.keys()) {
    trials.push((await payFrom('203.0.113.30', await open(`tries${n}@example.com`, tries))).status)
  }
  assert.deepEqual(trials, ALL)
  for (const n of ALL.keys()) {
    const { json } = await payFrom('203.0.113.30', await open(`buys${n}@example.com`))
    assert.equal(json.error.code, 'payment_declined')
  }
})

test('a coupon that asks nothing of the past is not counted, whoever types what address', async () => {
  const coupon = { code: 'PLAIN', discount: 10, discount_type: 'percentage' }
  assert.equal((await app.call('POST', `${shop.base}/coupons.json`, { body: coupon })).status, 201)
  for (const _ of ALL) {
    const { json } = await payFrom('203.0.113.50', await open('plain@example.com', { coupon: 'PLAIN' }))
    assert.equal(json.error.code, 'payment_declined')
  }
})

const CHANGED = {
  address: { body: LOYAL, change: { email: 'another@example.com' } },
  coupon: { body: { coupon: 'PLAIN' }, change: { coupon_code: 'LOYAL' } },
}

for (const [what, { body, change }] of Object.entries(CHANGED)) {
  test(`a checkout that gets another ${what} while its try is counted is not paid`, async () => {
    const email = `${what}@example.com`
    const token = await open(email, body)
    const { ctx, seller } = app
    const from = systemScope({ developerId: seller.developer.id, productId: seller.product.id })
    const counted = Promise.withResolvers<void>()
    const isHeld = Promise.withResolvers<void>()
    const changing = ctx.database.transaction(async (db) => {
      await db.updateTable('checkouts').set(change).where('email', '=', email).execute()
      isHeld.resolve()
      await counted.promise
    })
    await isHeld.promise
    const input = {
      payment_token: 'test_succeeds',
      get limits() {
        counted.resolve()
        return { buyer: () => {} }
      },
    }
    const paying = askForPurchase(ctx, { ...from, ip: '203.0.113.40' }, token, input)
    await assert.rejects(paying, (error: Error & { code?: string }) => error.code === 'checkout_repriced')
    await changing
  })
}

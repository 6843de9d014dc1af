import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../../test/app.ts'
import { asDeveloper } from '../../../test/callers.ts'
import { changeShop, type ChangeShop } from '../../../test/license-changes.ts'
import { DAY, MINUTE } from '../../lib/time.ts'

let app: TestApp
let shop: ChangeShop
before(async () => {
  app = await startTestApp('credit_parts')
  shop = await changeShop(app)
  const half = { code: 'HALF', discount: 50, discount_type: 'percentage' }
  assert.equal((await app.call('POST', `${shop.base}/coupons.json`, { body: half })).status, 201)
})
beforeEach(() => app.ctx.clock.set(START))
after(() => app.close())

/** What of a change is off its price for what was paid before. */
async function creditFor(id: string, wanted: object): Promise<number> {
  const { json, text } = await shop.openFor(id, wanted)
  const line = json.quote?.lines.find(({ kind }: { kind: string }) => kind === 'proration')
  assert.ok(line, text)
  return line.amount
}

test('of a year that runs and one that was paid in advance for less each counts with what was paid for it', async () => {
  const { id } = await shop.buy()
  app.ctx.clock.advance(73 * DAY)
  const { json: session, text } = await shop.openFor(id, { coupon: 'HALF' })
  assert.equal(session.quote?.total, 50, text)
  assert.equal((await shop.pay(session.id)).json.state, 'paid')
  assert.equal(await creditFor(id, { plan_id: shop.plans.pro, billing_cycle: 'lifetime' }), -80 - 50)
})

test('what is left is carried into another currency by the price of the same plan and number of licenses there', async () => {
  const developer = await asDeveloper(app)
  const { json: plan } = await developer('POST', `${shop.base}/plans.json`, { name: 'team', title: 'Team' })
  for (const price of [
    { licenses: 5, currency: 'eur', annual_price: 400 },
    { licenses: 1, currency: 'eur', annual_price: 150 },
    { licenses: 1, currency: 'usd', annual_price: 100 },
  ]) {
    const added = await developer('POST', `${shop.base}/plans/${plan.id}/pricing.json`, price)
    assert.ok(added.status < 300, added.text)
  }
  const { id } = await shop.buy({ plan_id: plan.id, currency: 'usd' })
  app.ctx.clock.advance(73 * DAY)
  const wanted = { plan_id: shop.plans.pro, currency: 'eur' }
  assert.equal(await creditFor(id, wanted), -80 * 1.5)
})

const state = async (reply: ReturnType<ChangeShop['pay']>) => {
  const { json } = await reply
  return json.state ?? json.error.code
}

test('a license is changed while another one is being paid for, and an hour after its own checkout was left', async () => {
  const [one, other] = [await shop.buy(), await shop.buy()]
  const wanted = { plan_id: shop.plans.pro }
  const open = async (id: string) => (await shop.openFor(id, wanted)).json.id
  const [left, again, beside] = [await open(one.id), await open(one.id), await open(other.id)]
  assert.equal(await state(shop.pay(left, 'test_needs_confirmation')), 'pending')
  assert.equal(await state(shop.pay(again)), 'license_change_in_progress')
  assert.equal(await state(shop.pay(beside)), 'paid')
  app.ctx.clock.advance(61 * MINUTE)
  assert.equal(await state(shop.pay(await open(one.id))), 'paid')
})

test('another method of payment takes along what is off the renewals, and nothing that was off a payment', async () => {
  const UPDATE = { is_payment_method_update: true }
  const { id } = await shop.buy({ billing_cycle: 'monthly' })
  const [before] = await shop.subscriptionsOf(id)
  assert.ok(before)
  const discount = {
    product_id: app.seller.product.id,
    entity_id: before.id,
    discount: 100,
    coupon_id: null,
    license_id: null,
    created: before.created,
  }
  await app.ctx.database.transaction((db) =>
    db
      .insertInto('discounts')
      .values([
        { ...discount, entity_type: 'payment', type: 'prorate' },
        { ...discount, entity_type: 'subscription', type: 'subscription_cancellation' },
      ])
      .execute(),
  )
  const { json: session } = await shop.openFor(id, UPDATE, UPDATE)
  assert.equal(await state(shop.pay(session.id)), 'paid')
  const after = (await shop.subscriptionsOf(id)).at(-1)
  const rows = app.ctx.db.selectFrom('discounts').select(['entity_type', 'entity_id'])
  assert.deepEqual(await rows.where('discount', '=', 100).orderBy('entity_type').execute(), [
    { entity_type: 'payment', entity_id: before.id },
    { entity_type: 'subscription', entity_id: after?.id },
  ])
})

test('what a product takes off the renewals of a year is off no monthly ones', async () => {
  const takeOff = async (discount: number | null) => {
    const body = { annual_renewals_discount: discount, renewals_discount_type: 'percentage' }
    const { status, text } = await app.call('PUT', `${shop.base}.json`, { body })
    assert.equal(status, 200, text)
  }
  await takeOff(20)
  const amountOf = async (billing_cycle: string) => {
    const { id } = await shop.buy({ billing_cycle })
    return (await shop.subscriptionsOf(id))[0]?.renewal_amount
  }
  assert.deepEqual([await amountOf('annual'), await amountOf('monthly')], [8_000, 1_000])
  await takeOff(null)
})

test('what was brought along and paid elsewhere is charged here once its owner stores a method of payment', async () => {
  const UPDATE = { is_payment_method_update: true }
  for (const source of [0, 3] as const) {
    const { id } = await shop.buy({ billing_cycle: 'monthly' })
    const [before] = await shop.subscriptionsOf(id)
    const brought = {
      source,
      is_elsewhere: true,
      due_at: null,
      payment_method_id: null,
      gateway: null,
    } as const
    await app.write(({ db }) =>
      db.updateTable('subscriptions').set(brought).where('license_id', '=', Number(id)).execute(),
    )
    const { json: session } = await shop.openFor(id, UPDATE, UPDATE)
    assert.equal(await state(shop.pay(session.id)), 'paid')
    const after = (await shop.subscriptionsOf(id)).at(-1)
    assert.deepEqual([after?.is_elsewhere, after?.due_at], [false, before?.next_payment])
  }
})

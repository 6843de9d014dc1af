import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { proofOf } from '../../../test/checkouts.ts'
import { kindsOf, mailsTo } from '../../../test/mails.ts'
import { ledgerFaults } from '../../../test/sales.ts'
import { codeOf } from '../../../test/trials.ts'
import { typedBuyers, type TypedBuyers } from '../../../test/typed-buyers.ts'
import { settlePurchases } from './settle-purchases-job.ts'
import { settleRefunds } from '../refunds/settle-refunds-job.ts'
import { runDue } from '../../jobs/worker.ts'
import { MINUTE } from '../../lib/time.ts'

let app: TestApp
let shop: TypedBuyers['shop']
let buyers: TypedBuyers
before(async () => {
  app = await startTestApp('typed_beside_proven')
  buyers = await typedBuyers(app)
  shop = buyers.shop
})
after(() => app.close())

const KINDS: Readonly<Record<string, object>> = {
  'that is one per user': { is_one_per_user: true },
  'for new buyers': { user_type: 'new' },
}

for (const [kind, more] of Object.entries(KINDS)) {
  test(`a coupon ${kind} is its owner’s while a stranger who typed the address has a payment pending`, async () => {
    const email = await buyers.owner()
    const coupon = await buyers.couponOf(more)
    const strangers = await buyers.asStranger(email, { coupon: coupon.code })
    await buyers.leaves(strangers)
    const owners = await buyers.asOwner(email, { coupon: coupon.code })
    assert.equal(await buyers.paysWith(owners, 'test_succeeds'), 'paid')
    assert.equal(await buyers.paysWith(strangers), 'coupon_not_applicable')
    assert.equal(await buyers.paysWith(strangers, 'test_succeeds'), 'coupon_not_applicable')
    assert.deepEqual(await buyers.usesOf(coupon), [1, 1, 1])
  })
}

test('so is one of the product that the add-on is for, and one that is deleted meanwhile', async () => {
  const { product, other } = app.seller
  const parent = (id: number | null) =>
    app.write(({ db }) =>
      db.updateTable('products').set({ parent_plugin_id: id }).where('id', '=', product.id).execute(),
    )
  await parent(other.id)
  const email = await buyers.owner()
  const body = {
    code: 'PARENT',
    discount: 50,
    discount_type: 'percentage',
    is_one_per_user: true,
    has_addons_discount: true,
  }
  const path = `/products/${other.id}/coupons`
  const { json: coupon, text } = await app.call('POST', `${path}.json`, { token: other.token, body })
  assert.ok(coupon.id, text)
  const strangers = await buyers.asStranger(email, { coupon: coupon.code })
  await buyers.leaves(strangers)
  const owners = await buyers.asOwner(email, { coupon: coupon.code })
  assert.equal(await buyers.paysWith(owners, 'test_succeeds'), 'paid')
  await app.call('DELETE', `${path}/${coupon.id}.json`, { token: other.token })
  assert.equal(await buyers.paysWith(strangers), 'coupon_not_applicable')
  assert.deepEqual(await buyers.usesOf(coupon), [1, 1, 1])
  await parent(null)
})

/** The charges of checkouts that were paid and became no payment, and how far they are given back. */
const givenBack = async () =>
  (
    await app.ctx.db
      .selectFrom('charges')
      .select(['state', 'amount'])
      .where('of_charge_id', 'is not', null)
      .orderBy('id')
      .execute()
  ).map(({ state, amount }) => [state, amount])

test('what a stranger has paid with it meanwhile is given back, also where a job finds it', async () => {
  const email = await buyers.owner()
  const coupon = await buyers.couponOf({ is_one_per_user: true })
  const before = await givenBack()
  const strangers = await buyers.asStranger(email, { coupon: coupon.code })
  await buyers.leaves(strangers)
  assert.equal(
    await buyers.paysWith(await buyers.asOwner(email, { coupon: coupon.code }), 'test_succeeds'),
    'paid',
  )
  app.ctx.clock.advance(10 * MINUTE)
  await runDue(app.ctx, [settlePurchases])
  const { json } = await app.call('GET', `/checkout/sessions/${strangers}.json`, { token: null })
  assert.equal(json.state, 'open')
  await runDue(app.ctx, [settleRefunds])
  const given = (await givenBack()).slice(before.length)
  assert.deepEqual(
    given.map(([state]) => state),
    ['settled'],
  )
  assert.deepEqual(await buyers.usesOf(coupon), [1, 1, 1])
  assert.deepEqual(await ledgerFaults(app), [])
})

test('while its owner pays with a coupon too, a stranger’s payment does not get it, in whatever order they end', async () => {
  const email = await buyers.owner()
  const coupon = await buyers.couponOf({ is_one_per_user: true })
  const strangers = await buyers.asStranger(email, { coupon: coupon.code })
  await buyers.leaves(strangers)
  const owners = await buyers.asOwner(email, { coupon: coupon.code })
  await buyers.leaves(owners)
  assert.equal(await buyers.paysWith(strangers), 'coupon_not_applicable')
  assert.equal(await buyers.paysWith(owners), 'paid')
  assert.deepEqual(await buyers.usesOf(coupon), [1, 1, 1])
})

test('a coupon that its owner lets go again stays with the payment that waits for it', async () => {
  const email = await buyers.owner()
  const coupon = await buyers.couponOf({ is_one_per_user: true, user_type: 'new' })
  const strangers = await buyers.asStranger(email, { coupon: coupon.code })
  await buyers.leaves(strangers)
  const owners = await buyers.asOwner(email, { coupon: coupon.code })
  assert.equal(await buyers.paysWith(owners, 'test_declined'), 'payment_declined')
  assert.equal(await buyers.paysWith(strangers), 'paid')
  assert.deepEqual(await buyers.usesOf(coupon), [1, 1, 1])
})

test('two strangers do not take a coupon from one another, nor from its owner', async () => {
  const email = await buyers.owner()
  const coupon = await buyers.couponOf({ is_one_per_user: true })
  const first = await buyers.asStranger(email, { coupon: coupon.code })
  await buyers.leaves(first)
  const others = await buyers.asStranger(email, { coupon: coupon.code })
  assert.equal(await buyers.paysWith(others, 'test_succeeds'), 'coupon_not_applicable')
  const owners = await buyers.asOwner(email, { coupon: coupon.code })
  await buyers.leaves(owners)
  assert.equal(await buyers.paysWith(others, 'test_succeeds'), 'coupon_not_applicable')
  assert.equal(
    await buyers.paysWith(await buyers.asOwner(email, { coupon: coupon.code }), 'test_succeeds'),
    'coupon_already_used',
    'of two checkouts of the owner one has it',
  )
  assert.equal(await buyers.paysWith(owners), 'paid')
  assert.equal(await buyers.paysWith(first), 'coupon_not_applicable')
  assert.deepEqual(await buyers.usesOf(coupon), [1, 1, 1])
})

test('a gift that a stranger keeps waiting is no gift once its owner has used the coupon', async () => {
  const email = await buyers.owner()
  const coupon = await buyers.couponOf({ discount: 100, is_one_per_user: true })
  const strangers = await buyers.asStranger(email, { coupon: coupon.code })
  await buyers.leaves(strangers)
  assert.equal(await buyers.paysWith(await buyers.asOwner(email, { coupon: coupon.code })), 'paid')
  assert.equal(await buyers.paysWith(strangers), 'coupon_not_applicable')
  assert.deepEqual(await buyers.usesOf(coupon), [1, 1, 1])
  assert.equal(
    kindsOf(await mailsTo(app, email))
      .split(' ')
      .filter((one) => one === 'license').length,
    1,
  )
})

test('a trial is its owner’s while a stranger who typed the address has one pending', async () => {
  const email = await buyers.owner()
  const body = { plan_id: shop.paid.planId, trial: 'paid' }
  const strangers = await buyers.asStranger(email, body)
  await buyers.leaves(strangers)
  const owners = await buyers.asOwner(email, body)
  await buyers.leaves(owners)
  assert.equal(await buyers.paysWith(strangers), 'checkout_repriced')
  assert.equal(await buyers.paysWith(owners), 'paid')
  assert.deepEqual(codeOf(await shop.pay(strangers, 'test_succeeds')), [400, 'trial_not_available'])
  const again = await shop.open({ ...(await proofOf(app, email)), country_code: 'US', ...body })
  assert.deepEqual(codeOf(again), [400, 'trial_not_available'])
})

test('of many trials at once, of strangers who typed the address and of its owner, the owner has one', async () => {
  const email = await buyers.owner()
  const body = { plan_id: shop.paid.planId, trial: 'paid' }
  const typed: string[] = []
  const proven: string[] = []
  for (let n = 0; n < 6; n++) {
    typed.push(await buyers.asStranger(email, body))
    proven.push(await buyers.asOwner(email, body))
  }
  const pay = (ids: readonly string[]) => Promise.all(ids.map((id) => buyers.paysWith(id, 'test_succeeds')))
  const [, ofOwner] = await Promise.all([pay(typed), pay(proven)])
  assert.equal(ofOwner.filter((said) => said === 'paid').length, 1, ofOwner.join())
  const running = await app.ctx.db
    .selectFrom('trials')
    .innerJoin('users', 'users.id', 'trials.user_id')
    .select('trials.is_unproven')
    .where('users.email', '=', email)
    .where('trials.canceled_at', 'is', null)
    .execute()
  assert.deepEqual(running, [{ is_unproven: false }])
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { proofOf } from '../../test/checkouts.ts'
import { offerFor } from '../../test/licenses.ts'
import { kindsOf, mailsTo } from '../../test/mails.ts'
import { ledgerFaults } from '../../test/sales.ts'
import { codeOf, trialShop, type TrialShop } from '../../test/trials.ts'
import { settlePurchases } from '../jobs/settle-purchases.ts'
import { settleRefunds } from '../jobs/settle-refunds.ts'
import { runDue } from '../jobs/worker.ts'
import { MINUTE } from '../lib/time.ts'

let app: TestApp
let shop: TrialShop
before(async () => {
  app = await startTestApp('typed_beside_proven')
  shop = await trialShop(app)
})
after(() => app.close())

let made = 0

async function couponOf(more: object): Promise<{ id: string; code: string }> {
  const body = { code: `C${++made}`, discount: 50, discount_type: 'percentage', ...more }
  const { json, text } = await app.call('POST', `${shop.base}/coupons.json`, { body })
  assert.ok(json.id, text)
  return json
}

/** Somebody whom the seller knows. */
async function owner(): Promise<string> {
  const email = `owner${++made}@example.com`
  const reply = await app.call('POST', `${shop.base}/users.json`, { body: { email, name: 'Ow Ner' } })
  assert.equal(reply.status, 200, reply.text)
  return email
}

/** A checkout of something else each time. */
async function open(body: object): Promise<string> {
  const { planId } = await offerFor(app, 1)
  const { json, text } = await shop.open({ country_code: 'US', plan_id: planId, cart: false, ...body })
  assert.ok(json.id, text)
  return json.id
}

const asStranger = (email: string, body: object) => open({ user_email: email, ...body })
const asOwner = async (email: string, body: object) => open({ ...(await proofOf(app, email)), ...body })

/** Pays as far as the bank, which waits for the buyer. */
async function leaves(id: string): Promise<void> {
  const path = `/checkout/sessions/${id}/pay.json`
  const body = { payment_token: 'test_needs_confirmation', return_url: 'https://shop.example/back' }
  const { json, text } = await app.call('POST', path, { token: null, body })
  assert.equal(json.state, 'pending', text)
}

const paysWith = async (id: string, token?: string): Promise<string> => {
  const { json } = await shop.pay(id, token)
  return json.error?.code ?? json.state
}

/** How often a coupon was redeemed, by its count and by rows, and how many payments have it. */
async function usesOf({ id }: { readonly id: string }): Promise<number[]> {
  const { db } = app.ctx
  const coupon = await db.selectFrom('coupons').select('redemptions').where('id', '=', Number(id)).execute()
  const rows = await db
    .selectFrom('coupon_redemptions')
    .select('id')
    .where('coupon_id', '=', Number(id))
    .execute()
  const payments = await db.selectFrom('payments').select('id').where('coupon_id', '=', Number(id)).execute()
  return [coupon[0]?.redemptions ?? -1, rows.length, payments.length]
}

const KINDS: Readonly<Record<string, object>> = {
  'that is one per user': { is_one_per_user: true },
  'for new buyers': { user_type: 'new' },
}

for (const [kind, more] of Object.entries(KINDS)) {
  test(`a coupon ${kind} is its owner’s while a stranger who typed the address has a payment pending`, async () => {
    const email = await owner()
    const coupon = await couponOf(more)
    const strangers = await asStranger(email, { coupon: coupon.code })
    await leaves(strangers)
    const owners = await asOwner(email, { coupon: coupon.code })
    assert.equal(await paysWith(owners, 'test_succeeds'), 'paid')
    assert.equal(await paysWith(strangers), 'coupon_not_applicable')
    assert.equal(await paysWith(strangers, 'test_succeeds'), 'coupon_not_applicable')
    assert.deepEqual(await usesOf(coupon), [1, 1, 1])
  })
}

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
  const email = await owner()
  const coupon = await couponOf({ is_one_per_user: true })
  const before = await givenBack()
  const strangers = await asStranger(email, { coupon: coupon.code })
  await leaves(strangers)
  assert.equal(await paysWith(await asOwner(email, { coupon: coupon.code }), 'test_succeeds'), 'paid')
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
  assert.deepEqual(await usesOf(coupon), [1, 1, 1])
  assert.deepEqual(await ledgerFaults(app), [])
})

test('while its owner pays with a coupon too, a stranger’s payment does not get it, in whatever order they end', async () => {
  const email = await owner()
  const coupon = await couponOf({ is_one_per_user: true })
  const strangers = await asStranger(email, { coupon: coupon.code })
  await leaves(strangers)
  const owners = await asOwner(email, { coupon: coupon.code })
  await leaves(owners)
  assert.equal(await paysWith(strangers), 'coupon_not_applicable')
  assert.equal(await paysWith(owners), 'paid')
  assert.deepEqual(await usesOf(coupon), [1, 1, 1])
})

test('a coupon that its owner lets go again stays with the payment that waits for it', async () => {
  const email = await owner()
  const coupon = await couponOf({ is_one_per_user: true, user_type: 'new' })
  const strangers = await asStranger(email, { coupon: coupon.code })
  await leaves(strangers)
  const owners = await asOwner(email, { coupon: coupon.code })
  assert.equal(await paysWith(owners, 'test_declined'), 'payment_declined')
  assert.equal(await paysWith(strangers), 'paid')
  assert.deepEqual(await usesOf(coupon), [1, 1, 1])
})

test('two strangers do not take a coupon from one another, nor from its owner', async () => {
  const email = await owner()
  const coupon = await couponOf({ is_one_per_user: true })
  const first = await asStranger(email, { coupon: coupon.code })
  await leaves(first)
  const others = await asStranger(email, { coupon: coupon.code })
  assert.equal(await paysWith(others, 'test_succeeds'), 'coupon_not_applicable')
  const owners = await asOwner(email, { coupon: coupon.code })
  await leaves(owners)
  assert.equal(await paysWith(others, 'test_succeeds'), 'coupon_not_applicable')
  assert.equal(
    await paysWith(await asOwner(email, { coupon: coupon.code }), 'test_succeeds'),
    'coupon_already_used',
    'of two checkouts of the owner one has it',
  )
  assert.equal(await paysWith(owners), 'paid')
  assert.equal(await paysWith(first), 'coupon_not_applicable')
  assert.deepEqual(await usesOf(coupon), [1, 1, 1])
})

test('a gift that a stranger keeps waiting is no gift once its owner has used the coupon', async () => {
  const email = await owner()
  const coupon = await couponOf({ discount: 100, is_one_per_user: true })
  const strangers = await asStranger(email, { coupon: coupon.code })
  await leaves(strangers)
  assert.equal(await paysWith(await asOwner(email, { coupon: coupon.code })), 'paid')
  assert.equal(await paysWith(strangers), 'coupon_not_applicable')
  assert.deepEqual(await usesOf(coupon), [1, 1, 1])
  assert.equal(
    kindsOf(await mailsTo(app, email))
      .split(' ')
      .filter((one) => one === 'license').length,
    1,
  )
})

test('a trial is its owner’s while a stranger who typed the address has one pending', async () => {
  const email = await owner()
  const body = { plan_id: shop.paid.planId, trial: 'paid' }
  const strangers = await asStranger(email, body)
  await leaves(strangers)
  const owners = await asOwner(email, body)
  await leaves(owners)
  assert.equal(await paysWith(strangers), 'checkout_repriced')
  assert.equal(await paysWith(owners), 'paid')
  assert.deepEqual(codeOf(await shop.pay(strangers, 'test_succeeds')), [400, 'trial_not_available'])
  const again = await shop.open({ ...(await proofOf(app, email)), country_code: 'US', ...body })
  assert.deepEqual(codeOf(again), [400, 'trial_not_available'])
})

test('of many trials at once, of strangers who typed the address and of its owner, the owner has one', async () => {
  const email = await owner()
  const body = { plan_id: shop.paid.planId, trial: 'paid' }
  const typed: string[] = []
  const proven: string[] = []
  for (let n = 0; n < 6; n++) {
    typed.push(await asStranger(email, body))
    proven.push(await asOwner(email, body))
  }
  const pay = (ids: readonly string[]) => Promise.all(ids.map((id) => paysWith(id, 'test_succeeds')))
  const [, ofOwner] = await Promise.all([pay(typed), pay(proven)])
  assert.equal(ofOwner.filter((said) => said === 'paid').length, 1, ofOwner.join())
  const running = await app.ctx.db
    .selectFrom('trials')
    .innerJoin('users', 'users.id', 'trials.user_id')
    .select('trials.is_unproven')
    .where('users.email', '=', email)
    .where('trials.canceled_at', 'is', null)
    .execute()
  assert.deepEqual(running, [{ is_unproven: 0 }])
})

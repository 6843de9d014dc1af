import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { eventsOfCart } from '../../../test/carts.ts'
import { proofOf } from '../../../test/checkouts.ts'
import { userOf } from '../../../test/licenses.ts'
import { mailsTo } from '../../../test/mails.ts'
import { advanceTo } from '../../../test/sandbox.ts'
import { codeOf, trialShop, type TrialShop } from '../../../test/trials.ts'
import { MINUTE } from '../../lib/time.ts'

let app: TestApp
let shop: TrialShop
before(async () => {
  app = await startTestApp('checkout_carts')
  shop = await trialShop(app)
  for (const [code, discount] of [
    ['HALF', 50],
    ['TENTH', 10],
    ['MAILED', 20],
  ]) {
    const body = { code, discount, discount_type: 'percentage' }
    const reply = await app.call('POST', `${shop.base}/coupons.json`, { body })
    assert.equal(reply.status, 201, reply.text)
    if (code !== 'MAILED') continue
    const special = `${shop.base}/coupons/${reply.json.id}/special/cart_recovery.json`
    assert.equal((await app.call('PUT', special)).status, 201)
  }
})
after(() => app.close())

const cartOf = async (email: string) => {
  const { carts } = await shop.get(`/carts.json?enriched=true&email=${encodeURIComponent(email)}`)
  return carts[0]
}
const change = (id: string, body: object) =>
  app.call('PUT', `/checkout/sessions/${id}.json`, { token: null, body })
const mailed = async (email: string) =>
  (await mailsTo(app, email)).filter(({ kind }) => kind === 'cart_recovery')
/** What the page behind a link of a mail opens its checkout with. */
const followed = (text: string) => {
  const [link = ''] = /http:\/\/keywright\.test\/checkout\S+/.exec(text) ?? []
  return Object.fromEntries(new URL(link).searchParams)
}
const discountIn = ({ discount }: { discount: { code: string | null; applies: boolean } | null }) =>
  discount && [discount.code, discount.applies]

test('a cart has the coupon that was typed as long as it takes something off, and the price with it', async () => {
  const { user_email: email, ...place } = shop.someone()
  const { json } = await shop.open({ ...place, plan_id: shop.free.planId, coupon: 'half' })
  await change(json.id, { user_email: email })
  const { id, coupon_id: couponId, ...cart } = await cartOf(email)
  assert.deepEqual([cart.price, cart.gross, cart.coupon_code], [49.99, 24.99, 'HALF'])
  assert.notEqual(couponId, null)
  for (const [coupon, code, gross] of [
    ['TENTH', 'TENTH', 44.99],
    ['NONE', null, 49.99],
    ['HALF', 'HALF', 24.99],
    ['', null, 49.99],
  ] as const) {
    await change(json.id, { coupon })
    const now = await cartOf(email)
    assert.deepEqual([now.id, now.coupon_code, now.gross, now.price], [id, code, gross, 49.99], coupon)
  }
  await change(json.id, { coupon: 'HALF' })
  assert.equal((await shop.pay(json.id, 'test_succeeds')).status, 200)
  const paid = await cartOf(email)
  assert.deepEqual([paid.status, paid.coupon_code, paid.gross], ['completed', 'HALF', 24.99])
})

test('a cart says where its checkout was shown last, and the page that held it', async () => {
  const who = { ...shop.someone(), plan_id: shop.free.planId, visitor: 'a-browser-of-somebody' }
  const shown = async () => {
    const { id, mode, url } = await cartOf(who.user_email)
    return [id, mode, url]
  }
  await shop.open(who)
  const [id, ...unsaid] = await shown()
  assert.deepEqual(unsaid, ['dialog', ''])
  const url = 'https://shop.example.com/buy?x=1'
  const { user_email: email, ...rest } = who
  const { json } = await shop.open({ ...rest, mode: 'page', url })
  assert.deepEqual(await shown(), [id, 'dialog', ''], 'its address is not typed yet')
  await change(json.id, { user_email: email })
  assert.deepEqual(await shown(), [id, 'page', url])
  await shop.open({ ...who, mode: 'dashboard' })
  assert.deepEqual(await shown(), [id, 'dashboard', url])
  for (const wrong of [{ mode: 'window' }, { url: 'javascript:alert(1)' }]) {
    assert.deepEqual(codeOf(await shop.open({ ...who, ...wrong })), [400, 'invalid_argument'])
  }
})

test('a link of recovery brings back the coupon that was typed, unless that of the mail takes more off, which stays hidden', async () => {
  const [half, tenth] = [shop.someone(), shop.someone()]
  const opened = { plan_id: shop.free.planId }
  await shop.open({ ...half, ...opened, coupon: 'HALF' })
  await shop.open({ ...tenth, ...opened, coupon: 'TENTH' })
  await advanceTo(app, shop.inDays(1))
  for (const [who, code] of [
    [half, 'HALF'],
    [tenth, 'TENTH'],
  ] as const) {
    const [first] = await mailed(who.user_email)
    const back = await shop.open(followed(first?.text ?? ''))
    assert.deepEqual(discountIn(back.json), [code, true], back.text)
    assert.equal(back.json.buyer.email, who.user_email)
  }
  await advanceTo(app, shop.inDays(5))
  const last = async (email: string) => (await mailed(email)).at(-1)?.text ?? ''
  assert.ok(!(await last(half.user_email)).includes('less'))
  assert.deepEqual(discountIn((await shop.open(followed(await last(half.user_email)))).json), ['HALF', true])
  assert.match(await last(tenth.user_email), /20 % less/)
  for (let n = 0; n < 2; n++) {
    const back = await shop.open(followed(await last(tenth.user_email)))
    assert.deepEqual(discountIn(back.json), [null, true], back.text)
    assert.equal(back.json.quote.total, 39.99)
  }
  assert.equal((await cartOf(tenth.user_email)).gross, 39.99)
  const again = (await mailed(tenth.user_email))[0]?.text ?? ''
  assert.deepEqual(discountIn((await shop.open(followed(again))).json), [null, true])
})

test('who has just bought is not mailed about what is open beside it, and is again about what is left later', async () => {
  const who = shop.someone()
  const opened = { ...who, plan_id: shop.free.planId, visitor: 'the browser of who buys' }
  const first = await shop.open(opened)
  assert.equal((await shop.pay(first.json.id, 'test_succeeds')).status, 200)
  const second = await shop.open(opened)
  assert.deepEqual(codeOf(await shop.pay(second.json.id, 'test_succeeds')), [400, 'already_purchased'])
  const other = shop.someone()
  await shop.open({ ...other, plan_id: shop.free.planId })
  await advanceTo(app, shop.inDays(5))
  assert.deepEqual(await mailed(who.user_email), [])
  assert.equal((await mailed(other.user_email)).length, 3)
  const left = await cartOf(who.user_email)
  assert.deepEqual([left.status, await eventsOfCart(app, left.id)], ['abandoned', ['cart.created']])
  await shop.open(opened)
  const again = await cartOf(who.user_email)
  assert.deepEqual([again.id, again.status], [left.id, 'visit'])
  await advanceTo(app, shop.inDays(0, 61 * MINUTE))
  assert.equal((await mailed(who.user_email)).length, 1)
})

test('who types the address of another buyer leaves their cart as it is, and has one of their own', async () => {
  const who = shop.someone()
  const [browser, other] = ['the browser of a buyer', 'the browser of a stranger']
  const plan_id = shop.free.planId
  for (const strange of [{ visitor: other }, {}]) {
    const { json } = await shop.open({ ...who, plan_id, coupon: 'HALF', visitor: browser })
    const own = await cartOf(who.user_email)
    const typed = { plan_id: shop.paid.planId, user_firstname: 'Mallory', coupon: 'TENTH', ...strange }
    const opened = await shop.open({ ...who, ...typed })
    const later = await shop.open({ ...shop.someone(), ...typed, visitor: `${other} later` })
    for (const { id } of [opened.json, later.json])
      assert.equal((await change(id, { ...who, coupon: '' })).status, 200)
    assert.deepEqual(await shop.get(`/carts/${own.id}.json?enriched=true`), own)
    assert.equal((await shop.pay(opened.json.id, 'test_succeeds')).status, 200)
    assert.equal((await shop.get(`/carts/${own.id}.json`)).status, 'visit')
    assert.equal((await shop.pay(json.id, 'test_succeeds')).status, 200)
    const bought = await shop.get(`/carts/${own.id}.json?enriched=true`)
    assert.deepEqual([bought.status, bought.coupon_code], ['completed', 'HALF'])
    app.ctx.clock.advance(2 * MINUTE)
  }
})

test('a cart that is older than the checkout goes on being recovered when another address is typed there', async () => {
  const [who, other] = [shop.someone(), shop.someone()]
  const opened = { ...who, plan_id: shop.free.planId, visitor: 'the browser of two addresses' }
  await shop.open(opened)
  app.ctx.clock.advance(2 * MINUTE)
  const { json } = await shop.open(opened)
  await advanceTo(app, shop.inDays(0, 61 * MINUTE))
  assert.equal((await mailed(who.user_email)).length, 1)
  assert.equal((await change(json.id, other)).status, 200)
  const [older, own] = [await cartOf(who.user_email), await cartOf(other.user_email)]
  assert.notEqual(own.id, older.id)
  await advanceTo(app, shop.inDays(6))
  assert.equal((await mailed(who.user_email)).length, 3)
  assert.equal((await mailed(other.user_email)).length, 3)
})

test('who has proven the address has one cart in every browser, whoever types the address there', async () => {
  const { user_email: email } = shop.someone()
  await userOf(app, email)
  const coupons = async () => {
    const { carts } = await shop.get(`/carts.json?enriched=true&email=${encodeURIComponent(email)}`)
    return carts.map((cart: { coupon_code: string | null }) => cart.coupon_code)
  }
  const asUser = async (body: object) => {
    const proof = await proofOf(app, email)
    const { status, text } = await shop.open({ ...proof, plan_id: shop.free.planId, ...body })
    assert.equal(status, 201, text)
  }
  const visitor = 'a browser of two people'
  await asUser({ visitor, coupon: 'HALF' })
  await shop.open({ user_email: email, plan_id: shop.free.planId, visitor })
  assert.deepEqual(await coupons(), [null, 'HALF'])
  await asUser({ visitor: 'another browser of one', coupon: 'TENTH' })
  assert.deepEqual(await coupons(), [null, 'TENTH'])
})

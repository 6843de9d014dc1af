import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { START, startTestApp, type TestApp } from '../../../test/app.ts'
import { eventsOfCart, productScope, visit } from '../../../test/carts.ts'
import { createOffer, type Offer } from '../../../test/catalogue.ts'
import { anotherProcess, dyingProcess } from '../../../test/dying.ts'
import { userOf } from '../../../test/licenses.ts'
import { mailsTo } from '../../../test/mails.ts'
import { advanceTo, timelineOf } from '../../../test/sandbox.ts'
import type { Context } from '../../context.ts'
import type { CartTouch } from './touch-cart.ts'
import { readToken } from '../../lib/signed-token.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../lib/time.ts'
import { completeCart } from './service.ts'
import { createCoupon } from '../coupons/service.ts'
import { makeSpecial } from '../coupons/special.ts'
import { recoverCarts } from './recover-carts-job.ts'
import { runDue } from '../../jobs/worker.ts'

let app: TestApp
let offer: Offer
before(async () => {
  app = await startTestApp('recover_carts')
  offer = await app.write((tx) => createOffer(tx, productScope(app), 'pro'))
  await app.write((tx) => tx.db.updateTable('plans').set({ trial_period: 14 }).execute())
})
after(() => app.close())

let people = 0

/** A cart that was left at the start, of a person of its own. */
async function left(touch: Partial<CartTouch> = {}) {
  app.ctx.clock.set(START)
  const email = `left${++people}@example.com`
  const cart = await visit(app, { email, first: 'Ann', plan_id: offer.planId, ...touch })
  return { id: cart.id, email }
}

async function free(): Promise<void> {
  await app.ctx.database.transaction((db) =>
    db.updateTable('jobs').set({ due_at: 0, lease_until: 0 }).where('name', '=', 'recover-carts').execute(),
  )
}

async function runAt(ms: number, ctx: Context = app.ctx) {
  app.ctx.clock.set(ms)
  await free()
  await runDue(ctx, [recoverCarts])
}

const path = () => `/products/${app.seller.product.id}/carts`
const statusOf = async (id: number) => (await app.call('GET', `${path()}/${id}.json`)).json.status
const mailed = async (email: string) =>
  (await mailsTo(app, email)).filter(({ kind }) => kind === 'cart_recovery')

test('a cart is given up an hour after its last visit, and mailed then, a day after the first visit, and three days later', async () => {
  const { id, email } = await left()
  const events = ['cart.created']
  for (const [at, status, type] of [
    [START + HOUR, 'email_1_sent', 'cart.recovery.email_1_sent'],
    [START + DAY, 'email_2_sent', 'cart.recovery.email_2_sent'],
    [START + 4 * DAY, 'email_3_sent', 'cart.recovery.email_3_sent'],
  ] as const) {
    await runAt(at - SECOND)
    assert.deepEqual(await eventsOfCart(app, id), events)
    await runAt(at)
    await runAt(at + MINUTE)
    events.push(...(at === START + HOUR ? ['cart.abandoned'] : []), type)
    assert.deepEqual(await eventsOfCart(app, id), events)
    assert.equal(await statusOf(id), status)
  }
  await runAt(START + 400 * DAY)
  const mails = await mailed(email)
  assert.equal(mails.length, 3)
  assert.match(mails[0]?.text ?? '', /^Hello Ann,/)
  assert.match(mails[1]?.text ?? '', /try it for 14 days/)
  assert.ok(!mails[2]?.text.includes('less'))
})

test('a visit puts the end of the hour off, and a cart without an address is never given up', async () => {
  const { id } = await left()
  const { id: nameless } = await visit(app, { visitor: 'a browser without name' })
  await runAt(START + HOUR - MINUTE)
  await visit(app, { cartId: id })
  await runAt(START + HOUR + MINUTE)
  assert.equal(await statusOf(id), 'visit')
  await runAt(START + 2 * HOUR)
  assert.equal(await statusOf(id), 'email_1_sent')
  await visit(app, { cartId: id })
  assert.equal(await statusOf(id), 'email_1_sent')
  await runAt(START + 400 * DAY)
  assert.equal(await statusOf(nameless), 'visit')
})

test('what is bought after it was given up is recovered, and mailed no more', async () => {
  const { id, email } = await left()
  await runAt(START + HOUR)
  const userId = Number(await userOf(app, email))
  const complete = () =>
    app.write((tx) => completeCart(tx, productScope(app), { cartId: id, userId, gross: 100 }))
  const done = await Promise.all(Array.from({ length: 6 }, complete))
  assert.equal(done.filter((one) => one !== undefined).length, 1)
  await runAt(START + 10 * DAY)
  assert.deepEqual((await eventsOfCart(app, id)).slice(-2), ['cart.completed', 'cart.recovered'])
  assert.equal(await statusOf(id), 'recovered')
  assert.equal((await mailed(email)).length, 1)
})

test('after a standstill a mail at a time is sent, and of what is a month old none', async () => {
  const { id, email } = await left()
  await runAt(START + 7 * DAY)
  assert.equal((await mailed(email)).length, 1)
  await runAt(START + 8 * DAY)
  assert.equal((await mailed(email)).length, 2)
  const old = await left()
  await runAt(START + 31 * DAY + HOUR)
  assert.equal(await statusOf(old.id), 'abandoned')
  assert.equal((await mailed(old.email)).length, 0)
  assert.equal(await statusOf(id), 'email_3_sent')
})

test('of two workers one mails, and one that dies is followed without a second mail', async () => {
  const { email } = await left()
  const other = anotherProcess(app)
  app.ctx.clock.set(START + HOUR)
  await free()
  await Promise.all([runDue(app.ctx, [recoverCarts]), runDue(other.ctx, [recoverCarts])])
  await other.close()
  assert.equal((await mailed(email)).length, 1)
  const dead = await left()
  for (let n = 1, isDone = false; !isDone; n++) {
    const dying = dyingProcess(app, n)
    await runAt(START + HOUR, dying.ctx).catch(() => {})
    isDone = !dying.isDead()
    await dying.close()
    assert.ok(n < 100)
  }
  assert.equal((await mailed(dead.email)).length, 1)
  const events = (await eventsOfCart(app, dead.id)).slice(1)
  assert.deepEqual(events, ['cart.abandoned', 'cart.recovery.email_1_sent'])
})

test('two runs that have read the same carts mail each once', async () => {
  const { email } = await left()
  const lease = { stopping: new AbortController().signal, guard: async () => {} }
  app.ctx.clock.set(START + HOUR)
  await Promise.all(Array.from({ length: 4 }, () => recoverCarts.run(app.ctx, lease)))
  assert.equal((await mailed(email)).length, 1)
})

test('recovery is switched off and on again, which is told once each', async () => {
  const { id, email } = await left()
  const put = (isDisabled: boolean) =>
    app.call('PUT', `${path()}/${id}/recovery.json`, { body: { is_disabled: isDisabled } })
  assert.equal((await put(true)).json.is_disabled, true)
  await put(true)
  await runAt(START + HOUR)
  assert.equal(await statusOf(id), 'abandoned')
  assert.equal((await mailed(email)).length, 0)
  assert.equal((await put(false)).json.is_disabled, false)
  await runAt(START + 2 * HOUR)
  assert.equal((await mailed(email)).length, 1)
  await put(true)
  await runAt(START + 20 * DAY)
  assert.equal((await mailed(email)).length, 1)
  assert.deepEqual(await eventsOfCart(app, id), [
    'cart.created',
    'cart.recovery.deactivated',
    'cart.abandoned',
    'cart.recovery.reactivated',
    'cart.recovery.email_1_sent',
    'cart.recovery.deactivated',
  ])
  assert.equal((await app.call('PUT', `${path()}/${id}/recovery.json`, { body: {} })).status, 402)
  const userId = Number(await userOf(app, email))
  await app.write((tx) => completeCart(tx, productScope(app), { cartId: id, userId, gross: 100 }))
  const over = await put(false)
  assert.deepEqual([over.status, over.json.error.code], [400, 'cart_completed'])
})

test('the third mail brings the coupon for recovered carts, hidden in its link', async () => {
  const coupon = await app.write(async (tx) => {
    const scope = productScope(app)
    const made = await createCoupon(tx, scope, {
      code: 'COMEBACK',
      discount: 15,
      discount_type: 'percentage',
      user_type: 'all',
      has_renewals_discount: false,
      has_addons_discount: false,
      is_one_per_user: true,
      is_active: true,
    })
    await makeSpecial(tx, scope, { coupon_id: Number(made.id), special_id: 'cart_recovery' })
    return made
  })
  const { id, email } = await left()
  for (const at of [HOUR, DAY, 4 * DAY]) await runAt(START + at)
  const mails = await mailed(email)
  const claims = mails.map(({ text, html }) => {
    const [, token = ''] = /\?cart_token=(\S+)/.exec(text) ?? []
    assert.ok(html.includes(token))
    assert.ok(!text.includes('COMEBACK') && !html.includes('COMEBACK'))
    return readToken(app.ctx.keys, token, { purpose: 'checkout.cart', now: app.ctx.clock.real() })
  })
  assert.deepEqual(
    claims.map((one) => one?.['cart_id']),
    [String(id), String(id), String(id)],
  )
  assert.deepEqual(
    claims.map((one) => one?.['coupon_id']),
    [undefined, undefined, coupon.id],
  )
  assert.match(mails[2]?.text ?? '', /15 % less/)
})

test('the link in a mail ends the mails to its address for good, by its button alone', async () => {
  const { id, email } = await left()
  await runAt(START + HOUR)
  const [mail] = await mailed(email)
  const [, link = ''] = /(\/unsubscribe\/\S+)/.exec(mail?.text ?? '') ?? []
  assert.equal(mail?.unsubscribe, app.ctx.baseUrl + link)
  const page = await fetch(app.address + link)
  assert.equal(page.status, 200)
  assert.match(await page.text(), /<button>Unsubscribe/)
  const read = async () => (await app.call('GET', `${path()}/${id}.json`)).json.is_unsubscribed
  assert.equal(await read(), false)
  const oneClick = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
  for (const body of [oneClick, null]) {
    assert.equal((await fetch(app.address + link, { method: 'POST', body })).status, 200)
  }
  assert.equal(await read(), true)
  const events = await eventsOfCart(app, id)
  assert.equal(events.filter((type) => type === 'cart.recovery.unsubscribed').length, 1)
  await runAt(START + 10 * DAY)
  assert.equal((await mailed(email)).length, 1)
  const on = await app.call('PUT', `${path()}/${id}/recovery.json`, { body: { is_disabled: false } })
  assert.deepEqual([on.status, on.json.error.code], [400, 'cart_unsubscribed'])

  const userId = Number(await userOf(app, email))
  await app.write((tx) => completeCart(tx, productScope(app), { cartId: id, userId, gross: 100 }))
  const next = await visit(app, { email: email.toUpperCase() })
  assert.equal(next.is_unsubscribed, true)
  await runAt(START + 20 * DAY)
  assert.equal(await statusOf(next.id), 'abandoned')
  assert.equal((await mailed(email.toUpperCase())).length, 0)

  const renamed = await left()
  const body = { email: email.toUpperCase().replace('EXAMPLE', 'example') }
  await app.write((tx) => tx.db.deleteFrom('carts').where('id', '=', next.id).execute())
  const reply = await app.call('PUT', `${path()}/${renamed.id}.json`, { body })
  assert.deepEqual([reply.status, reply.json.is_unsubscribed], [200, true], reply.text)

  const broken = `${link.slice(0, -4)}AAAA`
  assert.equal((await fetch(app.address + broken)).status, 404)
  assert.equal((await fetch(app.address + broken, { method: 'POST' })).status, 404)
})

test('carts of the sandbox live on its clock, and its timeline tells what became of them', async () => {
  app.ctx.clock.set(START)
  const product = app.seller.other
  const owner = { developerId: app.seller.developer.id, productId: product.id }
  const scope = { ...productScope(app), ...owner }
  const { touchCart } = await import('./touch-cart.ts')
  const cart = await app.write((tx) =>
    touchCart(tx, scope, { environment: 1, visitor: null, email: 'sandbox@example.com' }),
  )
  const beside = await app.write((tx) =>
    touchCart(tx, productScope(app), { environment: 1, visitor: null, email: 'beside@example.com' }),
  )
  await runAt(START + 30 * MINUTE)
  assert.deepEqual(await timelineOf(app, product), [])
  await advanceTo(app, '2026-02-10 00:00:00', product)
  assert.deepEqual(
    (await timelineOf(app, product)).map(({ at, what, type }) => [at, what, type]),
    [
      ['2026-01-31 11:00:00', 'abandoned', 'cart.abandoned'],
      ['2026-01-31 11:00:00', 'mailed', 'cart.recovery.email_1_sent'],
      ['2026-02-01 10:00:00', 'mailed', 'cart.recovery.email_2_sent'],
      ['2026-02-04 10:00:00', 'mailed', 'cart.recovery.email_3_sent'],
    ],
  )
  const { json } = await app.call('GET', `/products/${product.id}/carts/${cart.id}.json`, {
    token: product.token,
  })
  assert.deepEqual([json.status, json.environment], ['email_3_sent', 1])
  assert.deepEqual(await eventsOfCart(app, beside.id), ['cart.created'], 'of a product whose clock stands')
})
